import fc from 'fast-check'
import measure from 'fast-string-truncated-width'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { cutOf, printable, printableJson, widthOf, wrap } from './terminal.ts'

describe('wrapping', () => {
  it('breaks at spaces and preserves the indentation of a line and of a list', () => {
    expect(wrap('  a line that is much longer than the narrowest', 24)).toBe(
      '  a line that is much\n  longer than the\n  narrowest',
    )
    expect(wrap('- the first of two things to do', 24)).toBe('- the first of two\n  things to do')
  })

  it('leaves a sign with the word after it, however long that is', () => {
    expect(wrap('✗ /home/ann/a/folder/with/a/long/name: cannot be read', 24)).toBe(
      '✗ /home/ann/a/folder/with/a/long/name:\n  cannot be read',
    )
  })

  it('counts wide characters as two columns', () => {
    expect(wrap('在庫 在庫 在庫 在庫 在庫 在庫', 24)).toBe('在庫 在庫 在庫 在庫 在庫\n在庫')
  })

  it('leaves fenced code and words that are too long unchanged', () => {
    const code = '```\nconst aLongLine = "that nobody wants to see broken in two"\n```'
    expect(wrap(code, 24)).toBe(code)
    expect(wrap('https://example.org/a/very/long/address/indeed', 24)).toBe(
      'https://example.org/a/very/long/address/indeed',
    )
  })

  it('loses no word, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 60 }), (text, columns) => {
        expect(wrap(text, columns).split(/\s+/).join(' ').trim()).toBe(text.split(/\s+/).join(' ').trim())
      }),
    )
  })
})

const character = fc.oneof(
  fc.constantFrom(...' aZ~é\u00ad—“”…→│━\t\n\u0007\u200d\ufe0f©↔漢字🤖👩e\u0301'),
  fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCharCode(code)),
)
const text = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(''))

describe('the width of texts', () => {
  it('is that of the library for every character', () => {
    for (let code = 0; code < 0x3000; code++) {
      const each = String.fromCharCode(code)
      expect(widthOf(each), code.toString(16)).toBe(measure(each).width)
    }
  })

  it('is that of the library for texts, and the same texts are cut', () => {
    fc.assert(
      fc.property(text, fc.nat(40), fc.constantFrom(0, 1), (each, width, ellipsis) => {
        const { truncated } = measure(each, { limit: width, ellipsis: '…', ellipsisWidth: ellipsis })
        expect(widthOf(each)).toBe(measure(each).width)
        expect(cutOf(each, width, ellipsis) !== undefined).toBe(truncated)
      }),
      { numRuns: 2000 },
    )
  })

  it('fills the columns when a text of ordinary characters is cut', () => {
    expect(cutOf('a title—with a dash', 8, 1)).toBe(7)
    expect(cutOf('—a', 1, 1)).toBe(0)
    expect(cutOf('━━━', 2)).toBe(2)
    expect(cutOf('━━━', 3)).toBeUndefined()
  })
})

const OBEYED =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/u

/** Text that contains everything a terminal executes. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
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

it('printable JSON contains nothing that a terminal executes except newlines, and parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), hostile, (value, text) => {
      const json = printableJson(JSON.stringify({ value, text, [text]: 1 }, null, 2))
      expect(json).not.toMatch(OBEYED)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text, [text]: 1 })))
    }),
    { numRuns: 1000 },
  )
})
