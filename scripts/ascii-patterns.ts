import { parseAst } from 'rolldown/parseAst'

/**
 * The code with the characters of its patterns beyond ASCII escaped, which esbuild only does in strings:
 * literals of regular expressions, and templates of `String.raw`, which must be sources of patterns. An
 * escape of each half of a pair means the same, with the flag `u` as well.
 */
export function asciiPatterns(code: string): string {
  if (!/[^\0-\x7f]/.test(code)) return code
  let escaped = ''
  let copied = 0
  for (const { start, end } of patternsOf(parseAst(code))) {
    escaped += code.slice(copied, start) + code.slice(start, end).replace(/[^\0-\x7f]/g, escapeOf)
    copied = end
  }
  return escaped + code.slice(copied)
}

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

interface Range {
  start: number
  end: number
}

/** The literals of regular expressions and the texts of templates that are kept as written, in order. */
function patternsOf(node: unknown): Range[] {
  if (typeof node !== 'object' || node === null) return []
  if (('regex' in node && node.regex) || ('type' in node && node.type === 'TemplateElement'))
    return [node as unknown as Range]
  return Object.values(node)
    .flatMap(patternsOf)
    .sort((one, other) => one.start - other.start)
}
