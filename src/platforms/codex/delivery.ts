import { type RecordFacts, type RecordOrigin, TRANSCRIPT } from '../../model/delivery.ts'
import { asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { threadIn } from './files.ts'
import { queuedIn, UNPACKED_QUEUE } from './queue-statements.ts'

const MEMORY = { kind: 'memory', priority: 'P2', mode: 'whole', content: 'markdown' } as const

/** What is collected of Codex, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'sessions/**/rollout-*.jsonl{,.zst}', ...TRANSCRIPT },
    { pattern: 'archived_sessions/rollout-*.jsonl{,.zst}', ...TRANSCRIPT },
    {
      pattern: 'session_index.jsonl',
      kind: 'session-index',
      priority: 'P0',
      mode: 'incremental',
      content: 'jsonl',
    },
    {
      pattern: 'history.jsonl',
      kind: 'prompt-history',
      priority: 'P1',
      mode: 'incremental',
      content: 'jsonl',
    },
    { pattern: 'queue_*.sqlite', kind: 'prompt-history', priority: 'P1', mode: 'whole', content: 'rows' },
    { pattern: 'memories/{MEMORY,memory_summary,raw_memories}.md', ...MEMORY },
    { pattern: 'memories/rollout_summaries/*.md', ...MEMORY },
    { pattern: '{auth,.credentials,mcp-auth}.json', skip: 'keys of your account' },
    { pattern: 'installation_id', skip: 'identifies your installation' },
    { pattern: 'config.toml', skip: 'settings, which may contain keys' },
    { pattern: 'logs_*.sqlite*', skip: 'logs that contain tokens' },
    { pattern: 'log', skip: 'logs that contain tokens' },
    { pattern: 'shell_snapshots', skip: 'environment variables' },
    { pattern: '{state,thread_history,goals}_*.sqlite*', skip: 'a cache of the transcripts' },
  ],
  record,
  rows: (_, kind, path) =>
    kind === 'prompt-history'
      ? queuedIn(path).map(({ id, created, raw }) => ({ key: id, at: created, raw }))
      : [],
  fileOf: (path, kind) =>
    kind === 'prompt-history' && path.endsWith('.sqlite') ? [UNPACKED_QUEUE] : undefined,
  rowKey: ({ thread, id }) => `${thread} ${id}`,
}

/** The ids of records are those of sessions and turns, so bytes and time identify a record. */
function record(entry: JsonObject, { kind }: RecordOrigin): RecordFacts {
  if (kind === 'prompt-history') {
    if ('thread' in entry)
      return { id: asText(entry.id), at: asTime(entry.created), session: asText(entry.thread) }
    return { at: asTime(entry.ts), session: asText(entry.session_id) }
  }
  if (kind === 'session-index') return { at: asTime(entry.updated_at), session: asText(entry.id) }
  if (kind === 'memory') return { session: threadIn(asText(entry.content) ?? '') }
  const payload = asObject(entry.payload)
  const type = asText(entry.type)
  return {
    at: asTime(entry.timestamp),
    cwd: type === 'session_meta' || type === 'turn_context' ? asText(payload?.cwd) : undefined,
    type: asText(payload?.type) ?? type,
  }
}
