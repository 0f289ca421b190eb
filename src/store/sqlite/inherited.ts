import type { DatabaseSync } from 'node:sqlite'
import type { ReplyUsage, Usage } from '../../model/event.ts'
import type { Statement } from '../../model/usage.ts'
import { prepareWrite } from './write-statement.ts'

/**
 * Stores the usage sums that agents record, and lists the forks they affect, so that their links are updated.
 */
export function createStatementWriter(database: DatabaseSync) {
  const sql = {
    lines: database.prepare('SELECT line, model, sum, used FROM statement WHERE artifact = ? AND line >= ?'),
    add: prepareWrite(database, 'INSERT OR REPLACE INTO statement VALUES (?, ?, ?, ?, ?)'),
    drop: prepareWrite(database, 'DELETE FROM statement WHERE artifact = ? AND line = ? AND model = ?'),
    forks: prepareWrite(
      database,
      `INSERT OR IGNORE INTO unlinked SELECT DISTINCT artifact FROM statement
      WHERE sum = ?1 AND EXISTS (SELECT 1 FROM statement WHERE sum = ?1 AND artifact <> ?2)`,
    ),
  }
  return {
    write(artifact: number, fromLine: number, statements: readonly Statement[]): void {
      const changed = new Set<number>()
      const before = new Map(
        sql.lines.all(artifact, fromLine).map((row) => [`${row.line} ${row.model}`, row] as const),
      )
      for (const { line, sum, model = '', used } of statements) {
        const text = JSON.stringify(used)
        const known = before.get(`${line} ${model}`)
        before.delete(`${line} ${model}`)
        if (known?.used === text && known.sum === sum) continue
        sql.add.run(artifact, line, model, sum, text)
        changed.add(sum)
      }
      for (const { line, model, sum } of before.values()) {
        sql.drop.run(artifact, line!, model!)
        changed.add(Number(sum))
      }
      for (const sum of changed) sql.forks.run(sum, artifact)
    },
  }
}

/** Reads the usage that a forked session had already recorded at the fork. */
export function createInheritedReader(database: DatabaseSync): (artifact: number) => ReplyUsage[] {
  const sql = {
    first: database.prepare(`SELECT model, sum, used, min(line) FROM statement WHERE artifact = ?
      GROUP BY model ORDER BY model`),
    others: database.prepare(`SELECT s.artifact, s.line, s.used, a.generation FROM statement s
      JOIN artifact a ON a.id = s.artifact AND a.session <> (SELECT session FROM artifact WHERE id = ?1)
      WHERE s.sum = ?2 AND s.model = ?3 ORDER BY s.used ->> '$.cost' DESC, s.artifact, s.line DESC`),
    // If the fork contains the last message before this line, it contains all of them.
    lastBefore: database.prepare(`SELECT message FROM occurrence
      WHERE artifact = ? AND generation = ? AND line < ? ORDER BY line DESC, place DESC LIMIT 1`),
    contains: database.prepare(`SELECT 1 FROM message WHERE id = ?1 AND artifact = ?2 UNION ALL
      SELECT 1 FROM occurrence WHERE message = ?1 AND copy = 1 AND artifact = ?2 LIMIT 1`),
  }
  return (artifact) =>
    sql.first.all(artifact).flatMap(({ model, sum, used }) => {
      const most = JSON.parse(String(used)) as Usage
      for (const other of sql.others.all(artifact, sum!, model!)) {
        const last = sql.lastBefore.get(other.artifact!, other.generation!, other.line!)
        if (!last || !sql.contains.get(last.message!, artifact)) continue
        const inherited = JSON.parse(String(other.used)) as Usage
        if ((inherited.cost ?? 0) > (most.cost ?? 0)) continue
        return [{ ...inherited, ...(model === '' ? {} : { model: String(model) }) }]
      }
      return []
    })
}
