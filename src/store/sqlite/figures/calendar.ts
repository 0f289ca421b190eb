import type { DatabaseSync } from 'node:sqlite'
import { prepareWrite } from '../write-statement.ts'

export const DAY = 86_400_000

/** A range of message ids, both ends inclusive. */
export interface Span {
  first: number
  last: number
}

/**
 * Stores the range of message ids for every day. Messages get their ids in the order in which they are
 * stored, so a search by time scans few others. A range may include other days and never shrinks.
 */
export function createCalendar(database: DatabaseSync) {
  const grow = prepareWrite(
    database,
    `INSERT INTO day (day, first, last) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
  )
  const pending = new Map<number, Span>()
  return {
    note(at: number, id: number): void {
      const day = Math.floor(at / DAY)
      const span = pending.get(day)
      if (!span) pending.set(day, { first: id, last: id })
      else if (id > span.last) span.last = id
      else if (id < span.first) span.first = id
    },
    /** Writes the new ranges in the current transaction. */
    flush(): void {
      for (const [day, { first, last }] of pending) grow.run(day, first, last)
      pending.clear()
    },
  }
}

/** The range of message ids between two times. `before` is exclusive. Undefined if there are none. */
export function spanOf(database: DatabaseSync, after: number, before: number): Span | undefined {
  const found = database
    .prepare('SELECT min(first) AS first, max(last) AS last FROM day WHERE day BETWEEN ? AND ?')
    .get(dayOf(after), dayOf(before))!
  return found.first === null ? undefined : { first: Number(found.first), last: Number(found.last) }
}

/** An open end becomes a day beyond all others. */
export const dayOf = (ms: number): number => Math.floor(Math.min(Math.max(ms, -8.64e15), 8.64e15) / DAY)
