import type { RecordFacts, RecordKind, RecordOrigin, TableEntry } from '../../model/delivery.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { table } from './table.ts'
import { tableRows } from './table-rows.ts'

/** Fields with a session key, the most reliable first. */
const KEYS = ['childSessionKey', 'sessionKey', 'key'] as const
const DATABASE = /^(.*)\/agent\/openclaw-agent\.sqlite(#.*)?$/s

export const delivery: Delivery = {
  table,
  record,
  entries,
  rows: tableRows,
  fileOf,
}

function record(entry: JsonObject, origin: RecordOrigin): RecordFacts {
  const type = asText(entry.type)
  const id = origin.kind === 'transcript' ? asText(entry.id) : undefined
  return {
    // Ids have eight digits, and the header's is that of its session.
    id: id && `${String(entry.type)} ${id} ${String(entry.timestamp)}`,
    at:
      asTime(entry.timestamp) ??
      asTime(asObject(entry.message)?.timestamp) ??
      asTime(entry.ts) ??
      asTime(entry.runAtMs),
    cwd: asText(entry.cwd),
    session: sessionOf(entry, origin),
    type,
  }
}

/** The id in the record, the one at the end of a key, or the one that the session index has for the key. */
function sessionOf(entry: JsonObject, { sessions }: RecordOrigin): string | undefined {
  const own = asText(entry.sessionId)
  if (own !== undefined) return own
  for (const name of KEYS) {
    const key = asText(entry[name])
    if (key === undefined) continue
    const id =
      /:run:([^:]+)$/.exec(key)?.[1] ?? (sessions && Object.hasOwn(sessions, key) ? sessions[key] : undefined)
    if (id !== undefined) return id
  }
  return undefined
}

/** Splits a session index by session, and lists by job or run. */
function entries(value: unknown, kind: RecordKind): TableEntry[] | undefined {
  const root = asObject(value)
  const list = asArray(value) ?? asArray(root?.jobs) ?? asArray(root?.runs)
  if (list && list.length > 0)
    return list.map((raw, index) => ({ key: keyIn(raw) ?? String(index), at: timeIn(raw), raw }))
  if (list) return undefined
  const inner = asObject(root?.agents) ?? asObject(root?.jobs) ?? asObject(root?.runs)
  const named = Object.entries(inner ?? (kind === 'session-index' ? root : undefined) ?? {})
  return named.length > 0
    ? named.map(([key, raw]) => ({ key, at: timeIn(raw), raw: { [key]: raw } }))
    : undefined
}

const keyIn = (value: unknown): string | undefined => {
  const fields = asObject(value)
  return asText(fields?.key) ?? asText(fields?.id) ?? asText(fields?.jobId) ?? asText(fields?.runId)
}

const timeIn = (value: unknown): number | undefined => {
  const fields = asObject(value)
  return asTime(fields?.updatedAt) ?? asTime(fields?.updatedAtMs) ?? asTime(fields?.createdAt)
}

/** Sessions in a database are unpacked as the files of older versions. */
function fileOf(path: string, kind: RecordKind, session: string | null): string[] | undefined {
  const found = DATABASE.exec(path)
  if (!found) return undefined
  const folder = [...found[1]!.split('/'), 'sessions']
  if (kind === 'session-index' && found[2] === undefined) return [...folder, 'sessions.json']
  return kind === 'transcript' && found[2] !== undefined
    ? [...folder, `${session ?? 'unknown'}.jsonl`]
    : undefined
}
