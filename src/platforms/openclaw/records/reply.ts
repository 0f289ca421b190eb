import { type Part, type Payload, stopReasonOf } from '../../../model/event.ts'
import { asNumber, asText, type JsonObject } from '../../../model/json.ts'
import { agentWords } from '../words/agent-words.ts'
import { authorOf, blocksOf, plain, usageOf } from './entry.ts'
import { toolResult } from './tool-message.ts'

/** The payloads of an `assistant` record: a reply, a copy of one for a channel, or a failed run. */
export function replyPayloads(message: JsonObject): Payload[] {
  const { model, mirror } = authorOf(message)
  const parts = replyParts(message.content)
  const stop = plain(asText(message.stopReason) ?? '')
  const wordless = !parts.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text !== ''),
  )
  const stopReason = stopReasonOf(message.stopReason)
  const reply: Payload = {
    type: 'message',
    role: 'assistant',
    speaker: 'agent',
    parts,
    ...messageIdOf(message, model),
    ...(mirror
      ? { mirror: true }
      : { ...(stopReason ? { stopReason } : {}), ...(model ? { model } : {}), ...usageField(message) }),
  }
  const error = asText(message.errorMessage)
  if (stop === 'aborted' && wordless)
    return spent(message, reply, {
      type: 'marker',
      marker: 'interruption',
      ...(error ? { text: error } : {}),
    })
  if (stop === 'error' || (error && wordless)) {
    const marker: Payload = { type: 'marker', marker: 'agent-error', ...(error ? { text: error } : {}) }
    return wordless ? spent(message, reply, marker) : [reply, marker]
  }
  return [reply]
}

/**
 * What identifies a reply wherever it is stored: the id of the response, or its own time, which remains when
 * the client writes the history again. Ids of records are short, and unique within one session only.
 */
function messageIdOf(message: JsonObject, model: string | undefined): { messageId?: string } {
  const response = asText(message.responseId)
  if (response) return { messageId: response }
  const at = asNumber(message.timestamp)
  if (at === undefined) return {}
  const { input = 0, output = 0 } = usageOf(message.usage) ?? {}
  return { messageId: `${at} ${model ?? ''} ${input} ${output}` }
}

const usageField = (message: JsonObject) => {
  const usage = usageOf(message.usage)
  return usage ? { usage } : {}
}

/** A failed reply without text yields only a marker, unless it has usage or thinking. */
function spent(message: JsonObject, reply: Payload & { type: 'message' }, marker: Payload): Payload[] {
  const usage = usageOf(message.usage)
  const paid = usage !== undefined && usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0
  return paid || reply.parts.length > 0 ? [reply, marker] : [marker]
}

function replyParts(content: unknown): Part[] {
  const parts: Part[] = []
  for (const block of blocksOf(content)) {
    if (block.kind === 'text') {
      const words = agentWords(block.text.replaceAll('\0', ''))
      for (const text of words.thinking) parts.push({ type: 'thinking', text })
      if (words.text !== '') parts.push({ type: 'text', text: words.text })
      for (let index = 0; index < words.media; index++) parts.push({ type: 'media', name: 'file' })
    } else if (block.kind === 'result') {
      parts.push(toolResult(block.block))
    } else parts.push(block.part)
  }
  return parts
}
