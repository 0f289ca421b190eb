import {
  type RecordFacts,
  type RecordKind,
  type RecordOrigin,
  type TableEntry,
  TRANSCRIPT,
} from '../../model/delivery.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { ROWS } from '../unpacked-rows.ts'
import { SHORT } from './files.ts'

/** What was typed in a project: the client's list, and what an archive has of it. */
export const HISTORIES = ['logs.json', `logs${ROWS}`] as const

/** What is collected of Gemini CLI, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'tmp/*/chats/**/*.jsonl', ...TRANSCRIPT },
    { pattern: 'tmp/*/chats/*.json', ...TRANSCRIPT, content: 'rows' },
    { pattern: 'projects.json', kind: 'session-index', priority: 'P0', mode: 'whole', content: 'json' },
    { pattern: 'tmp/*/logs.json', kind: 'prompt-history', priority: 'P1', mode: 'whole', content: 'json' },
    { pattern: '{oauth_creds,google_accounts,mcp-oauth-tokens*}.json*', skip: 'keys of your accounts' },
    { pattern: '.env', skip: 'keys' },
    { pattern: 'settings.json*', skip: 'settings, which may contain keys' },
    { pattern: 'installation_id', skip: 'identifies your installation' },
    { pattern: 'history', skip: 'copies of whole files' },
    {
      pattern: 'tmp/*/{shell_history,checkpoints,tool-outputs,checkpoint-*.json}',
      skip: 'repeats the sessions',
    },
  ],
  record,
  entries,
  fileOf: (path, kind) =>
    kind === 'prompt-history' ? [...path.split('/').slice(0, -1), HISTORIES[1]] : undefined,
  rowKey,
}

/** A message is written again under its id, so bytes and time identify a record. */
function record(line: JsonObject, { kind }: RecordOrigin): RecordFacts {
  const at = asTime(line.timestamp) ?? asTime(line.startTime)
  if (kind === 'prompt-history') return { at, session: asText(line.sessionId)?.slice(0, SHORT) }
  return { at, type: asText(line.type) }
}

/** Splits a prompt history by prompt: each is of a session. */
function entries(value: unknown, kind: RecordKind): TableEntry[] | undefined {
  const prompts = kind === 'prompt-history' ? asArray(value) : undefined
  return prompts?.map((raw, index) => {
    const prompt = asObject(raw)
    return { key: prompt ? rowKey(prompt) : String(index), at: asTime(prompt?.timestamp), raw }
  })
}

/** Two processes of the client may give one number to two prompts. */
function rowKey({ sessionId, messageId, timestamp, message }: JsonObject): string {
  return [sessionId, messageId, timestamp, message].join(' ')
}
