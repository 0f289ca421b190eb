import { type FileOwner, type RecordFacts, type RecordOrigin, TRANSCRIPT } from '../../model/delivery.ts'
import { asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { MAIN } from './files.ts'

/** What is collected of Kimi Code, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'sessions/*/*/agents/*/wire.jsonl', ...TRANSCRIPT },
    {
      pattern: 'sessions/*/*/state.json',
      kind: 'session-index',
      priority: 'P0',
      mode: 'whole',
      content: 'json',
      ofFolder: true,
    },
    {
      pattern: 'session_index.jsonl',
      kind: 'session-index',
      priority: 'P0',
      mode: 'incremental',
      content: 'jsonl',
    },
    {
      pattern: 'user-history/*.jsonl',
      kind: 'prompt-history',
      priority: 'P1',
      mode: 'incremental',
      content: 'jsonl',
    },
    { pattern: '{config.toml,mcp.json,tui.toml}*', skip: 'settings, which may contain keys' },
    { pattern: '{credentials,oauth}', skip: 'keys of your accounts' },
    { pattern: 'device_id', skip: 'identifies your installation' },
    { pattern: '{log,logs}', skip: 'logs that may contain tokens' },
    { pattern: 'sessions/*/*/{logs,notify}', skip: 'logs and state of the client' },
    { pattern: '{file-history,cache,bin,updates}', skip: 'contain no messages' },
    { pattern: 'sessions/*/*/agents/*/file-history', skip: 'copies of whole files' },
    { pattern: 'workspaces.json', skip: 'repeats the directories of the sessions' },
  ],
  record,
  ownerOf,
  typedForms: ({ content }) => [asText(content) ?? ''],
}

/** The folder of a session has a folder for each of its agents. */
function ownerOf(below: string): FileOwner | undefined {
  const [, parent, name] = /^sessions\/[^/]+\/([^/]+)\/agents\/([^/]+)\/[^/]+$/.exec(below) ?? []
  return parent === undefined || name === MAIN ? undefined : { session: `${name}.${parent}`, parent }
}

/** Records have no ids. A session index is about the session that it names. */
function record(line: JsonObject, { kind }: RecordOrigin): RecordFacts {
  if (kind === 'session-index')
    return {
      at: asTime(line.updatedAt),
      cwd: asText(line.cwd) ?? asText(line.workDir),
      session: asText(line.sessionId) ?? asText(line.id),
    }
  return { at: asTime(line.time) ?? asTime(line.created_at), type: asText(line.type) }
}
