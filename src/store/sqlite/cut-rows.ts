import type { DatabaseSync } from 'node:sqlite'
import type { Artifact } from '../../model/artifact.ts'
import { CUT_ITEMS } from './cuts.ts'
import { prepareWrite } from './database.ts'
import type { StaleDays } from './days.ts'
import { isContinued } from './earlier-forms.ts'
import type { createOccurrences, FileGeneration, Occurrence } from './occurrences.ts'

/** Whether a session is in the rows of a database, and not in a file of its own. */
export const isRow = ({ path, database }: Pick<Artifact, 'path' | 'database'>): boolean =>
  database !== undefined && path.startsWith(`${database}#`)

type CutOccurrence = Occurrence & { record: number; digest: number; sender: number; text: string | null }

/** What else a session of a database `b` is in, such as an archive of the records that were in `a`. */
const SAME_SESSION = `b.id <> a.id AND b.session = a.session AND b.platform = a.platform
  AND b.facts ->> '$.database' = a.facts ->> '$.database' AND b.facts ->> '$.state' NOT IN ('deleted', 'backup')`

/**
 * What was deleted from a database stays with its session, as what was cut off a file (see `cuts.ts`). But
 * rows are also changed in place, as a reply that grows, and moved: then the message is still there.
 */
export function createCutRows(
  database: DatabaseSync,
  { stale, occurrences }: { stale: StaleDays; occurrences: ReturnType<typeof createOccurrences> },
) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    isCut: database.prepare('SELECT 1 FROM cut WHERE artifact = ? LIMIT 1'),
    deleted:
      database.prepare(`SELECT o.generation, o.line, o.place AS "order", o.message, o.copy, o.who, m.record, m.digest,
      m.who AS sender, m.text FROM ${CUT_ITEMS} WHERE c.artifact = ? AND o.generation < ?`),
    now: database.prepare(`SELECT m.id AS message, m.record, m.digest, m.text FROM occurrence o
      JOIN message m ON m.id = o.message WHERE o.artifact = ? AND o.generation = ?`),
    isOfFork: database.prepare(`SELECT 1 FROM message m JOIN artifact b ON b.id = m.artifact
      JOIN artifact a ON a.id = ? WHERE m.id = ? AND (b.session <> a.session OR b.platform <> a.platform)`),
    others: database.prepare(
      `SELECT b.id, b.generation FROM artifact a JOIN artifact b ON ${SAME_SESSION} WHERE a.id = ?`,
    ),
    isIn: database.prepare(
      'SELECT 1 FROM occurrence WHERE artifact = ? AND generation = ? AND message = ? LIMIT 1',
    ),
    movedReplies: write(`DELETE FROM usage WHERE artifact = ?1 AND cut = 1 AND reply IN
      (SELECT reply FROM usage WHERE artifact = ?2 AND cut = 0)`),
    forgetEmpty: write(`DELETE FROM cut WHERE artifact = ?1 AND NOT EXISTS (SELECT 1 FROM occurrence o
      WHERE o.artifact = ?1 AND o.generation = cut.generation)`),
  }

  const cutOccurrences = ({ artifact, generation }: FileGeneration): CutOccurrence[] =>
    sql.deleted.all(artifact, generation) as unknown as CutOccurrence[]
  const release = (artifact: number, deleted: CutOccurrence): void =>
    occurrences.release({ artifact, generation: deleted.generation }, deleted)

  /** Removes from what was deleted what the file has again, in this form or a later one. */
  function forgetPresent(file: FileGeneration): void {
    const deleted = cutOccurrences(file)
    if (deleted.length === 0) return
    const messages = new Set<number>()
    const digests = new Set<number>()
    const records = new Map<number, (string | null)[]>(deleted.map(({ record }) => [record, []]))
    for (const { message, record, digest, text } of sql.now.iterate(file.artifact, file.generation)) {
      messages.add(Number(message))
      if (Number(record) < 0) digests.add(Number(digest))
      records.get(Number(record))?.push(text as string | null)
    }
    for (const each of deleted) {
      const { message, record, digest, sender, text } = each
      const isThere = messages.has(message) || (record < 0 && digests.has(digest))
      const hasGrown = records.get(record)!.some((now) => isContinued({ who: sender, text }, now))
      if (isThere || hasGrown || sql.isOfFork.get(file.artifact, message)) release(file.artifact, each)
    }
  }

  /** Removes from what was deleted what is in another place of the same session now. */
  function forgetMoved(artifact: number): void {
    const others = sql.others.all(artifact) as unknown as { id: number; generation: number }[]
    for (const each of others.length === 0
      ? []
      : cutOccurrences({ artifact, generation: Number.MAX_SAFE_INTEGER }))
      if (others.some(({ id, generation }) => sql.isIn.get(id, generation, each.message)))
        release(artifact, each)
    for (const { id } of others) sql.movedReplies.run(artifact, id)
  }

  function tidy(artifact: number): void {
    if (!sql.isCut.get(artifact)) return
    stale.noteReplies(artifact)
    forgetMoved(artifact)
    sql.forgetEmpty.run(artifact)
  }

  return {
    /** Called when all rows of a session were read. */
    tidy(file: FileGeneration): void {
      if (sql.isCut.get(file.artifact)) forgetPresent(file)
      tidy(file.artifact)
      for (const { id } of sql.others.all(file.artifact)) tidy(Number(id))
    },
  }
}
