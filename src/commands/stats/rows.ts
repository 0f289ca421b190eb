import type { Session } from '../../model/session.ts'
import { type Block, blocksOf } from '../../stats/blocks.ts'
import { chosenRows, type Dimension } from '../../stats/order.ts'
import type { StatsRow } from '../../stats/rows.ts'
import type { Owner, PriceOf, Summed } from '../../stats/sum.ts'
import type { OffsetAt } from '../../stats/zone.ts'
import type { Figures } from '../../store/store.ts'
import type { StatsAnswer } from './figures.ts'

interface RowsAsked {
  by: Dimension
  order: 'asc' | 'desc'
  limit: number
  breakdown: boolean
}

type RowsAnswer = Pick<StatsAnswer, 'by' | 'order' | 'rows' | 'rowsTotal' | 'rowsSum'>

/** A row with its sums. */
type Made = StatsRow & Pick<StatsAnswer['rows'][number], 'day' | 'project' | 'block'>

interface MadeRows {
  rows: Made[]
  rowTotal: Summed
}

/** The requested rows, and how many there are in total. */
export function rowsOf(
  { rows, rowTotal }: MadeRows,
  { by, order, limit, breakdown }: RowsAsked,
  sessions: readonly Session[],
): RowsAnswer {
  const titles = new Map(by === 'session' ? sessions.map(({ id, title }) => [id, title]) : [])
  return {
    ...{ by, order, rowsTotal: rows.length, rowsSum: inMillionths(rowTotal) },
    rows: chosenRows(rows, { by, order, limit }).map(({ models, ...row }) => ({
      ...inMillionths(row),
      ...(titles.get(row.key) === undefined ? {} : { title: titles.get(row.key)! }),
      ...(breakdown ? { models: models.map(inMillionths) } : {}),
    })),
  }
}

/** The same for blocks. Uses all replies, because the start of a block depends on those before it. */
export function blockRowsOf(
  store: Figures,
  ownerOf: (artifact: number) => Owner | undefined,
  priceOf: PriceOf,
  { offsetAt, ...span }: { now: number; since: number; until: number; offsetAt: OffsetAt },
): MadeRows {
  const { blocks, rowTotal } = blocksOf(store.minutes(0), ownerOf, priceOf, span)
  return { rowTotal, rows: blocks.map((block) => blockRow(block, offsetAt)) }
}

function blockRow({ fromMs, untilMs, firstMs, lastMs, pace, ...row }: Block, offsetAt: OffsetAt): Made {
  const iso = (ms: number): string => new Date(ms).toISOString()
  return {
    ...row,
    key: new Date(fromMs + offsetAt(fromMs)).toISOString().slice(0, 16).replace('T', ' '),
    block: {
      ...{ startsAt: iso(fromMs), endsAt: iso(untilMs), firstAt: iso(firstMs), lastAt: iso(lastMs) },
      ...(pace && {
        pace: {
          ...pace,
          costPerHour: toMillionths(pace.costPerHour),
          projectedCost: toMillionths(pace.projectedCost),
        },
      }),
    },
  }
}

/** Dollars, rounded to a millionth. The rest is rounding noise. */
const toMillionths = (dollars: number | null): number | null =>
  dollars === null ? null : Math.round(dollars * 1e6) / 1e6

export const inMillionths = <Sum extends { cost: number | null; recordedCost: number | null }>(
  sum: Sum,
): Sum => ({ ...sum, cost: toMillionths(sum.cost), recordedCost: toMillionths(sum.recordedCost) })
