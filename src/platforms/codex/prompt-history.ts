import type { Draft } from '../../model/event.ts'
import { asNumber, asObject, asText } from '../../model/json.ts'

/** Normalizes `{ session_id, ts, text }`, with the time in seconds. */
export function normalizeHistory(entry: unknown): Draft | undefined {
  const line = asObject(entry)
  const text = asText(line?.text)
  if (!line || text === undefined || text.trim() === '') return undefined
  const seconds = asNumber(line.ts)
  return {
    ...(seconds !== undefined && { at: seconds * 1000 }),
    sessionId: asText(line.session_id),
    payload: { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] },
  }
}
