import type { DatabaseSync } from 'node:sqlite'
import type { UsageRow } from '../increment.ts'
import type { StaleDays } from './figures/stale-days.ts'
import { prepareWrite } from './write-statement.ts'

/** The tokens of replies, by file. */
export function createUsageTable(database: DatabaseSync, stale: StaleDays) {
  const sql = {
    // In order, not by name: see `createMessageTable`.
    put: prepareWrite(
      database,
      `INSERT OR REPLACE INTO usage (artifact, reply, at, model, input, output, cache_read, cache_write, cost,
      cache_write_hour, cut)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    ),
    drop: prepareWrite(database, 'DELETE FROM usage WHERE artifact = ?'),
    dropCurrent: prepareWrite(database, 'DELETE FROM usage WHERE artifact = ? AND cut = 0'),
  }
  return {
    put(artifact: number, rows: readonly UsageRow[]): void {
      for (const { reply, at, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour } of rows) {
        stale.noteReply(reply)
        stale.note(at)
        const tokens = [input, output, cacheRead, cacheWrite, cost, cacheWriteHour] as const
        sql.put.run(artifact, reply, at, model, ...tokens)
      }
    },
    /** Deletes the rows of the current part of the file. Those of the part that was cut off remain. */
    dropCurrent(artifact: number): void {
      stale.noteReplies(artifact)
      sql.dropCurrent.run(artifact)
    },
    drop(artifact: number): void {
      stale.noteReplies(artifact)
      sql.drop.run(artifact)
    },
  }
}
