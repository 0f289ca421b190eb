import type { DatabaseSync } from 'node:sqlite'
import { startOfDay, type Zone } from '../../local-time.ts'
import type { Span } from './calendar.ts'

/** At most how many rows are grouped at a time, where they can be divided. */
export interface SliceLimits {
  usages: number
  messages: number
}

/**
 * To group rows, SQLite sorts them in one block of memory, which grows to 2 MB. After a block has been freed,
 * glibc lets every thread retain twice as much free memory for as long as the process runs. Blocks for this
 * many rows have a quarter of a megabyte.
 */
export const SMALL_SLICES: SliceLimits = { usages: 2000, messages: 4096 }

const HOUR_MS = 3_600_000

/** A span of time in ms. The end is exclusive. */
export type Moments = readonly [fromMs: number, untilMs: number]

/**
 * Divides a span of time, so that each slice contains few replies. A day with few is never divided, and one
 * with many is divided by hours: the sum of a day must not depend on the days before it, because fractions of
 * dollars are rounded.
 */
export function* slicesOfTime(
  database: DatabaseSync,
  zone: Zone,
  [from, until]: Moments,
  { usages }: SliceLimits,
): Generator<Moments> {
  const next = database.prepare(
    `SELECT at FROM usage WHERE at >= ? AND at < ? ORDER BY at LIMIT 1 OFFSET ${usages}`,
  )
  for (let start = from; ; ) {
    const beyond = next.get(start, until)
    if (!beyond) return yield [start, until]
    const day = startOfDay(zone, Number(beyond.at))
    const hour = (Math.floor(start / HOUR_MS) + 1) * HOUR_MS
    const end = day > start ? day : Math.min(hour, until)
    yield [start, end]
    start = end
  }
}

/** Divides a range of message ids, always at the same ids. */
export function* slicesOfIds(
  { first, last }: Span,
  { messages }: SliceLimits,
): Generator<{ first: number; last: number }> {
  for (let start = first; start <= last; ) {
    const end = Math.min(last, (Math.floor(start / messages) + 1) * messages - 1)
    yield { first: start, last: end }
    start = end + 1
  }
}
