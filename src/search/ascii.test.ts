import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasTokens, isAscii, spellingsOf, TOKEN } from './characters.ts'
import { needlesOf } from './match.ts'
import { indexedTokens } from './words.ts'

/** Letters, digits, joints and separators of ASCII. */
const ascii = fc.string({ unit: 'binary-ascii', maxLength: 24 })
/** A word that no pattern for ASCII may read, apart from the text by spaces. */
const FOREIGN = ' 登'

describe('texts in ASCII', () => {
  it('are found by the same tokens as within other texts', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        expect(indexedTokens(`${text}${FOREIGN}`)).toEqual([...indexedTokens(text), '登'])
        expect(hasTokens(text)).toBe(new RegExp(TOKEN, 'v').test(text))
      }),
      { numRuns: 500 },
    )
  })

  it('have the same spellings and needles', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        const term = { text, phrase: false, prefix: false }
        const other = spellingsOf({ ...term, text: `${text}${FOREIGN}` })
        expect(other.map((each) => each.slice(0, -FOREIGN.length))).toEqual(spellingsOf(term))
        const [needle] = needlesOf(term)
        const [longer] = needlesOf({ ...term, text: `${text}${FOREIGN}` })
        if (hasTokens(text)) expect(longer!.parts.slice(0, -1)).toEqual(needle!.parts)
      }),
      { numRuns: 500 },
    )
  })

  it('end at the first character that takes more than seven bits', () => {
    expect([isAscii(''), isAscii('a\u007f'), isAscii('a\u0080')]).toEqual([true, true, false])
  })
})
