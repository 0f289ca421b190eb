import { statSync } from 'node:fs'
import { identityOf } from '../../../io/directories.ts'
import type { Artifact, ArtifactState, SessionEntry } from '../../../model/artifact.ts'
import type { TableEntry } from '../../../model/delivery.ts'
import { asTime, parsedJson } from '../../../model/json.ts'
import { type Connection, hasColumns } from '../../database-connections.ts'
import { entryOf, factsOfList, word } from '../session-index.ts'
import { kindOfKey } from '../session-key.ts'
import { STATEMENTS } from '../statements.ts'

/** Approximate size of a record. A database does not report the size of a session without reading it. */
export const USUAL_RECORD = 1024

interface SessionRow {
  id: string
  key: string | null
  created: number | null
  updated: number | null
  parent: string | null
  spawner: string | null
  display: string | null
  current: string | null
  label: string | null
  shown: string | null
  archived: number | null
  last: number | null
  chat: string | null
  channel: string | null
  account: string | null
  model: string | null
  status: string | null
  facts: string | null
}

/** Replaces values that are not text. Only releases without type checks contain them. */
function textsOnly(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) if (row[name] instanceof Uint8Array) row[name] = null
  return row
}

/** The path of a session in a database. */
const sessionPathOf = (database: string, sessionId: string): string => `${database}#${sessionId}`

/**
 * The sessions with records in an agent's database. Undefined if its schema is unknown. Throws engine errors
 * if it cannot be read.
 */
export function sessionsOf(
  connection: Connection,
  path: string,
  root: string,
  agent: string,
): Artifact[] | undefined {
  const { database, tables } = connection
  const statement = statementFor(connection)
  if (!statement || !tables.has('transcript_events')) return undefined
  const rows = database.prepare(statement).all().map(textsOnly) as unknown as SessionRow[]
  const windows = Map.groupBy(rows, ({ key }) => key)
  const rewrites = rowsOf(connection, 'transcript_rewrite_watermarks', STATEMENTS.watermarks)
  const generations = new Map(rewrites.map(({ id, generation }) => [String(id), String(generation)]))
  const file = identityOf(statSync(path))
  // Sessions whose records moved to cold storage remain listed.
  const archives = rowsOf(connection, 'session_transcript_cold_archives', STATEMENTS.coldArchives)
  const cold = new Map(archives.map(({ id, last }) => [String(id), Number(last)]))
  const pending = pendingStates(connection)
  return rows.flatMap((row): Artifact | [] => {
    const last = row.last ?? cold.get(row.id) ?? (pending.has(row.id) ? -1 : undefined)
    if (last === undefined) return []
    const { id, key, spawner, parent, label, shown, display } = row
    const parentKey = spawner ?? parent
    return {
      platform: 'openclaw',
      root,
      path: sessionPathOf(path, id),
      database: path,
      kind: 'transcript',
      state: stateOf(row),
      sessionId: id,
      agent,
      bytes: (last + 1) * USUAL_RECORD,
      modifiedMs: asTime(row.updated) ?? 0,
      besideMs: pending.get(id),
      // The identity changes when the session is rewritten. If rewrites are not recorded, it changes with
      // every update.
      identity: `${file}#${id} ${generations.get(id) ?? row.updated}`,
      kindHint: key === null ? undefined : kindOfKey(key),
      sessionKey: key ?? undefined,
      entry: entryFrom(row),
      ...(label?.trim() && { titleHintByHand: true }),
      titleHint: label?.trim() || shown?.trim() || display?.trim() || undefined,
      parentSessionId: parentKey === null ? undefined : windowAt(windows.get(parentKey), row.created),
    }
  })
}

/** The session's columns, and a few facts from its entry, which also contains whole prompts. */
function entryFrom(row: SessionRow): SessionEntry | undefined {
  return entryOf(row.key ?? '', {
    chatType: word(row.chat),
    channel: word(row.channel),
    account: word(row.account),
    name: word(row.shown) ?? word(row.display),
    model: word(row.model),
    status: word(row.status),
    spawnedBy: word(row.spawner) ?? word(row.parent),
    ...factsOfList(row.facts),
  })
}

function statementFor({ tables }: Connection): string | undefined {
  if (tables.has('session_windows') && tables.has('session_nodes')) return STATEMENTS.windows
  if (!tables.has('sessions') || !tables.has('session_routes')) return undefined
  return tables.has('session_entries') ? STATEMENTS.sessions : STATEMENTS.sessionsAlone
}

/** Which session of a key was current at a time: the last one that began before it. */
function windowAt(windows: readonly SessionRow[] = [], time: number | null): string | undefined {
  const begun = windows.filter(({ created }) => (created ?? 0) <= (time ?? 0))
  return (begun.length > 0 ? begun : windows).reduce<SessionRow | undefined>(
    (latest, each) => (latest && (latest.created ?? 0) > (each.created ?? 0) ? latest : each),
    undefined,
  )?.id
}

const stateOf = ({ id, current, archived }: SessionRow): ArtifactState =>
  archived !== null ? 'archived' : current === null || current === id ? 'live' : 'reset'

/** The rows of a table that not every version has. */
const rowsOf = ({ database, tables }: Connection, table: string, statement: string) =>
  tables.has(table) ? database.prepare(statement).all() : []

/** The part of a path after which the name of an archive follows. */
export const ARCHIVE = 'archive/'

/** Transcripts of reset or deleted sessions, which a database stores whole. */
export function archivesOf(connection: Connection, path: string, root: string, agent: string): Artifact[] {
  const file = identityOf(statSync(path))
  return rowsOf(connection, 'session_transcript_archives', STATEMENTS.archives).map(
    ({ id, key, reason, name, created, bytes }) => ({
      platform: 'openclaw',
      root,
      path: sessionPathOf(path, `${ARCHIVE}${name}`),
      database: path,
      kind: 'transcript',
      state: reason === 'deleted' ? 'deleted' : 'reset',
      sessionId: String(id),
      agent,
      bytes: Number(bytes),
      modifiedMs: asTime(created) ?? 0,
      identity: `${file}#${name}`,
      kindHint: kindOfKey(String(key)),
      sessionKey: String(key),
      entry: entryOf(String(key)),
    }),
  )
}

const COLUMNS = ['seq', 'session_id', 'message_json', 'state', 'accepted_at', 'consumed_event_id']

const hasPending = (connection: Connection): boolean =>
  hasColumns(connection, 'session_pending_inputs', ...COLUMNS)

/**
 * Prompts that were accepted but not sent yet, as an unterminated last line, because no transcript contains
 * them until the agent takes them. They have no id, because the later record has its own.
 */
export function pendingLine(sessionId: string, connection: Connection): Buffer {
  if (!hasPending(connection)) return Buffer.alloc(0)
  const rows = connection.database.prepare(STATEMENTS.pending).all(sessionId)
  const records = rows.map(({ message, accepted }) => {
    const own = { type: 'message', timestamp: Number(accepted), message: parsedJson(message) }
    return JSON.stringify({ ...own, pendingInput: true })
  })
  return Buffer.from(records.join(''))
}

/** The same of all sessions, as `collect` delivers them. */
export function pendingRows(connection: Connection): TableEntry[] {
  if (!hasPending(connection)) return []
  const rows = connection.database.prepare(STATEMENTS.allPending).all()
  return rows.map(({ seq, id, message, accepted }) => ({
    key: `${id} ${seq}`,
    at: asTime(accepted),
    raw: { sessionId: id, seq, accepted, message: parsedJson(message) },
  }))
}

/** By session, a number that changes when prompts are added or taken. */
function pendingStates(connection: Connection): ReadonlyMap<string, number> {
  if (!hasPending(connection)) return new Map()
  const rows = connection.database.prepare(STATEMENTS.pendingSessions).all()
  return new Map(rows.map(({ id, accepted, count }) => [String(id), Number(accepted) + Number(count)]))
}
