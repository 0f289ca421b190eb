import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { usagesFromColumns, usagesInColumns } from './usage-columns.ts'

it('usages in columns are the same usages in the same order', () => {
  const figure = fc.oneof(fc.nat(), fc.double({ noNaN: true }))
  const usage = fc.record(
    {
      ...{ input: figure, output: figure, cacheRead: figure, cacheWrite: figure },
      ...{ cacheWriteHour: figure, cost: figure, at: fc.integer(), model: fc.constantFrom('a', '', 'b') },
    },
    { requiredKeys: ['input', 'output', 'cacheRead', 'cacheWrite'] },
  )
  const reply = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(fc.array(fc.tuple(reply, usage)), (rows) => {
      const usages = new Map(rows)
      const again = usagesFromColumns(deserialize(serialize(usagesInColumns(usages))))
      expect([...again]).toEqual([...usages])
    }),
  )
})
