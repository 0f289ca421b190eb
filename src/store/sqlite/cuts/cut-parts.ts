import type { DatabaseSync } from 'node:sqlite'
import type { Session } from '../../../model/session.ts'
import { type CutUsage, joinCutPart } from '../../cut-session.ts'
import { SPEAKERS, speakerNumber } from '../../speakers.ts'
import type { StoredMessage } from '../../stored.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from '../message-columns.ts'

const LAST = 3
const PARTS = `cut c JOIN occurrence o ON o.artifact = c.artifact AND o.generation = c.generation AND o.line < c.line
  JOIN message m ON m.id = o.message`
const ORDER = ['o.generation', 'o.line', 'o.place']
const HUMAN_TEXT = `SELECT m.text FROM ${PARTS} WHERE c.artifact = ? AND coalesce(o.who, m.who) = ${speakerNumber('human')}
  AND m.text IS NOT NULL`

interface Count {
  who: number
  count: number
  possible: number
  first: number | null
  last: number | null
}

/** Reads the parts that clients have cut off their transcripts since those were indexed. */
export function createCutParts(database: DatabaseSync) {
  const sql = {
    artifacts: database.prepare('SELECT DISTINCT artifact FROM cut'),
    messages: database.prepare(`SELECT ${MESSAGE_COLUMNS} FROM ${PARTS} LEFT JOIN tool t ON t.id = m.tool
      WHERE c.artifact = ? ORDER BY ${ORDER.join(', ')}`),
    counts: database.prepare(`SELECT coalesce(o.who, m.who) AS who, count(*) AS count,
      count(*) FILTER (WHERE m.more LIKE '%"sure":false%') AS possible,
      min(m.at) FILTER (WHERE m.at > 0) AS first, max(m.at) FILTER (WHERE m.at > 0) AS last
      FROM ${PARTS} WHERE c.artifact = ? GROUP BY 1`),
    firstHuman: database.prepare(`${HUMAN_TEXT} ORDER BY ${ORDER.join(', ')} LIMIT 1`),
    lastHuman: database.prepare(
      `${HUMAN_TEXT} ORDER BY ${ORDER.map((each) => `${each} DESC`).join(', ')} LIMIT ${LAST}`,
    ),
    usage: database.prepare(`SELECT input, output, cache_read AS cacheRead, cache_write AS cacheWrite,
      cache_write_hour AS cacheWriteHour, cost, reply > 0 AS ofReply FROM usage WHERE artifact = ? AND cut = 1`),
  }
  const messagesOf = (artifact: number): StoredMessage[] =>
    (sql.messages.all(artifact) as unknown as MessageColumns[]).map((row) => ({
      ...storedMessage(row),
      cut: true,
    }))

  /** A session row, extended by what was cut off its file. */
  function joined(session: Session, artifact: number): Session {
    const counts = sql.counts.all(artifact) as unknown as Count[]
    return joinCutPart(
      session,
      {
        counts: counts.map((each) => ({ ...each, who: SPEAKERS[each.who]! })),
        firstHuman: textOf(sql.firstHuman.get(artifact)),
        lastHuman: sql.lastHuman
          .all(artifact)
          .reverse()
          .map((row) => textOf(row)!),
      },
      sql.usage.all(artifact) as unknown as CutUsage[],
    )
  }

  return {
    messagesOf,
    /** Extends the sessions that were cut and returns other sessions unchanged. */
    joiner(): (session: Session, artifact: number) => Session {
      const artifacts = new Set(Array.from(sql.artifacts.iterate(), ({ artifact }) => Number(artifact)))
      return (session, artifact) => (artifacts.has(artifact) ? joined(session, artifact) : session)
    },
  }
}

const textOf = (row: Record<string, unknown> | undefined): string | undefined =>
  row?.text as string | undefined
