import fc from 'fast-check'
import measure from 'fast-string-truncated-width'
import { describe, expect, it } from 'vitest'
import { cutOf, widthOf } from './text-width.ts'

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
