import { wordlist } from '@scure/bip39/wordlists/english.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { mayHoldSecret } from '../byte-filter.ts'
import { findSecrets, redact } from '../redact.ts'
import { createRedactor } from '../redactor.ts'

const random = createRandom(23)
const wordsOf = (count: number): string[] =>
  Array.from({ length: count }, () => wordlist[random(wordlist.length)]!)
const label = '[REDACTED:seed-phrase]'

describe('a seed phrase', () => {
  it.each([12, 15, 18, 21, 24])('of %i words is redacted without a word next to it', (count) => {
    for (let turn = 0; turn < 20; turn++) {
      const phrase = wordsOf(count).join(' ')
      expect(redact(phrase)).toBe(label)
      expect(redact(`It reads (${phrase}), ok?`)).toBe(`It reads (${label}), ok?`)
      expect(redact(`KEY="${phrase}"\nA=1`)).toBe(`KEY="${label}"\nA=1`)
    }
  })

  it('is redacted wherever it is in a long text', () => {
    for (let before = 0; before < 140; before++) {
      const phrase = wordsOf(12).join(' ')
      expect(redact(`${'.'.repeat(before)} ${phrase} ${'.'.repeat(90)}`)).not.toContain(phrase.slice(0, 20))
    }
    const far = wordsOf(24).join(' ')
    expect(redact(`${'x '.repeat(8_180)}${far}`)).not.toContain(far.slice(20, 60))
  })

  it('is redacted as a list, numbered, one word on each line, and in JSON', () => {
    const words = wordsOf(12)
    const numbered = words.map((word, at) => `${at + 1}. ${word}`).join('\n')
    for (const text of [
      words.join('\n'),
      numbered,
      JSON.stringify(words),
      words.join(', '),
      words.join(' ').toUpperCase(),
    ])
      for (const each of [
        text,
        JSON.stringify({ text }),
        JSON.stringify({ text: JSON.stringify({ text }) }),
      ]) {
        expect(redact(each), each).toContain(label)
        const bytes = Buffer.from(each)
        expect(mayHoldSecret(bytes, 0, bytes.length)).toBe(true)
      }
  })

  it('is redacted as a list wherever it is in a raw record', () => {
    const { redactJsonLine } = createRedactor({ level: 'standard' })
    for (let turn = 0; turn < 600; turn++) {
      const words = wordsOf(12)
      const list = words.map((word, at) => `${turn % 2 ? '-' : `${at + 1}.`} ${word}`).join('\n')
      const record = JSON.stringify({ parentId: 'f'.repeat(turn % 67), text: list })
      expect(redactJsonLine(record).text, record).toContain(label)
    }
  })

  it('is not assumed in fewer words, in sentences, in the list itself and in one word repeated', () => {
    const innocent = [
      wordsOf(11).join(' '),
      `${wordsOf(6).join(' ')} the ${wordsOf(6).join(' ')}`,
      wordlist.join('\n'),
      'test '.repeat(24),
      `${'abandon '.repeat(11)}about`,
      JSON.stringify(Object.fromEntries(wordsOf(24).map((word, at) => [word, at]))),
    ]
    for (const text of innocent) expect(findSecrets(text), text.slice(0, 80)).toEqual([])
  })

  it('takes time in proportion to the text, whatever words are repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...wordlist), { minLength: 1, maxLength: 5 }), (words) => {
        // A megabyte would take hours if the time grew with its square.
        findSecrets(`${words.join(' ')} `.repeat(40_000))
      }),
      { numRuns: 5 },
    )
  })
})
