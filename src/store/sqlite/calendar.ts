import type { DatabaseSync } from 'node:sqlite'

export const DAY = 86_400_000

/** Numbers of messages, from the first to the last. */
export interface Span {
  first: number
  last: number
}

/**
 * Keeps for every day between which numbers its messages lie. Numbers follow time, about: they are given in the order in which
 * messages are stored, so a search in a time looks at few others. A span may hold others too, and is never made smaller.
 */
export function createCalendar(database: DatabaseSync) {
  const grow = database.prepare(`INSERT INTO day (day, first, last) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`)
  const pending = new Map<number, Span>()
  return {
    note(at: number, id: number): void {
      const day = Math.floor(at / DAY)
      const span = pending.get(day)
      if (!span) pending.set(day, { first: id, last: id })
      else if (id > span.last) span.last = id
      else if (id < span.first) span.first = id
    },
    /** Writes what was noted; part of the same transaction. */
    flush(): void {
      for (const [day, { first, last }] of pending) grow.run(day, first, last)
      pending.clear()
    },
  }
}

/** The numbers of all messages from one time to before another; undefined when there is none. */
export function spanOf(database: DatabaseSync, after: number, before: number): Span | undefined {
  const found = database
    .prepare('SELECT min(first) AS first, max(last) AS last FROM day WHERE day BETWEEN ? AND ?')
    .get(dayOf(after), dayOf(before))!
  return found.first === null ? undefined : { first: Number(found.first), last: Number(found.last) }
}

/** Without end on one side a day that nothing lies beyond. */
export const dayOf = (ms: number): number => Math.floor(Math.min(Math.max(ms, -8.64e15), 8.64e15) / DAY)
