import type { DatabaseSync } from 'node:sqlite'
import type { Session } from '../../model/session.ts'
import { type CutUsage, joinCutPart } from '../cut-session.ts'
import { SPEAKERS, speakerNumber } from '../stored.ts'
import { prepareWrite } from './database.ts'
import type { StaleDays } from './days.ts'
import { type FileGeneration, IN_CUT } from './occurrences.ts'

/** `cut.line` while the file is still being read. */
const UNDECIDED = 0
/** `cut.line` while a file is read that is understood in another way than by an earlier version. */
const UNDERSTOOD_ANEW = -Number.MAX_SAFE_INTEGER
/** `cut.line` if nothing of an earlier generation is left in the file. */
const ALL = Number.MAX_SAFE_INTEGER
/** `usage.cut` until the whole file was read. */
const PENDING = 2

/**
 * Some clients shorten their own transcripts to the last part, or take back the end. What was indexed of it
 * stays with the session: `cut.line` is the line up to which an earlier generation still belongs to it, or,
 * as a negative number, the line from which on it does. `usage.cut` marks the usage rows of those lines.
 */
export function createCutHeads(database: DatabaseSync, stale: StaleDays) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    undecided: write('INSERT OR IGNORE INTO cut VALUES (?, ?, ?)'),
    dropUndecided: write(`DELETE FROM cut WHERE artifact = ? AND line IN (${UNDECIDED}, ${UNDERSTOOD_ANEW})`),
    generation: database.prepare('SELECT generation FROM cut WHERE artifact = ? AND line = ?'),
    decide: write('UPDATE cut SET line = ? WHERE artifact = ? AND generation = ?'),
    drop: write('DELETE FROM cut WHERE artifact = ? AND generation = ?'),
    pending: write(`UPDATE usage SET cut = ${PENDING} WHERE artifact = ? AND cut = 0`),
    restated: write(`DELETE FROM usage WHERE artifact = ?1 AND reply < 0 AND cut <> 0
      AND EXISTS (SELECT 1 FROM usage WHERE artifact = ?1 AND reply < 0 AND cut = 0)`),
    keepUsage: write(`UPDATE usage SET cut = 1 WHERE artifact = ? AND cut = ${PENDING}`),
    dropUsage: write(`DELETE FROM usage WHERE artifact = ? AND cut = ${PENDING}`),
    // A message that has grown is another one of the same record.
    firstRepeated: database.prepare(`WITH now AS MATERIALIZED (SELECT m.record, min(o.line) AS line
        FROM occurrence o JOIN message m ON m.id = o.message WHERE o.artifact = ?1 AND o.generation = ?3 GROUP BY 1)
      SELECT o.line, now.line AS now FROM occurrence o CROSS JOIN message m ON m.id = o.message
      CROSS JOIN now ON now.record = m.record
      WHERE o.artifact = ?1 AND o.generation = ?2 ORDER BY o.line LIMIT 1`),
    // The end of the earlier generation that is not in the current one, and what is new in that.
    end: database.prepare(`WITH before AS MATERIALIZED (SELECT o.line, m.record, m.at
        FROM occurrence o JOIN message m ON m.id = o.message WHERE o.artifact = ?1 AND o.generation = ?2),
      now AS MATERIALIZED (SELECT m.record, m.at
        FROM occurrence o JOIN message m ON m.id = o.message WHERE o.artifact = ?1 AND o.generation = ?3),
      removed AS (SELECT min(line) AS line, max(at) AS last FROM before WHERE line >
        (SELECT max(line) FROM before WHERE record IN (SELECT record FROM now)))
      SELECT line, NOT EXISTS (SELECT 1 FROM now WHERE record NOT IN (SELECT record FROM before)
        AND coalesce(at, 0) <= coalesce(last, 0)) AS later FROM removed WHERE line IS NOT NULL`),
    span: database.prepare(`SELECT min(m.at) AS first, max(m.at) AS last FROM occurrence o
      JOIN message m ON m.id = o.message WHERE o.artifact = ? AND o.generation = ? AND m.at > 0`),
  }

  /** The `cut.line` of the earlier generation. Undefined if the file was changed in another way. */
  function cutLine({ artifact, generation }: FileGeneration, earlier: number): number | undefined {
    const repeated = sql.firstRepeated.get(artifact, earlier, generation)
    if (repeated && Number(repeated.now) < Number(repeated.line)) return Number(repeated.line)
    if (repeated)
      return Number(repeated.now) === Number(repeated.line) ? endOf(artifact, earlier, generation) : undefined
    // The generations share no message. The earlier one was cut off as a whole, unless the current one is
    // older.
    const [before, now] = [sql.span.get(artifact, earlier)!, sql.span.get(artifact, generation)!]
    if (before.last === null) return undefined
    return now.first === null || before.last! <= now.first! ? ALL : undefined
  }

  /** Of a file whose end was taken back, where that began. A file that was written anew has older records. */
  function endOf(artifact: number, earlier: number, generation: number): number | undefined {
    const end = sql.end.get(artifact, earlier, generation)
    return end?.later === 1 ? -Number(end.line) : undefined
  }

  return {
    /**
     * Called when a file is read again from its first byte. `earlier` is the previous generation. Results of
     * another parser version (`isOther`) cannot be compared, unless the file is unchanged (`anew`).
     */
    begin(artifact: number, earlier: number, { isOther, anew }: { isOther: boolean; anew: boolean }): void {
      stale.noteReplies(artifact)
      sql.dropUndecided.run(artifact)
      sql.dropUsage.run(artifact)
      if (anew) sql.undecided.run(artifact, earlier, UNDERSTOOD_ANEW)
      if (anew || isOther) return
      sql.undecided.run(artifact, earlier, UNDECIDED)
      sql.pending.run(artifact)
    },

    /** The earlier generation of an unchanged file, which this one replaces. Forgets that it does. */
    replaced(artifact: number): number | undefined {
      const found = sql.generation.get(artifact, UNDERSTOOD_ANEW)
      if (found) sql.dropUndecided.run(artifact)
      return found && Number(found.generation)
    },

    /**
     * Called when the whole file was read. Stores what was cut off, or drops its usage if nothing was.
     * Rows of a database are deleted anywhere: all that are not there any more count as cut off.
     */
    decide(file: FileGeneration, isRow: boolean): void {
      const earlier = sql.generation.get(file.artifact, UNDECIDED)?.generation
      if (earlier === undefined) return
      const line = isRow ? ALL : cutLine(file, Number(earlier))
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
  }
}

const LAST = 3
export const CUT_ITEMS = `cut c JOIN occurrence o ON o.artifact = c.artifact AND o.generation = c.generation AND ${IN_CUT}
  JOIN message m ON m.id = o.message`
export const CUT_ORDER = ['o.generation', 'o.line', 'o.place']
const HUMAN = `coalesce(o.who, m.who) = ${speakerNumber('human')}`
const HUMAN_TEXT = `SELECT m.text, m.at FROM ${CUT_ITEMS} WHERE c.artifact = ? AND ${HUMAN}
  AND m.text IS NOT NULL`

/** The line of an occurrence in a part that was cut off, as `numberCutLines` numbers it. Else NULL. */
export const CUT_LINE = `(SELECT CASE WHEN ${IN_CUT} THEN (SELECT -count(*) FROM (SELECT DISTINCT n.generation, n.line
    FROM cut c JOIN occurrence n ON n.artifact = c.artifact AND n.generation = c.generation AND ${IN_CUT.replaceAll('o.', 'n.')}
    WHERE c.artifact = o.artifact AND (n.generation, n.line) >= (o.generation, o.line))) END
  FROM cut c WHERE c.artifact = o.artifact AND c.generation = o.generation)`

interface Prompt {
  text: string
  at: number | null
}

interface Count {
  who: number
  count: number
  possible: number
  first: number | null
  last: number | null
}

/**
 * Reads the parts that clients have cut off their transcripts since those were indexed. Returns a function
 * that prepares reading sessions, which returns a function that joins a session and its part.
 */
export function createCutParts(
  database: DatabaseSync,
): () => (session: Session, artifact: number) => Session {
  const sql = {
    artifacts: database.prepare('SELECT DISTINCT artifact FROM cut'),
    counts: database.prepare(`SELECT coalesce(o.who, m.who) AS who, count(*) AS count,
      count(*) FILTER (WHERE m.more LIKE '%"sure":false%') AS possible,
      min(m.at) FILTER (WHERE m.at > 0) AS first, max(m.at) FILTER (WHERE m.at > 0) AS last
      FROM ${CUT_ITEMS} WHERE c.artifact = ? GROUP BY 1`),
    firstHuman: database.prepare(
      `${HUMAN_TEXT} ORDER BY m.at IS NULL, m.at, ${CUT_ORDER.join(', ')} LIMIT 1`,
    ),
    lastHuman: database.prepare(
      `${HUMAN_TEXT} ORDER BY m.at DESC, ${CUT_ORDER.map((each) => `${each} DESC`).join(', ')} LIMIT ${LAST}`,
    ),
    own: database.prepare(`SELECT min(m.at) AS first, max(m.at) AS last FROM artifact a
      JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation JOIN message m ON m.id = o.message
      WHERE a.id = ? AND m.at > 0 AND ${HUMAN}`),
    usage: database.prepare(`SELECT input, output, cache_read AS cacheRead, cache_write AS cacheWrite,
      cache_write_hour AS cacheWriteHour, reasoning, cost, reply > 0 AS ofReply FROM usage WHERE artifact = ? AND cut = 1`),
  }
  /** A session row, extended by what was cut off its file. */
  function joined(session: Session, artifact: number): Session {
    const counts = sql.counts.all(artifact) as unknown as Count[]
    return joinCutPart(
      session,
      {
        counts: counts.map((each) => ({ ...each, who: SPEAKERS[each.who]! })),
        firstHuman: sql.firstHuman.get(artifact) as unknown as Prompt | undefined,
        lastHuman: (sql.lastHuman.all(artifact) as unknown as Prompt[]).reverse(),
        own: sql.own.get(artifact) as unknown as Record<'first' | 'last', number | null>,
      },
      sql.usage.all(artifact) as unknown as CutUsage[],
    )
  }

  /** Extends the sessions that were cut and returns other sessions unchanged. */
  return () => {
    const artifacts = new Set(Array.from(sql.artifacts.iterate(), ({ artifact }) => Number(artifact)))
    return (session, artifact) => (artifacts.has(artifact) ? joined(session, artifact) : session)
  }
}
