import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson } from './printable.ts'

const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Text with everything a terminal obeys somewhere in it. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\x1b',
        '\x1b[',
        '\x1b]0;',
        '\x07',
        '\x9b',
        '\x9c',
        '\x90',
        '\x1b\\',
        '\u202e',
        '\u2066',
        '\r',
        '\r\n',
        '\x1b[2J',
        'm',
        '31',
        ';',
        '\ud800',
        'word',
      ),
    ),
  )
  .map((parts) => parts.join(''))

describe('printable text', () => {
  it.each([
    ['a title that sets the title', '\x1b]0;owned\x07plain', 'plain'],
    ['a cleared screen', 'a\x1b[2J\x1b[Hb', 'ab'],
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['8-bit controls', 'a\x9b31mb', 'ab'],
    ['writing turned around', 'photo\u202egnp.exe', 'photognp.exe'],
    ['a line that overwrites itself', 'rm -rf /\rls', 'rm -rf /\nls'],
    ['a backspace', 'ab\x08c', 'abc'],
    ['half a character', 'a\ud83cb', 'a\ufffdb'],
  ])('loses %s', (_, text, shown) => expect(printable(text)).toBe(shown))

  it('keeps tabs, newlines, every script and emoji of several parts', () => {
    for (const text of ['a\tb\nc', 'grüße 日本語 עברית العربية', '👩‍👩‍👧 🏳️‍🌈 é', 'ＷＩＤＥ\u00a0\u2028'])
      expect(printable(text)).toBe(text)
  })

  it('holds nothing that a terminal obeys, whatever went in, and is not changed again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printable(text)
        expect(shown).not.toMatch(OBEYED)
        expect(shown.isWellFormed()).toBe(true)
        expect(printable(shown)).toBe(shown)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('printable JSON', () => {
  it('holds nothing that a terminal obeys but newlines, and says the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const json = printableJson(JSON.stringify({ value, text, [text]: 1 }, null, 2))
        expect(json).not.toMatch(OBEYED)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text, [text]: 1 })))
      }),
      { numRuns: 1000 },
    )
  })
})
