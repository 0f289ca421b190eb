import type { DatabaseSync } from 'node:sqlite'
import type { StaleDays } from '../figures/stale-days.ts'
import type { FileGeneration } from '../occurrences.ts'
import { prepareWrite } from '../write-statement.ts'

/** `cut.line` while the file is still being read. */
const UNDECIDED = 0
/** `cut.line` if nothing of an earlier generation is left in the file. */
const ALL = Number.MAX_SAFE_INTEGER
/** `usage.cut` until the whole file was read. */
const PENDING = 2

/**
 * Some clients shorten their own transcripts to the last part. What was indexed of the first part stays with
 * the session: `cut.line` is the line up to which an earlier generation still belongs to it, and `usage.cut`
 * marks the usage rows of those lines.
 */
export function createCutHeads(database: DatabaseSync, stale: StaleDays) {
  const sql = {
    undecided: prepareWrite(database, `INSERT OR IGNORE INTO cut VALUES (?, ?, ${UNDECIDED})`),
    dropUndecided: prepareWrite(database, `DELETE FROM cut WHERE artifact = ? AND line = ${UNDECIDED}`),
    generation: database.prepare(`SELECT generation FROM cut WHERE artifact = ? AND line = ${UNDECIDED}`),
    decide: prepareWrite(database, 'UPDATE cut SET line = ? WHERE artifact = ? AND generation = ?'),
    drop: prepareWrite(database, 'DELETE FROM cut WHERE artifact = ? AND generation = ?'),
    forget: prepareWrite(database, 'DELETE FROM cut WHERE artifact = ?'),
    pending: prepareWrite(database, `UPDATE usage SET cut = ${PENDING} WHERE artifact = ? AND cut = 0`),
    restated: prepareWrite(
      database,
      `DELETE FROM usage WHERE artifact = ?1 AND reply < 0 AND cut <> 0
      AND EXISTS (SELECT 1 FROM usage WHERE artifact = ?1 AND reply < 0 AND cut = 0)`,
    ),
    keepUsage: prepareWrite(database, `UPDATE usage SET cut = 1 WHERE artifact = ? AND cut = ${PENDING}`),
    dropUsage: prepareWrite(database, `DELETE FROM usage WHERE artifact = ? AND cut = ${PENDING}`),
    // What a later generation repeats is marked as a copy. Only copies have an index by message.
    firstRepeated: database.prepare(`SELECT o.line, n.line AS now FROM occurrence o
      CROSS JOIN occurrence n ON n.message = o.message AND n.copy = 1 AND n.artifact = ?1 AND n.generation = ?3
      WHERE o.artifact = ?1 AND o.generation = ?2 ORDER BY o.line LIMIT 1`),
    span: database.prepare(`SELECT min(m.at) AS first, max(m.at) AS last FROM occurrence o
      JOIN message m ON m.id = o.message WHERE o.artifact = ? AND o.generation = ? AND m.at > 0`),
  }

  /**
   * The line up to which the earlier generation was cut off. Undefined if the file was changed in another
   * way.
   */
  function cutLine({ artifact, generation }: FileGeneration, earlier: number): number | undefined {
    const repeated = sql.firstRepeated.get(artifact, earlier, generation)
    if (repeated) return Number(repeated.now) < Number(repeated.line) ? Number(repeated.line) : undefined
    // The generations share no message. The earlier one was cut off as a whole, unless the current one is
    // older.
    const [before, now] = [sql.span.get(artifact, earlier)!, sql.span.get(artifact, generation)!]
    if (before.last === null) return undefined
    return now.first === null || before.last! <= now.first! ? ALL : undefined
  }

  return {
    /**
     * Called when a file is read again from its first byte. `earlier` is the previous generation if the same
     * parser version read it. Results of another version cannot be compared.
     */
    begin(artifact: number, earlier: number | undefined): void {
      stale.noteReplies(artifact)
      sql.dropUndecided.run(artifact)
      sql.dropUsage.run(artifact)
      if (earlier === undefined) return
      sql.undecided.run(artifact, earlier)
      sql.pending.run(artifact)
    },

    /** Called when the whole file was read. Stores what was cut off, or drops its usage if nothing was. */
    decide(file: FileGeneration): void {
      const earlier = sql.generation.get(file.artifact)?.generation
      if (earlier === undefined) return
      const line = cutLine(file, Number(earlier))
      stale.noteReplies(file.artifact)
      if (line === undefined) {
        sql.drop.run(file.artifact, earlier!)
        sql.dropUsage.run(file.artifact)
        return
      }
      sql.decide.run(line, file.artifact, earlier!)
      sql.keepUsage.run(file.artifact)
    },

    /** The agent recorded its sums again. They include what the first part cost. */
    restate(artifact: number): void {
      sql.restated.run(artifact)
    },

    forget(artifact: number): void {
      sql.forget.run(artifact)
    },
  }
}
