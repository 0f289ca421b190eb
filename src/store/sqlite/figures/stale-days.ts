import type { DatabaseSync } from 'node:sqlite'
import { TIMELESS_DAY } from '../../local-time.ts'
import { prepareWrite } from '../write-statement.ts'

const HOUR_MS = 3_600_000

/**
 * Collects the times of written and deleted rows, and deletes the cached sums of those days in the same
 * transaction.
 */
export interface StaleDays {
  begin(): void
  /** The time of a message or of a usage row. */
  note(at: number | null): void
  /** A reply whose rows change. Another of its rows may count from now on. */
  noteReply(reply: number): void
  /** All replies of a file. */
  noteReplies(artifact: number): void
  flush(): void
}

export function createStaleDays(database: DatabaseSync): StaleDays {
  const sql = {
    any: database.prepare('SELECT 1 FROM figure LIMIT 1'),
    copies: database.prepare('SELECT at FROM usage WHERE reply = ?'),
    replies: database.prepare('SELECT reply FROM usage WHERE artifact = ?'),
    drop: prepareWrite(database, 'DELETE FROM figure WHERE first < ? AND last > ?'),
    dropTimeless: prepareWrite(database, 'DELETE FROM figure WHERE day = ?'),
  }
  /** Nothing can be stale if nothing is cached. */
  let watching = false
  let timeless = false
  const hours = new Set<number>()

  function note(at: number | null): void {
    if (!watching) return
    if (at === null || at <= 0) timeless = true
    else hours.add(Math.floor(at / HOUR_MS))
  }

  function noteReply(reply: number): void {
    if (watching) for (const { at } of sql.copies.iterate(reply)) note(at as number | null)
  }

  return {
    note,
    noteReply,
    noteReplies(artifact) {
      if (watching) for (const { reply } of sql.replies.all(artifact)) noteReply(Number(reply))
    },
    begin() {
      watching = sql.any.get() !== undefined
      timeless = false
      hours.clear()
    },
    flush() {
      for (const hour of hours) sql.drop.run((hour + 1) * HOUR_MS, hour * HOUR_MS)
      if (timeless) sql.dropTimeless.run(TIMELESS_DAY)
    },
  }
}
