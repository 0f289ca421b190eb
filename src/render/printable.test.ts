import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson } from './printable.ts'

const OBEYED =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/u

/** Text that contains everything a terminal executes. */
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
        '\u061c',
        '\u200b',
        '\u200d',
        '\ufe0f',
        '\u{e0041}',
        'é',
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
    ['reversed text direction', 'photo\u202egnp.exe', 'photognp.exe'],
    ['a line that overwrites itself', 'rm -rf /\rls', 'rm -rf /\nls'],
    ['a backspace', 'ab\x08c', 'abc'],
    ['half of a surrogate pair', 'a\ud83cb', 'a\ufffdb'],
    ['the Arabic letter mark', 'a\u061cb', 'ab'],
    ['a zero-width space', 'pay\u200bpal', 'paypal'],
    ['invisible tag characters', 'a\u{e0068}\u{e0069}\u{e007f}b', 'ab'],
    ['variation selectors that carry bytes', 'a\ufe01\ufe0fb\u{e0101}', 'ab'],
    ['joiners between letters', 'a\u200db\u200cc', 'abc'],
    ['a soft hyphen and fillers', 'a\xadb\u3164c\u115fd', 'abcd'],
    ['the clipboard', 'a\x1b]52;c;cm0gLXJm\x07b', 'ab'],
    ['a link', '\x1b]8;;https://x.test\x1b\\here\x1b]8;;\x1b\\', 'here'],
    ['another character set', 'a\x1b(0b', 'ab'],
    ['Unicode line separators', 'a\u2028b\u2029c\x85d', 'a\nb\nc\nd'],
  ])('loses %s', (_, text, shown) => expect(printable(text)).toBe(shown))

  it('retains tabs, newlines, every script and emoji of several parts', () => {
    for (const text of [
      'a\tb\nc',
      'grüße 日本語 עברית العربية',
      '👩‍👩‍👧 🏳️‍🌈 é ⚠️ ❤️‍🔥',
      '1️⃣ #️⃣',
      'می‌خواهم क्‍ष',
      'ＷＩＤＥ\u00a0',
    ])
      expect(printable(text)).toBe(text)
  })

  it('contains nothing that a terminal executes, and does not change when it is processed again', () => {
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
  it('contains nothing that a terminal executes except newlines, and parses to the same value', () => {
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
