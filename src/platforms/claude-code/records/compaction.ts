import type { Payload } from '../../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { speakerOf } from '../words/speaker.ts'

/**
 * The human's instructions for a summary of a part of the conversation. They occur at the boundary and again
 * at the summary; the number of summarized messages identifies the pair. The arguments of `/compact` are in
 * the line of that command.
 */
export function summaryWords(entry: JsonObject): Payload[] {
  const metadata = asObject(entry.compactMetadata) ?? asObject(entry.summarizeMetadata)
  const text = asText(metadata?.userContext)?.trim()
  if (!text) return []
  const messageId = `summary of ${asNumber(metadata?.messagesSummarized) ?? ''}`
  const speaker = { label: 'for the summary', ...speakerOf(entry) }
  return [{ type: 'message', role: 'user', ...speaker, messageId, parts: [{ type: 'text', text }] }]
}
