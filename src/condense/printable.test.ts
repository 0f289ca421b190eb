import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson } from './printable.ts'

const OBEYED =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/u

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
    ['writing turned around', 'photo\u202egnp.exe', 'photognp.exe'],
    ['a line that overwrites itself', 'rm -rf /\rls', 'rm -rf /\nls'],
    ['a backspace', 'ab\x08c', 'abc'],
    ['half a character', 'a\ud83cb', 'a\ufffdb'],
    ['the mark of Arabic writing', 'a\u061cb', 'ab'],
    ['a space of no width', 'pay\u200bpal', 'paypal'],
    ['what tags say unseen', 'a\u{e0068}\u{e0069}\u{e007f}b', 'ab'],
    ['variation selectors that carry bytes', 'a\ufe01\ufe0fb\u{e0101}', 'ab'],
    ['joiners between letters', 'a\u200db\u200cc', 'abc'],
    ['a soft hyphen and fillers', 'a\xadb\u3164c\u115fd', 'abcd'],
    ['the clipboard', 'a\x1b]52;c;cm0gLXJm\x07b', 'ab'],
    ['a link', '\x1b]8;;https://x.test\x1b\\here\x1b]8;;\x1b\\', 'here'],
    ['another alphabet', 'a\x1b(0b', 'ab'],
    ['line ends that are none on a terminal', 'a\u2028b\u2029c\x85d', 'a\nb\nc\nd'],
  ])('loses %s', (_, text, shown) => expect(printable(text)).toBe(shown))

  it('keeps tabs, newlines, every script and emoji of several parts', () => {
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
