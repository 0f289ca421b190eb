import { type RecordFacts, TRANSCRIPT } from '../../model/delivery.ts'
import { asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'

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
}

/** A message is written again under its id, so bytes and time identify a record. */
function record(line: JsonObject): RecordFacts {
  return { at: asTime(line.timestamp) ?? asTime(line.startTime), type: asText(line.type) }
}
