import * as z from 'zod/mini'
import { DIMENSIONS } from '../../stats/summarize.ts'
import { noticesShape, scannedShape } from '../kit/scanned.ts'

const tokens = () => ({
  inputTokens: z.number(),
  outputTokens: z.number(),
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
    /** If nothing was counted: when there was something the last time before. */
    lastAt: z.optional(z.string()),
    by: z.enum(DIMENSIONS),
    order: z.enum(['asc', 'desc']),
    /** The number of all rows. `rows` has fewer with a limit. */
    rowsTotal: z.number(),
    /** The sum of all rows. */
    rowsSum: z.object(figures()),
    rows: z.array(
      z.object({
        key: z.string(),
        ...{ day: z.optional(z.string()), project: z.optional(z.string()), title: z.optional(z.string()) },
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
