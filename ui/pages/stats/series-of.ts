import type { StatsRow } from '../../api/shapes.ts'

const DAY_S = 86_400

type Series = [days: number[], read: number[], written: number[], cost: number[]]

/** The days in order, in seconds, and zero on the first and the last day of each gap between them. */
export function seriesOf(rows: readonly StatsRow[]): Series {
  // What has no time has no place on the axis.
  const byDay = new Map(
    rows.map((row) => [Date.parse(row.key) / 1000, row] as const).filter(([day]) => !Number.isNaN(day)),
  )
  const data: Series = [[], [], [], []]
  const add = (day: number): void => {
    const row = byDay.get(day)
    data[0].push(day)
    data[1].push(
      row ? (row.inputTokens ?? 0) + (row.cacheReadTokens ?? 0) + (row.cacheCreationTokens ?? 0) : 0,
    )
    data[2].push(row?.outputTokens ?? 0)
    data[3].push(row?.cost ?? 0)
  }
  let before: number | undefined
  for (const day of [...byDay.keys()].sort((a, b) => a - b)) {
    if (before !== undefined && day - before > DAY_S) add(before + DAY_S)
    if (before !== undefined && day - before > 2 * DAY_S) add(day - DAY_S)
    add(day)
    before = day
  }
  return data
}
