import { statSync } from 'node:fs'
import { identityOf } from '../../../io/directories.ts'
import type { Artifact, ArtifactState } from '../../../model/artifact.ts'
import type { SessionEntry } from '../../../model/session-entry.ts'
import { entryOf, factsOfList, word } from '../session-entry.ts'
import { kindOfKey } from '../session-kind.ts'
import type { Connection } from './connection.ts'
import { pendingStates } from './pending-inputs.ts'
import { STATEMENTS } from './statements.ts'

/** What a record takes on average, about: how long all of a session are, a database does not say without reading them. */
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

/** Only a release that checks no types lets other things stand in the place of texts. */
function textsOnly(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) if (row[name] instanceof Uint8Array) row[name] = null
  return row
}

/** Where a session of a database stands, as if it were a file. */
export const placeOf = (database: string, sessionId: string): string => `${database}#${sessionId}`

/**
 * The sessions of an agent's database that have records in it; undefined when it has no tables of a schema that is known. Throws
 * the engine's error where it cannot be read.
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
      path: placeOf(path, id),
      database: path,
      kind: 'transcript',
      state: stateOf(row),
      sessionId: id,
      agent,
      bytes: (last + 1) * USUAL_RECORD,
      modifiedMs: row.updated ?? 0,
      besideMs: pending.get(id),
      // Written anew, it is another. Where nothing says whether it was, every change may have done it.
      identity: `${file}#${id} ${generations.get(id) ?? row.updated}`,
      kindHint: key === null ? undefined : kindOfKey(key),
      sessionKey: key ?? undefined,
      entry: entryFrom(row),
      titleHint: label?.trim() || shown?.trim() || display?.trim() || undefined,
      parentSessionId: parentKey === null ? undefined : windowAt(windows.get(parentKey), row.created),
    }
  })
}

/** Its columns, and a few facts out of the entry that stands beside them with whole prompts in it. */
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

/** Which of the sessions that a key had was there at a time: the one that began last before it. */
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

/** Sessions nobody used for long, by their ids: their records moved elsewhere, but they keep their place. */
function coldSessionsOf({ database, tables }: Connection): Map<string, { last: number }> {
  if (!tables.has('session_transcript_cold_archives')) return new Map()
  const rows = database.prepare(STATEMENTS.coldArchives).all()
  return new Map(rows.map(({ id, last }) => [String(id), { last: Number(last) }]))
}
