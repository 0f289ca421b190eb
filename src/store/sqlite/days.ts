import type { DatabaseSync } from 'node:sqlite'
import { LAST_MS } from '../../model/json.ts'
import { TIMELESS_DAY } from '../figures.ts'
import { prepareWrite } from './database.ts'

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
export const dayOf = (ms: number): number => Math.floor(Math.min(Math.max(ms, -LAST_MS), LAST_MS) / DAY)

const HOUR_MS = 3_600_000

export type StaleDays = ReturnType<typeof createStaleDays>

/**
 * Collects the times of written and deleted rows, and deletes the cached sums of those days in the same
 * transaction.
 */
export function createStaleDays(database: DatabaseSync) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    any: database.prepare('SELECT 1 FROM figure LIMIT 1'),
    copies: database.prepare('SELECT at FROM usage WHERE reply = ?'),
    replies: database.prepare('SELECT reply FROM usage WHERE artifact = ?'),
    drop: write('DELETE FROM figure WHERE first < ? AND last > ?'),
    dropTimeless: write('DELETE FROM figure WHERE day = ?'),
  }
  /** Nothing can be stale if nothing is cached. */
  let watching = false
  let timeless = false
  const hours = new Set<number>()

  /** The time of a message or of a usage row. */
  function note(at: number | null): void {
    if (!watching) return
    if (at === null || at <= 0) timeless = true
    else hours.add(Math.floor(at / HOUR_MS))
  }

  /** A reply whose rows change. Another of its rows may count from now on. */
  function noteReply(reply: number): void {
    if (watching) for (const { at } of sql.copies.iterate(reply)) note(at as number | null)
  }

  return {
    note,
    noteReply,
    /** All replies of a file. */
    noteReplies(artifact: number): void {
      if (watching) for (const { reply } of sql.replies.all(artifact)) noteReply(Number(reply))
    },
    begin(): void {
      watching = sql.any.get() !== undefined
      timeless = false
      hours.clear()
    },
    flush(): void {
      for (const hour of hours) sql.drop.run((hour + 1) * HOUR_MS, hour * HOUR_MS)
      if (timeless) sql.dropTimeless.run(TIMELESS_DAY)
    },
  }
}
