import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExactSum } from './usage.ts'

const figure = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
  fc.constantFrom(0.1, 0.2, 0.3),
)

function sumOf(figures: readonly number[]): number {
  const sum = new ExactSum()
  for (const each of figures) sum.add(each)
  return sum.value
}

it('a sum is the same in any order', () => {
  fc.assert(
    fc.property(fc.array(figure), (figures) => {
      expect(sumOf(figures.toReversed())).toBe(sumOf(figures))
      expect(sumOf(figures.toSorted((a, b) => a - b))).toBe(sumOf(figures))
    }),
  )
})

it('what was added and taken away leaves no trace', () => {
  fc.assert(
    fc.property(fc.array(figure), fc.array(figure), (staying, leaving) => {
      const taken = leaving.map((each) => -each)
      expect(sumOf([...leaving, ...staying, ...taken])).toBe(sumOf(staying))
    }),
  )
})

it('a sum is rounded once', () => {
  expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1)
  expect(sumOf([1e16, 1, -1e16])).toBe(1)
  expect(sumOf([])).toBe(0)
})

it('a sum that is too large is infinite and stays so', () => {
  expect(sumOf([1.7e308, 1.7e308])).toBe(Number.POSITIVE_INFINITY)
  expect(sumOf([1.7e308, 1.7e308, 5, -1.7e308, 1e300])).toBe(Number.POSITIVE_INFINITY)
})
