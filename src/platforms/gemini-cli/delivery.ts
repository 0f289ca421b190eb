import {
  type FileOwner,
  type RecordFacts,
  type RecordKind,
  type RecordOrigin,
  type TableEntry,
  TRANSCRIPT,
} from '../../model/delivery.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery, SessionsOfFolders } from '../platform.ts'
import { ROWS } from '../unpacked-rows.ts'
import { PROJECTS, SHORT } from './files.ts'

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
  indexesFolders: true,
  ownerOf,
  fileOf: (path, kind) =>
    kind === 'prompt-history'
      ? [...path.split('/').slice(0, -1), HISTORIES[1]]
      : kind === 'session-index'
        ? [PROJECTS[1]]
        : undefined,
  rowKey,
}

/** Subagents are in a folder with the name of their session. */
function ownerOf(below: string): FileOwner | undefined {
  const parent = /^tmp\/[^/]+\/chats\/([^/]+)\/[^/]+$/.exec(below)?.[1]
  return parent === undefined ? undefined : { parent: parent.slice(0, SHORT) }
}

/** A message is written again under its id, so bytes and time identify a record. */
function record(line: JsonObject, { kind }: RecordOrigin): RecordFacts {
  const at = asTime(line.timestamp) ?? asTime(line.startTime)
  if (kind === 'prompt-history') return { at, session: asText(line.sessionId)?.slice(0, SHORT) }
  return { at, type: asText(line.type) }
}

/**
 * Splits a prompt history by prompt, and the list of projects by the sessions of each: what is of no session,
 * nothing needs.
 */
function entries(
  value: unknown,
  kind: RecordKind,
  folders: SessionsOfFolders = new Map(),
): TableEntry[] | undefined {
  if (kind === 'session-index')
    return Object.entries(asObject(asObject(value)?.projects) ?? {}).flatMap(([directory, name]) =>
      (folders.get(directory) ?? []).map((session) => ({
        key: `${directory}\n${session}`,
        raw: { [directory]: name },
        session,
      })),
    )
  const prompts = kind === 'prompt-history' ? asArray(value) : undefined
  return prompts?.map((raw, index) => {
    const prompt = asObject(raw)
    return { key: prompt ? rowKey(prompt, kind) : String(index), at: asTime(prompt?.timestamp), raw }
  })
}

/** Two processes of the client may give one number to two prompts. A project has one name. */
function rowKey(row: JsonObject, kind: RecordKind): string {
  if (kind === 'session-index') return Object.keys(row)[0] ?? ''
  const { sessionId, messageId, timestamp, message } = row
  return [sessionId, messageId, timestamp, message].join(' ')
}
