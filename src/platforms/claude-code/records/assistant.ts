import { type Part, type Payload, stopReasonOf } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { billed } from './billed.ts'
import { replyPart } from './blocks.ts'

const SYNTHETIC = '<synthetic>'
/** Placeholder texts that the client writes for an empty reply. */
const CANNED = /^(?:No response requested\.|\(no content\))$/
/** Texts that the client writes for a failed reply. Early versions did not mark the line. */
const FAILED =
  /^(?:API Error\b|Prompt is too long$|Invalid API key\b|Credit balance is too low|Claude AI usage limit reached|Request timed out$|OAuth token has expired|Please run \/login\b)/
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]{0,200}\]$/

/** Some proxies give all replies the same message id, a word. */
const isUnique = (id: string): boolean => /\d/.test(id)

/** The payloads of an `assistant` line, which usually contains one block of a reply. */
export function assistantPayloads(entry: JsonObject): Payload[] {
  const message = asObject(entry.message)
  if (!message) return [{ type: 'unknown', name: 'assistant' }]
  const parts = partsOf(message.content)
  const synthetic = message.model === SYNTHETIC
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const matches = (pattern: RegExp): boolean =>
    synthetic && texts.length === parts.length && texts.every((text) => pattern.test(text.trim()))
  if (entry.isApiErrorMessage === true)
    return [{ type: 'marker', marker: 'agent-error', text: texts.join('\n') || undefined }]
  if (matches(CANNED)) return [{ type: 'skipped', name: 'assistant:synthetic' }]
  if (matches(FAILED)) return [{ type: 'marker', marker: 'agent-error', text: texts.join('\n') }]
  if (matches(INTERRUPTED)) return [{ type: 'marker', marker: 'interruption', byHuman: true }]
  const requestId = asText(entry.requestId)
  const messageId = asText(message.id) ?? requestId
  const model = synthetic ? undefined : asText(message.model)
  const { usage, others } = synthetic
    ? { others: [] }
    : billed(message.usage, { model, cost: entry.costUSD, reply: messageId && `${messageId} ${requestId}` })
  return [
    {
      type: 'message',
      role: 'assistant',
      speaker: 'agent',
      parts,
      messageId,
      requestId,
      ...(messageId !== undefined && !isUnique(messageId) ? { isReused: true } : {}),
      // The beginning of an interrupted reply is stored under a synthetic model name.
      model,
      usage,
      stopReason: stopReasonOf(message.stop_reason),
      label: entry.isSidechain === true ? 'subagent' : undefined,
    },
    ...others,
  ]
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') {
    const part = replyPart({ type: 'text', text: content })
    return part ? [part] : []
  }
  const parts: Part[] = []
  for (const block of asArray(content) ?? []) {
    const part =
      typeof block === 'string' ? replyPart({ type: 'text', text: block }) : replyPart(asObject(block) ?? {})
    if (part) parts.push(part)
  }
  return parts
}
