import { statSync } from 'node:fs'
import { identityOf } from '../../../io/directories.ts'
import type { Artifact, ArtifactState, SessionEntry } from '../../../model/artifact.ts'
import { entryOf, factsOfList, word } from '../sessions/session-entry.ts'
import { kindOfKey } from '../sessions/session-kind.ts'
import type { Connection } from './connection.ts'
import { pendingStates } from './pending-inputs.ts'
import { STATEMENTS } from './statements.ts'

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
export const sessionPathOf = (database: string, sessionId: string): string => `${database}#${sessionId}`

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
  const generations = watermarksOf(connection)
  const file = identityOf(statSync(path))
  const cold = coldSessionsOf(connection)
  const pending = pendingStates(connection)
  return rows.flatMap((row): Artifact | [] => {
    const frozen = row.last === null ? cold.get(row.id) : undefined
    const last = row.last ?? frozen?.last ?? (pending.has(row.id) ? -1 : undefined)
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
      modifiedMs: row.updated ?? 0,
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

function watermarksOf({ database, tables }: Connection): ReadonlyMap<string, string> {
  if (!tables.has('transcript_rewrite_watermarks')) return new Map()
  const rows = database.prepare(STATEMENTS.watermarks).all()
  return new Map(rows.map(({ id, generation }) => [String(id), String(generation)]))
}

/** Sessions whose records moved to cold storage, by id. They remain listed. */
function coldSessionsOf({ database, tables }: Connection): Map<string, { last: number }> {
  if (!tables.has('session_transcript_cold_archives')) return new Map()
  const rows = database.prepare(STATEMENTS.coldArchives).all()
  return new Map(rows.map(({ id, last }) => [String(id), { last: Number(last) }]))
}
