import type { DatabaseSync } from 'node:sqlite'
import type { Usage } from '../../model/event.ts'
import { addUsage } from '../../model/fold/usage-count.ts'
import type { Session, Who } from '../../model/session.ts'
import type { StoredMessage } from '../stored.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from './message-columns.ts'

const LAST = 3
const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
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
    if (counts.length === 0) return session
    const of = (who: Who): number => counts.find((each) => SPEAKERS[each.who] === who)?.count ?? 0
    const possible = counts.find((each) => SPEAKERS[each.who] === 'error')?.possible ?? 0
    const times = counts
      .flatMap(({ first, last }) => [first, last])
      .concat(session.startedMs ?? null, session.lastActivityMs ?? null)
      .filter((time) => time !== null)
      .sort((a, b) => a - b)
    const firstHuman = textOf(sql.firstHuman.get(artifact)) ?? session.firstHuman
    const lastHuman = sql.lastHuman
      .all(artifact)
      .reverse()
      .map((row) => textOf(row)!)
    return {
      ...session,
      ...(times.length > 0 ? { startedMs: times[0]!, lastActivityMs: times.at(-1)! } : {}),
      human: session.human + of('human'),
      agentMessages: session.agentMessages + of('agent'),
      toolCalls: session.toolCalls + of('tool'),
      errors: session.errors + of('error') - possible,
      possibleErrors: session.possibleErrors + possible,
      firstHuman,
      title: session.title === session.firstHuman ? firstHuman : session.title,
      lastHuman: [...lastHuman, ...session.lastHuman].slice(-LAST),
      ...usedBy(session, sql.usage.all(artifact) as unknown as StoredUsage[]),
      cut: counts.reduce((sum, { count }) => sum + count, 0),
    }
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

type StoredUsage = Omit<Usage, 'cost'> & { cost: number | null; ofReply: number }

/** The usage of a session, including the part that was cut off. */
function usedBy(
  { usage, recorded }: Session,
  earlier: readonly StoredUsage[],
): Pick<Session, 'usage' | 'recorded'> {
  const total: Usage = { ...NOTHING, ...usage }
  const stated: Usage = { ...NOTHING, ...recorded }
  for (const { cost, ofReply, ...tokens } of earlier) {
    const used = { ...tokens, ...(cost === null ? {} : { cost }) }
    addUsage(total, ofReply ? used : { ...NOTHING, cost: used.cost })
    if (!ofReply) addUsage(stated, used)
  }
  return {
    ...(usage || earlier.length > 0 ? { usage: total } : {}),
    ...(recorded || earlier.some(({ ofReply }) => !ofReply) ? { recorded: stated } : {}),
  }
}
