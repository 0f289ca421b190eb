import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Heights } from '../../ui/parts/viewport.ts'

const sumOf = (heights: readonly number[]): number => heights.reduce((sum, height) => sum + height, 0)

describe('the heights of rows', () => {
  it('agree with adding them up, whatever changes', () => {
    const some = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 })
    const changes = fc.array(fc.record({ row: fc.nat(), height: fc.integer({ min: 1, max: 900 }) }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(some, changes, fc.nat({ max: 60_000 }), (start, changed, offset) => {
        const plain = [...start]
        const heights = new Heights(start.length, (row) => start[row]!)
        for (const { row, height } of changed) {
          const at = row % plain.length
          expect(heights.set(at, height)).toBe(height - plain[at]!)
          plain[at] = height
        }
        expect(heights.total).toBe(sumOf(plain))
        const before = plain.map((_, row) => sumOf(plain.slice(0, row)))
        expect(plain.map((_, row) => heights.before(row))).toEqual(before)
        expect(heights.at(offset)).toBe(
          Math.max(
            0,
            before.findLastIndex((top) => top <= offset),
          ),
        )
      }),
    )
  })

  it('of no rows are zero', () => {
    const none = new Heights(0, () => 1)
    expect(none.total).toBe(0)
    expect(none.at(100)).toBe(0)
  })
})
