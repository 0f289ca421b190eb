import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { usagesFromColumns, usagesInColumns } from './usage-columns.ts'
import { createUsageCount } from './usage-count.ts'

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

it('counting continues from usages that an older version stored as a map', () => {
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, at: 5, model: 'a' }
  const usages = new Map([[7, usage]])
  const count = createUsageCount('s', undefined, { usages, stated: new Map() })
  expect([...count.usages]).toEqual([[7, usage]])
  expect([...createUsageCount('s', undefined, count.save()).usages]).toEqual([[7, usage]])
})
