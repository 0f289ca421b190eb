import { type RecordFacts, TRANSCRIPT } from '../../model/delivery.ts'
import { asText, type JsonObject } from '../../model/json.ts'
import { timeOf, typeOf } from '../pi-records/entry.ts'
import type { Delivery } from '../platform.ts'

/** What is collected of pi, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'sessions/*.jsonl', ...TRANSCRIPT },
    { pattern: 'sessions/*/**/*.jsonl', ...TRANSCRIPT },
    { pattern: '*T*Z_*.jsonl', ...TRANSCRIPT },
    { pattern: 'auth.json*', skip: 'keys of your accounts' },
    { pattern: '{models,models-store,settings,mcp}.json*', skip: 'settings, which may contain keys' },
    { pattern: '{*-debug.log,crashes.json}', skip: 'logs that may contain tokens' },
    { pattern: '{bin,extensions,git,npm,prompts,skills,themes,tools}', skip: 'contain no messages' },
  ],
  record,
}

/** Ids of records have eight digits, and the header's is that of its session. */
function record(entry: JsonObject): RecordFacts {
  const id = asText(entry.id)
  return {
    id: id && `${String(entry.type)} ${id} ${String(entry.timestamp)}`,
    at: timeOf(entry),
    cwd: asText(entry.cwd),
    type: typeOf(entry).type,
  }
}
