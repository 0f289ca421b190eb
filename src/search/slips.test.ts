import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNear, piecesOf, slipsAllowed, slipsBetween } from './slips.ts'

describe('typos', () => {
  it.each([
    ['postgres', 'postgress', 1],
    ['rehersal', 'rehearsal', 1],
    ['recieve', 'receive', 1],
    ['same', 'same', 0],
    ['backup', 'package', 3],
  ])('between %s and %s: %i', (one, other, slips) => expect(slipsBetween(one, other, 2)).toBe(slips))

  it('leave a piece of every word at its place', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 4, maxLength: 12 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const allowed = slipsAllowed(one)
        if (slipsBetween(one, other, allowed) > allowed) return
        expect(piecesOf(one, allowed).some((piece) => isNear(other, piece, allowed))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
