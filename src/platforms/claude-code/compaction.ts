import type { Payload } from '../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../model/json.ts'
import { speakerOf } from './speaker.ts'

/**
 * What a human asked to be kept in mind when a part of the conversation was summarized. It stands at the boundary and again at the
 * summary; how much was summarized tells that they belong together. Words behind `/compact` stand in the line of that command.
 */
export function summaryWords(entry: JsonObject): Payload[] {
  const told = asObject(entry.compactMetadata) ?? asObject(entry.summarizeMetadata)
  const text = asText(told?.userContext)?.trim()
  if (!text) return []
  const messageId = `summary of ${asNumber(told?.messagesSummarized) ?? ''}`
  const speaker = { label: 'for the summary', ...speakerOf(entry) }
  return [{ type: 'message', role: 'user', ...speaker, messageId, parts: [{ type: 'text', text }] }]
}
