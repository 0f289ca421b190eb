import { type RecordFacts, TRANSCRIPT } from '../../model/delivery.ts'
import { asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'

/** Files that are delivered as one text each. */
const WHOLE = { mode: 'whole', content: 'markdown' } as const

/** What is collected of Copilot CLI, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'session-state/*/events.jsonl', ...TRANSCRIPT },
    { pattern: 'session-state/*.jsonl', ...TRANSCRIPT },
    {
      pattern: 'session-state/*/workspace.yaml',
      kind: 'session-index',
      priority: 'P0',
      ...WHOLE,
      ofFolder: true,
    },
    { pattern: 'session-state/*/plan.md', kind: 'plan', priority: 'P1', ...WHOLE, ofFolder: true },
    {
      pattern: 'session-state/*/{checkpoints,rewind-file-snapshots,files}',
      skip: 'copies of files and summaries',
    },
    { pattern: 'session-state/*/session.db*', skip: 'lists of tasks, which calls in the events write' },
    { pattern: 'session-store.db*', skip: 'a cache of the events' },
    {
      pattern: 'command-history-state.json',
      skip: 'typed lines without session and time, which the events repeat',
    },
    { pattern: 'history-session-state', skip: 'the form of the first versions, which is not read' },
    { pattern: '{config,settings,mcp-config}.json*', skip: 'settings, which may contain keys' },
    { pattern: '{mcp-oauth-config,ide}', skip: 'keys' },
    { pattern: 'logs', skip: 'logs that may contain tokens' },
  ],
  record,
}

/** Forks copy events with their ids, so bytes and time identify an event. */
function record(entry: JsonObject): RecordFacts {
  const data = asObject(entry.data)
  return {
    at: asTime(entry.timestamp),
    cwd: asText(asObject(data?.context)?.cwd),
    type: asText(entry.type),
  }
}
