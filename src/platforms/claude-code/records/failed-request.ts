import type { Payload } from '../../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'

/**
 * A failed request to the API. If the client retries, it is not an error yet: a line of its own reports the
 * failure of the last attempt.
 */
export function failedRequest(entry: JsonObject): Payload {
  const text = errorText(entry)
  const attempt = asNumber(entry.retryAttempt)
  if (attempt === undefined) return { type: 'marker', marker: 'agent-error', text }
  const most = asNumber(entry.maxRetries)
  return { type: 'marker', marker: 'retry', text: `${text} (${attempt}${most ? ` of ${most}` : ''})` }
}

function errorText(entry: JsonObject): string {
  const error = asObject(entry.error)
  const formatted = asText(error?.formatted)?.trim()
  if (formatted) return formatted
  const inner = asObject(error?.error)
  const message = asText(asObject(inner?.error)?.message) ?? asText(inner?.message) ?? asText(error?.message)
  const status = asNumber(error?.status)
  const reason = message ?? asText(entry.content) ?? asText(entry.error) ?? 'API error'
  return status === undefined || reason.startsWith(`${status} `) ? reason : `${status} ${reason}`
}
