import { type FileOwner, type RecordFacts, type RecordKind, TRANSCRIPT } from '../../model/delivery.ts'
import { asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'

/** What is collected of Cline, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'sessions/*/*.messages.json', ...TRANSCRIPT, content: 'rows' },
    { pattern: '*/*.messages.json', ...TRANSCRIPT, content: 'rows' },
    { pattern: 'sessions/*/*.jsonl', ...TRANSCRIPT },
    { pattern: 'settings', skip: 'keys of your accounts' },
    { pattern: 'secrets.json*', skip: 'keys of your accounts' },
    { pattern: 'db', skip: 'databases that repeat the sessions, and keys of connections' },
    { pattern: '{locks,logs}', skip: 'logs that may contain tokens' },
    { pattern: 'sessions/*/*.json', skip: 'in the lines of a session' },
  ],
  record,
  ownerOf,
  fileOf,
}

/** The conversations of subagents are in the folder of their session. */
function ownerOf(below: string): FileOwner | undefined {
  const [, parent, name] = /^(?:sessions\/)?([^/]+)\/([^/]+?)\.(?:messages\.json|jsonl)$/.exec(below) ?? []
  return parent === undefined || name === parent ? undefined : { parent }
}

/** Ids of messages are unique, but for those that a fork copies. */
function record(line: JsonObject): RecordFacts {
  return {
    id: asText(line.id),
    at: asTime(line.ts) ?? asTime(line.started) ?? asTime(line.generatedAt),
    cwd: asText(line.cwd),
    type: asText(line.role) ?? asText(line.type),
  }
}

/** A session is unpacked as the lines that were delivered. */
function fileOf(path: string, kind: RecordKind, session: string | null): string[] | undefined {
  if (kind !== 'transcript' || path.endsWith('.jsonl')) return undefined
  const id = session ?? 'unknown'
  const [parent] = id.split('__') as [string]
  const subagent = id.slice(parent.length).replace(/^__(?:teamtask__)?/, '')
  return ['sessions', parent, `${subagent || parent}.jsonl`]
}
