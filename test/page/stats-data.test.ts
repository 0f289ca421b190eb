import { describe, expect, it } from 'vitest'
import type { StatsRow } from '../../ui/api/ask.ts'
import { byModel, seriesOf, spread, undatedIn, undatedOf, withoutTime } from '../../ui/pages/stats-data.ts'

const day = (name: string, ...parts: number[]) => ({ name, parts })
const drawn = (days: ReturnType<typeof day>[], most = 10): string => {
  const { unit, columns } = spread(days, most)
  return `${unit}: ${columns.map(({ name, parts }) => `${name} ${parts.join('+')}`).join(', ')}`
}

describe('columns over time', () => {
  it('have a place for each day, also for those without anything', () => {
    expect(drawn([day('2026-03-01', 4, 1), day('2026-02-27', 7, 0)])).toBe(
      'day: 2026-02-27 7+0, 2026-02-28 0+0, 2026-03-01 4+1',
    )
  })

  it('are those of weeks from Monday on where days are too many', () => {
    expect(
      drawn([day('2025-12-28', 1), day('2025-12-29', 2), day('2026-01-04', 3), day('2026-01-12', 4)]),
    ).toBe('week: 2025-12-22 1, 2025-12-29 5, 2026-01-05 0, 2026-01-12 4')
  })

  it('are those of months where weeks are too many', () => {
    expect(drawn([day('2025-11-30', 1), day('2025-12-31', 2), day('2026-03-01', 4)])).toBe(
      'month: 2025-11 1, 2025-12 2, 2026-01 0, 2026-02 0, 2026-03 4',
    )
  })

  it('leave out what has no day', () => {
    expect(drawn([day('(no time)', 9), day('2026-03-01', 4)])).toBe('day: 2026-03-01 4')
    expect(drawn([day('(no time)', 9)])).toBe('day: ')
    expect(undatedIn([day('(no time)', 9, 2), day('2026-03-01', 4, 1)])).toBe(11)
  })

  it('are without gaps if one day is in another age', () => {
    expect(drawn([day('1970-01-01', 1), day('2026-03-01', 4), day('9999-12-31', 2)])).toBe(
      'day: 1970-01-01 1, 2026-03-01 4, 9999-12-31 2',
    )
  })
})

const row = (key: string, outputTokens: number): StatsRow =>
  ({ key, outputTokens, cost: null, unpricedModels: [] }) as unknown as StatsRow
const shown = (rows: readonly StatsRow[]): string[] => {
  const [days, , written] = seriesOf(rows)
  return days.map((day, index) => `${new Date(day * 1000).toISOString().slice(0, 10)} ${written[index]}`)
}

describe('tokens over time', () => {
  it('are zero between the days that have some', () => {
    expect(
      shown([row('2026-03-05', 7), row('2026-03-01', 4), row('2026-03-06', 2), row('2026-03-08', 1)]),
    ).toEqual([
      '2026-03-01 4',
      '2026-03-02 0',
      '2026-03-04 0',
      '2026-03-05 7',
      '2026-03-06 2',
      '2026-03-07 0',
      '2026-03-08 1',
    ])
  })

  it('are zero from the first and to the last day of a chosen span', () => {
    const [days, , written] = seriesOf([row('2026-03-05', 7)], ['2026-03-01', '2026-03-06'])
    expect(days.map((day) => new Date(day * 1000).getUTCDate())).toEqual([1, 2, 4, 5, 6])
    expect(written).toEqual([0, 0, 0, 7, 0])
    expect(seriesOf([], ['2026-03-01'])[0]).toEqual([])
  })

  it('are drawn without those that have no time', () => {
    expect(shown([row('(no time)', 9), row('2026-03-01', 4)])).toEqual(['2026-03-01 4'])
    expect(shown([row('(no time)', 9)])).toEqual([])
  })

  it('say what they leave out, and nothing where that is nothing', () => {
    expect(undatedOf([row('(no time)', 9), row('2026-03-01', 4)])).toEqual({ read: 0, written: 9, cost: 0 })
    expect(withoutTime(['9 tokens written', undefined, '$1'])).toBe(
      'Without 9 tokens written, $1 of replies that have no time',
    )
    expect(withoutTime([undefined])).toBeUndefined()
  })

  it('have few points even if one day is in another age', () => {
    expect(shown([row('1970-01-01', 1), row('9999-12-31', 1)])).toHaveLength(4)
  })
})

describe('costs by model', () => {
  const model = (name: string, cost: number | null) => ({
    ...{ model: name, cost, inputTokens: 1, outputTokens: 7, cacheReadTokens: 0, cacheCreationTokens: 0 },
  })
  const rows = [
    {
      key: 'shop',
      models: [model('opus', 3), model('mystery-9', null), model('free', 0)],
      unpricedModels: ['mystery-9'],
    },
    { key: 'api', models: [model('mystery-9', null)], unpricedModels: ['mystery-9'] },
  ] as unknown as StatsRow[]

  it('leave out a model without a price, which is not free', () => {
    expect(byModel(rows, 'cost')).toEqual({
      series: ['opus', 'free'],
      columns: [
        { name: 'shop', parts: [3, 0] },
        { name: 'api', parts: [0, 0] },
      ],
      unpriced: ['mystery-9'],
    })
  })

  it('do not name a model that has no tokens as one without a price, as the summary does not', () => {
    const named = { ...model('opus-long', null), outputTokens: 0, inputTokens: 0 }
    const rows = [{ key: 'shop', models: [model('opus', 3), named], unpricedModels: [] }]
    expect(byModel(rows as unknown as StatsRow[], 'cost')).toMatchObject({ series: ['opus'], unpriced: [] })
  })

  it('of a day are not known where no model has a price, and zero where there are none', () => {
    const day = (key: string, cost: number | null, ...unpricedModels: string[]) =>
      ({ key, cost, unpricedModels }) as unknown as StatsRow
    const days = [day('2026-03-01', null, 'mystery-9'), day('2026-03-02', null), day('2026-03-03', 4, 'it')]
    expect(seriesOf(days)[3]).toEqual([null, 0, 4])
  })

  it('have no bearing on tokens', () => {
    expect(byModel(rows, 'tokens')).toMatchObject({ series: ['mystery-9', 'opus', 'free'], unpriced: [] })
  })
})
