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

type CutOccurrence = Occurrence & {
  record: number
  digest: number
  sender: number
  text: string | null
  reply: number | null
}

/** The reading before this one, and which of its messages are there again. */
interface Earlier {
  generation: number
  repeated: ReadonlySet<number>
}

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
      m.who AS sender, coalesce(m.text, m.target) AS text, m.more ->> '$.reply' AS reply FROM ${CUT_ITEMS} WHERE c.artifact = ? AND o.generation < ?`),
    now: database.prepare(`SELECT m.id AS message, m.record, m.digest, coalesce(m.text, m.target) AS text FROM occurrence o
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
    dropReply: write('DELETE FROM usage WHERE artifact = ? AND reply = ? AND cut = 1'),
    forgetEmpty: write(`DELETE FROM cut WHERE artifact = ?1 AND NOT EXISTS (SELECT 1 FROM occurrence o
      WHERE o.artifact = ?1 AND o.generation = cut.generation)`),
  }

  const cutOccurrences = ({ artifact, generation }: FileGeneration): CutOccurrence[] =>
    sql.deleted.all(artifact, generation) as unknown as CutOccurrence[]
  const release = (artifact: number, deleted: CutOccurrence): void =>
    occurrences.release({ artifact, generation: deleted.generation }, deleted)

  /**
   * Removes from what was deleted what the file has again, in this form or a later one. Of what only the last
   * reading before this one had, also what is there under another id.
   */
  function forgetPresent(file: FileGeneration, before: Earlier | undefined): void {
    const deleted = cutOccurrences(file)
    if (deleted.length === 0) return
    stale.noteReplies(file.artifact)
    const messages = new Set<number>()
    /** How many messages with this content are new in the file. */
    const added = new Map<number, number>()
    const records = new Map<number, (string | null)[]>(deleted.map(({ record }) => [record, []]))
    for (const { message, record, digest, text } of sql.now.iterate(file.artifact, file.generation)) {
      messages.add(Number(message))
      if (before && !before.repeated.has(Number(message)))
        added.set(Number(digest), (added.get(Number(digest)) ?? 0) + 1)
      records.get(Number(record))?.push(text as string | null)
    }
    const isThere = ({ message, record, sender, text }: CutOccurrence): boolean =>
      messages.has(message) ||
      records.get(record)!.some((now) => isContinued({ who: sender, text }, now)) ||
      sql.isOfFork.get(file.artifact, message) !== undefined
    const [there, missing] = [true, false].map((which) => deleted.filter((each) => isThere(each) === which))
    for (const each of there!) release(file.artifact, each)
    // A history that is written again has other ids, and records that are moved to other tables may have.
    for (const each of missing!) {
      const count = added.get(each.digest) ?? 0
      if (count === 0 || each.generation !== before?.generation) continue
      added.set(each.digest, count - 1)
      release(file.artifact, each)
      if (each.reply !== null) sql.dropReply.run(file.artifact, each.reply)
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
    /** Called when all of a session was read, with `before` if it was read anew. */
    tidy(file: FileGeneration, before: Earlier | undefined): void {
      if (sql.isCut.get(file.artifact)) forgetPresent(file, before)
      tidy(file.artifact)
      for (const { id } of sql.others.all(file.artifact)) tidy(Number(id))
    },
  }
}
