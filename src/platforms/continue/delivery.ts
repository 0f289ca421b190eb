import {
  type RecordFacts,
  type RecordKind,
  type RecordOrigin,
  type TableEntry,
  TRANSCRIPT,
} from '../../model/delivery.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { createdOf } from './files.ts'
import { directoryIn } from './records/normalize.ts'

/** What is collected of Continue, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    {
      pattern: 'sessions/sessions.json',
      kind: 'session-index',
      priority: 'P0',
      mode: 'whole',
      content: 'json',
    },
    { pattern: 'sessions/*.jsonl', ...TRANSCRIPT },
    { pattern: 'sessions/*.json', ...TRANSCRIPT, content: 'rows' },
    {
      pattern: '{config.*,auth.json,settings.json,permissions.yaml}*',
      skip: 'settings, which may contain keys',
    },
    { pattern: '.env*', skip: 'keys' },
    { pattern: 'logs', skip: 'logs that may contain tokens' },
    { pattern: '{index,dev_data}', skip: 'copies of files and of sessions' },
    { pattern: 'input_history.json', skip: 'what was typed, without session and time' },
  ],
  record,
  entries,
  fileOf,
}

/** Splits the list of sessions. */
function entries(value: unknown, kind: RecordKind): TableEntry[] | undefined {
  if (kind !== 'session-index') return undefined
  return asArray(value)?.map((each, index) => {
    const entry = asObject(each)
    const key = asText(entry?.sessionId) ?? String(index)
    return { key, at: createdOf(entry), raw: { [key]: each } }
  })
}

/** Nothing in a document has an id or a time, but its header. */
function record(line: JsonObject, { kind }: RecordOrigin): RecordFacts {
  if (kind === 'session-index')
    return { at: createdOf(line), cwd: asText(line.workspaceDirectory), session: asText(line.sessionId) }
  return {
    at: asTime(line.created),
    cwd: directoryIn(line),
    type: asText(asObject(line.message)?.role) ?? asText(line.type),
  }
}

/** A session is unpacked as the lines that were delivered. */
function fileOf(path: string, kind: RecordKind, session: string | null): string[] | undefined {
  return kind === 'transcript' && !path.endsWith('.jsonl')
    ? ['sessions', `${session ?? 'unknown'}.jsonl`]
    : undefined
}
