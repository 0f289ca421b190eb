import { type Raw, raw, sql } from '../connection/literal.ts'

/** A span of whole months (UTC), in ms. Without `from`, it also has messages without a time. */
export interface Slice {
  from?: number
  /** Exclusive. */
  until?: number
}

/** The first slice has at least this many days, because a month may have just begun. */
const DAYS = 15
const DAY_MS = 86_400_000
/** Each slice has at most so many times the months of the one before, which may have had few messages. */
const GROWTH = 6
/** After a slice of this many months, all that are left are searched at once. */
const MOST_MONTHS = 6
/** Earlier times of messages are mistakes, and share a slice with those that have none. */
const EARLIEST_MS = Date.UTC(2000, 0, 1)

/** How far a search has come. */
export interface Progress {
  /** The number of messages that the last slice had. */
  found: number
  /** How many are still wanted. */
  missing: number
}

/**
 * Slices of time from the newest to the oldest, which together have every message. The first one ends in the
 * future. Each further one has about as many months as the messages so far make likely. The last one, which a
 * rare word reaches third, has all that are left.
 *
 * @param newest When the newest messages are expected, in ms
 * @param oldest When the oldest messages that are wanted were written, in ms
 * @example
 * const slices = slicesFrom(Date.now())
 * for (let next = slices.next(); !next.done; next = slices.next({ found, missing })) search(next.value)
 */
export function* slicesFrom(
  newest: number,
  oldest = Number.NEGATIVE_INFINITY,
): Generator<Slice, void, Progress> {
  let until: number | undefined
  let from = monthsBefore(newest - DAYS * DAY_MS, 0)
  let months = 1
  while (from >= EARLIEST_MS && from > oldest) {
    const { found, missing } = yield until === undefined ? { from } : { from, until }
    if (missing <= 0) return
    const isLast = months >= MOST_MONTHS
    months = Math.min(months * GROWTH, Math.max(1, Math.ceil((1.25 * months * missing) / found)))
    until = from
    from = isLast ? Number.NEGATIVE_INFINITY : monthsBefore(until, months)
  }
  yield until === undefined ? {} : { until }
}

/** The start of a month, so many months before the one with this time. */
function monthsBefore(at: number, months: number): number {
  const date = new Date(Math.min(at, 8.64e15))
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)
}

/** The slice of one message, or undefined if its rows may be anywhere. */
export function monthOf(at: number | null): Slice | undefined {
  if (at === null || !(at >= EARLIEST_MS && at < 8e15)) return undefined
  return { from: monthsBefore(at, 0), until: monthsBefore(at, -1) }
}

/** A slice as a condition on `i`. The engine skips parts of other months. */
export function sliceCondition({ from, until }: Slice): Raw {
  const conditions = [
    ...(from === undefined ? [] : [sql`i.at >= ${from}`]),
    ...(until === undefined
      ? []
      : [from === undefined ? sql`(i.at < ${until} OR i.at IS NULL)` : sql`i.at < ${until}`]),
  ]
  return raw(conditions.length === 0 ? '1' : conditions.join(' AND '))
}
