import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isoOf } from './envelope.ts'

const LAST = 8.64e15

it('a time has the same ISO form as from Date, in any order of calls', () => {
  const times = fc.oneof(
    fc.double({ min: -LAST, max: LAST, noNaN: true }),
    fc.double({ min: 1.7e12, max: 1.7e12 + 2e8, noNaN: true }),
    fc.constantFrom(0, -1, 86_399_999, 86_400_000, -86_400_000, LAST, -LAST),
  )
  fc.assert(
    fc.property(times, (ms) => {
      expect(isoOf(ms)).toBe(new Date(ms).toISOString())
    }),
    { numRuns: 5000 },
  )
  expect(isoOf(Number.NaN)).toBe(isoOf(0))
  expect(isoOf(LAST + 1)).toBe('1970-01-01T00:00:00.000Z')
})
