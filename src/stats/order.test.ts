import { describe, expect, it } from 'vitest'
import { chosenRows, DIMENSIONS, isTimed } from './order.ts'
import { createSum, type Summed } from './sum.ts'

type Row = Summed & { key: string; day?: string }

const row = (key: string, values: Partial<Row> = {}): Row => ({ ...createSum().done(), key, ...values })

const keys = (rows: Row[], by: (typeof DIMENSIONS)[number], limit = 0, order: 'asc' | 'desc' = 'desc') =>
  chosenRows(rows, { by, limit, order }).map(({ key }) => key)

const days = ['2026-01-02', '2026-01-01', '2026-01-03'].map((key) => row(key))

describe('the rows of statistics', () => {
  it('by time are the newest, in either order', () => {
    expect(keys(days, 'day')).toEqual(['2026-01-03', '2026-01-02', '2026-01-01'])
    expect(keys(days, 'day', 2)).toEqual(['2026-01-03', '2026-01-02'])
    expect(keys(days, 'day', 2, 'asc')).toEqual(['2026-01-02', '2026-01-03'])
  })

  it('by anything else are the largest: by cost, then tokens, then tool calls, then name', () => {
    const rows = [
      row('b'),
      row('a'),
      row('calls', { toolCalls: 1 }),
      row('input', { inputTokens: 5 }),
      row('written', { cacheCreationTokens: 7 }),
      row('read', { cacheReadTokens: 8 }),
      row('output', { outputTokens: 6 }),
      row('dear', { cost: 0.1 }),
    ]
    expect(keys(rows, 'model')).toEqual(['dear', 'read', 'written', 'output', 'input', 'calls', 'a', 'b'])
    expect(keys(rows, 'model', 1, 'asc')).toEqual(['dear'])
  })

  it('of one time are sorted by size', () => {
    const rows = [row('x', { day: '1', cost: 1 }), row('y', { day: '1', cost: 2 }), row('z', { day: '2' })]
    expect(keys(rows, 'project-day')).toEqual(['z', 'y', 'x'])
  })

  it('are sorted by time in five dimensions', () => {
    expect(DIMENSIONS.filter(isTimed)).toEqual(['day', 'week', 'month', 'block', 'project-day'])
  })
})
