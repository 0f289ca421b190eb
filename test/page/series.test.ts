import { describe, expect, it } from 'vitest'
import type { StatsRow } from '../../ui/api/ask.ts'
import { seriesOf } from '../../ui/pages/stats-data.ts'

const row = (key: string, outputTokens: number): StatsRow => ({ key, outputTokens }) as StatsRow
const shown = (rows: readonly StatsRow[]): string[] => {
  const [days, , written] = seriesOf(rows)
  return days.map((day, index) => `${new Date(day * 1000).toISOString().slice(0, 10)} ${written[index]}`)
}

describe('tokens over time', () => {
  it('are zero between the days that have some', () => {
    expect(
      shown([row('2026-03-05', 7), row('2026-03-01', 4), row('2026-03-06', 2), row('2026-03-08', 1)]),
    ).toEqual([
      ...['2026-03-01 4', '2026-03-02 0', '2026-03-04 0', '2026-03-05 7'],
      ...['2026-03-06 2', '2026-03-07 0', '2026-03-08 1'],
    ])
  })

  it('are drawn without those that have no time', () => {
    expect(shown([row('(no time)', 9), row('2026-03-01', 4)])).toEqual(['2026-03-01 4'])
    expect(shown([row('(no time)', 9)])).toEqual([])
  })

  it('have few points even if one day is in another age', () => {
    expect(shown([row('1970-01-01', 1), row('9999-12-31', 1)])).toHaveLength(4)
  })
})
