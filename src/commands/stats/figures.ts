import * as z from 'zod/mini'
import { noticesShape, scannedShape } from '../../context/scanned.ts'
import { LAST_MS } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { toMillionths } from '../../model/usage.ts'
import { type Block, blocksOf } from '../../stats/blocks.ts'
import {
  chosenRows,
  DIMENSIONS,
  type Dimension,
  type Owner,
  type PriceOf,
  type StatsRow,
  type Summed,
} from '../../stats/summarize.ts'
import type { OffsetAt } from '../../stats/zone.ts'
import type { Figures } from '../../store/store.ts'

const tokens = () => ({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** The part of `outputTokens` that is reasoning, as far as agents record it. */
  reasoningTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
  cost: z.nullable(z.number()),
  recordedCost: z.nullable(z.number()),
  recordedTokens: z.nullable(
    z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }),
  ),
})

const figures = () => ({
  sessions: z.number(),
  messages: z.object({ human: z.number(), agent: z.number() }),
  humanWords: z.number(),
  toolCalls: z.number(),
  errors: z.number(),
  ...tokens(),
  unpricedModels: z.array(z.string()),
})

/** The figures of a block of five hours. */
const blockShape = () =>
  z.object({
    startsAt: z.string(),
    endsAt: z.string(),
    firstAt: z.string(),
    lastAt: z.string(),
    pace: z.optional(
      z.object({
        minutesLeft: z.number(),
        tokensPerMinute: z.number(),
        costPerHour: z.nullable(z.number()),
        projectedTokens: z.number(),
        projectedCost: z.nullable(z.number()),
      }),
    ),
  })

export const statsShape = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    project: z.nullable(z.string()),
    totals: z.object(figures()),
    /**
     * Requests at other prices than those of the list, such as in batches. `cost` has the list price of
     * them.
     */
    notPriced: z.optional(z.array(z.object({ terms: z.string(), requests: z.number() }))),
    /**
     * Sessions that `totals` does not count, because they have no messages or only duplicates. Not limited to
     * a time span.
     */
    silent: z.optional(z.number()),
    /** How many of those are of people. */
    silentOfPeople: z.optional(z.number()),
    /**
     * How many of the sessions in `totals` are of people. The others are subagents, scheduled and the like.
     */
    ofPeople: z.number(),
    /** Deleted transcripts that are still on disk and are not counted, if there are any. */
    uncounted: z.optional(z.number()),
    /** If nothing was counted: when there was something the last time before. */
    lastAt: z.optional(z.string()),
    laterAt: z.optional(z.string()),
    by: z.enum(DIMENSIONS),
    order: z.enum(['asc', 'desc']),
    /** The number of all rows. `rows` has fewer with a limit. */
    rowsTotal: z.number(),
    /** The sum of all rows. */
    rowsSum: z.object(figures()),
    rows: z.array(
      z.object({
        key: z.string(),
        day: z.optional(z.string()),
        project: z.optional(z.string()),
        title: z.optional(z.string()),
        ...figures(),
        block: z.optional(blockShape()),
        models: z.optional(z.array(z.object({ model: z.string(), replies: z.number(), ...tokens() }))),
      }),
    ),
    tools: z.array(z.object({ name: z.string(), calls: z.number(), errors: z.number() })),
    files: z.array(z.object({ path: z.string(), count: z.number() })),
    hours: z.array(z.number()),
    /** The same for each day of the week, from Monday to Sunday. */
    weekHours: z.array(z.array(z.number())),
    activeDays: z.number(),
  })

export type StatsAnswer = z.output<ReturnType<typeof statsShape>>

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
    by,
    order,
    rowsTotal: rows.length,
    rowsSum: inMillionths(rowTotal),
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
  const iso = (ms: number): string => new Date(Math.min(ms, LAST_MS)).toISOString()
  return {
    ...row,
    key: new Date(fromMs + offsetAt(fromMs)).toISOString().slice(0, 16).replace('T', ' '),
    block: {
      startsAt: iso(fromMs),
      endsAt: iso(untilMs),
      firstAt: iso(firstMs),
      lastAt: iso(lastMs),
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

export const inMillionths = <Sum extends { cost: number | null; recordedCost: number | null }>(
  sum: Sum,
): Sum => ({ ...sum, cost: toMillionths(sum.cost), recordedCost: toMillionths(sum.recordedCost) })
