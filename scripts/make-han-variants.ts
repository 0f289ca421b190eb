/**
 * Generates `src/search/han-variants.ts` from the Unihan database of Unicode: `node
 * scripts/make-han-variants.ts <folder>`. The folder must contain Unihan_Variants.txt and
 * Unihan_OtherMappings.txt. Includes traditional characters whose simplified form is in GB 2312, the
 * characters in common use. Of several simplified forms, the first in Unihan is used.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)
const PER_LINE = 50

function* facts(file: string, property: string): Generator<{ character: string; values: string[] }> {
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    const [code = '', name, value = ''] = line.split('\t')
    if (name === property && code.startsWith('U+'))
      yield { character: characterOf(code), values: value.split(' ') }
  }
}

const characterOf = (code: string): string => String.fromCodePoint(Number.parseInt(code.slice(2), 16))

const everyday = new Set(Array.from(facts('Unihan_OtherMappings.txt', 'kGB0'), ({ character }) => character))
const pairs: string[] = []
for (const { character, values } of facts('Unihan_Variants.txt', 'kSimplifiedVariant')) {
  const simple = values.map(characterOf).find((each) => each !== character && everyday.has(each))
  if (simple !== undefined && character.length === 1) pairs.push(`${character}${simple}`)
}
pairs.sort()
const lines: string[] = []
for (let at = 0; at < pairs.length; at += PER_LINE)
  lines.push(`  '${pairs.slice(at, at + PER_LINE).join('')}',`)
writeFileSync(
  join(import.meta.dirname, '../src/search/han-variants.ts'),
  `/**
 * Traditional Chinese characters, each with its simplified form behind it. Made by scripts/make-han-variants.ts from the Unihan database
 * (kSimplifiedVariant); no form is in turn a traditional one.
 */
export const HAN_VARIANTS = [
${lines.join('\n')}
].join('')
`,
)
