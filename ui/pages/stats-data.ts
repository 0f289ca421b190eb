import type { StatsRow } from '../api/ask.ts'
import { modelName } from '../text/format.ts'
import { DAY_MS, utcDay } from '../text/times.ts'

/** A column: its name, and the parts it is stacked of, in the order of the series. */
export interface Column {
  name: string
  parts: readonly number[]
}

type Unit = 'day' | 'week' | 'month'

interface Spread {
  unit: Unit
  columns: readonly Column[]
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Weeks are named by their Monday: 1 January 1970 was a Thursday. */
const weekOf = (day: string): string => {
  const number = Date.parse(day) / DAY_MS
  return utcDay((number - ((number + 3) % 7)) * DAY_MS)
}

/** From the shortest: what a day belongs to, and how the following one is named. */
const UNITS: readonly { unit: Unit; of(day: string): string; next(name: string): string }[] = [
  { unit: 'day', of: (day) => day, next: (name) => utcDay(Date.parse(name) + DAY_MS) },
  { unit: 'week', of: weekOf, next: (name) => utcDay(Date.parse(name) + 7 * DAY_MS) },
  {
    unit: 'month',
    of: (day) => day.slice(0, 7),
    next: (name) => utcDay(Date.parse(`${name}-01`) + 31 * DAY_MS).slice(0, 7),
  },
]

/**
 * Columns of days as a time axis, on which empty days have their place, too. If there were more than `most`,
 * the columns are those of weeks or months. Columns without a day are left out.
 */
export function spread(days: readonly Column[], most: number): Spread {
  const dated = days.filter(({ name }) => DAY.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const [first, last] = [dated[0], dated.at(-1)]
  if (!first || !last) return { unit: 'day', columns: [] }
  for (const { unit, of, next } of UNITS) {
    const end = of(last.name)
    const columns = new Map<string, number[]>()
    for (let name = of(first.name); columns.size <= most && name <= end; name = next(name))
      columns.set(
        name,
        first.parts.map(() => 0),
      )
    if (columns.size > most) continue
    for (const { name, parts } of dated) {
      const sums = columns.get(of(name))!
      for (const [index, part] of parts.entries()) sums[index]! += part
    }
    return { unit, columns: [...columns].map(([name, parts]) => ({ name, parts })) }
  }
  // A single day in another age would make all others invisible.
  return { unit: 'day', columns: dated.slice(-most) }
}

/** More models than colors: the rest are one series. */
const MOST_SERIES = 5
const OTHERS = 'others'

interface Stacked {
  series: string[]
  columns: Column[]
  /** Models with tokens that are in no series, because a cost without a price is not zero. */
  unpriced: string[]
}

type Figure = 'cost' | 'tokens'

const amountOf = (model: NonNullable<StatsRow['models']>[number], figure: Figure): number =>
  figure === 'cost'
    ? (model.cost ?? 0)
    : model.inputTokens + model.outputTokens + model.cacheReadTokens + model.cacheCreationTokens

/** Rows divided by model: the biggest models first. */
export function byModel(rows: readonly StatsRow[], figure: Figure): Stacked {
  const totals = new Map<string, number>()
  for (const row of rows)
    for (const each of row.models ?? []) {
      if (figure === 'cost' && each.cost === null) continue
      const name = modelName(each.model)
      totals.set(name, (totals.get(name) ?? 0) + amountOf(each, figure))
    }
  const names = [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const series = names.length > MOST_SERIES ? [...names.slice(0, MOST_SERIES), OTHERS] : names
  const columns = rows.map((row) => {
    const parts = series.map(() => 0)
    for (const each of row.models ?? []) {
      if (figure === 'cost' && each.cost === null) continue
      const at = series.indexOf(modelName(each.model))
      parts[at < 0 ? series.length - 1 : at]! += amountOf(each, figure)
    }
    return { name: row.key, parts }
  })
  // A model without a cost need not lack a price: an agent may name it with a cost of its own, and no tokens.
  const unpriced =
    figure === 'cost' ? rows.flatMap(({ unpricedModels }) => unpricedModels.map(modelName)) : []
  return { series, columns, unpriced: [...new Set(unpriced)].sort() }
}

/** What the columns of days leave out, because it has no time. */
export const undatedIn = (columns: readonly Column[]): number =>
  columns
    .filter(({ name }) => !DAY.test(name))
    .reduce((sum, { parts }) => parts.reduce((all, part) => all + part, sum), 0)

/** What charts over time say of the amounts that they leave out. */
export function withoutTime(amounts: readonly (string | undefined)[]): string | undefined {
  const left = amounts.filter((each) => each !== undefined)
  return left.length === 0 ? undefined : `Without ${left.join(', ')} of replies that have no time`
}

const DAY_S = DAY_MS / 1000

/** The figures of a row that the charts over time show. */
interface Amounts {
  read: number
  written: number
  /** Null is a cost that nobody knows. */
  cost: number | null
}

const amountsOf = (row: StatsRow): Amounts => ({
  read: (row.inputTokens ?? 0) + (row.cacheReadTokens ?? 0) + (row.cacheCreationTokens ?? 0),
  written: row.outputTokens ?? 0,
  cost: costIn(row),
})

const secondsOf = ({ key }: StatsRow): number => Date.parse(key) / 1000

/** What has no place on the axis, because it has no time. */
export const undatedOf = (rows: readonly StatsRow[]): Record<keyof Amounts, number> =>
  rows
    .filter((row) => Number.isNaN(secondsOf(row)))
    .map(amountsOf)
    .reduce<Record<keyof Amounts, number>>(
      (sum, { read, written, cost }) => ({
        read: sum.read + read,
        written: sum.written + written,
        cost: sum.cost + (cost ?? 0),
      }),
      { read: 0, written: 0, cost: 0 },
    )

type Series = [days: number[], read: number[], written: number[], cost: (number | null)[]]

/** A cost, which is zero only where no reply lacks a price. */
export const costIn = ({ cost, unpricedModels }: Pick<StatsRow, 'cost' | 'unpricedModels'>): number | null =>
  cost ?? (unpricedModels.length > 0 ? null : 0)

/**
 * The days in order, in seconds, and zero on the first and the last day of each gap between them, and between
 * them and the `edges` of the chosen span.
 */
export function seriesOf(rows: readonly StatsRow[], edges: readonly string[] = []): Series {
  // What has no time has no place on the axis.
  const byDay = new Map(
    rows.map((row) => [secondsOf(row), row] as const).filter(([day]) => !Number.isNaN(day)),
  )
  const data: Series = [[], [], [], []]
  const add = (day: number): void => {
    const row = byDay.get(day)
    const { read, written, cost } = row ? amountsOf(row) : { read: 0, written: 0, cost: 0 }
    data[0].push(day)
    data[1].push(read)
    data[2].push(written)
    data[3].push(cost)
  }
  let before: number | undefined
  const days = byDay.size > 0 ? [...byDay.keys(), ...edges.map((day) => Date.parse(day) / 1000)] : []
  for (const day of [...new Set(days)].sort((a, b) => a - b)) {
    if (before !== undefined && day - before > DAY_S) add(before + DAY_S)
    if (before !== undefined && day - before > 2 * DAY_S) add(day - DAY_S)
    add(day)
    before = day
  }
  return data
}
