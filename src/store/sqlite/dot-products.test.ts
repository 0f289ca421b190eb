import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDotProducts, STEP } from './dot-products.ts'

it('products of vectors are those that adding up their numbers gives', () => {
  const dotProducts = createDotProducts()
  const numbers = (length: number) =>
    fc.array(fc.integer({ min: -127, max: 127 }), { minLength: length, maxLength: length })
  const some = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 40 }))
    .chain(([steps, count]) =>
      fc.tuple(
        numbers(steps * STEP),
        fc.array(numbers(steps * STEP), { minLength: count, maxLength: count }),
      ),
    )
  fc.assert(
    fc.property(some, ([vector, vectors]) => {
      const sums = vectors.map((each) => each.reduce((sum, value, index) => sum + value * vector[index]!, 0))
      expect([...dotProducts(Int8Array.from(vectors.flat()), Int8Array.from(vector))]).toEqual(sums)
    }),
  )
})

it('the largest numbers do not overflow', () => {
  const most = new Int8Array(4096).fill(-127)
  expect([...createDotProducts()(most, most)]).toEqual([4096 * 127 * 127])
})
