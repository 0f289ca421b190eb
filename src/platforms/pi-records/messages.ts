import type { Artifact } from '../../model/artifact.ts'
import { type Part, type Payload, stopReasonOf, type Usage } from '../../model/event.ts'
import { asNumber, asText, type JsonObject } from '../../model/json.ts'
import { failed, returned, skipped, spoken } from '../messages.ts'
import type { Dialect } from './dialect.ts'
import { blocksOf, plain, usageOf } from './entry.ts'
import { toolError, toolResult } from './tool-results.ts'

/** The payloads of an `assistant` record: a reply, a copy of one for a channel, or a failed run. */
export function replyPayloads(message: JsonObject, { wordsOf, isMirror }: Dialect): Payload[] {
  const model = asText(message.model)
  const mirror = isMirror?.(message) === true
  const parts = replyParts(message.content, wordsOf)
  const usage = usageOf(message.usage)
  const text = asText(message.errorMessage)
  const stop = plain(asText(message.stopReason) ?? '')
  const wordless = !parts.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text !== ''),
  )
  const reply = spoken(parts, {
    messageId: messageIdOf(message, model, usage),
    ...(mirror ? { mirror } : { stopReason: stopReasonOf(message.stopReason), model, usage }),
  })
  const isInterrupted = stop === 'aborted'
  if (!isInterrupted && stop !== 'error' && !(text && wordless)) return [reply]
  const marker: Payload = isInterrupted ? { type: 'marker', marker: 'interruption', text } : failed(text)
  // A failed reply without text yields only a marker, unless it has usage or thinking.
  const paid = usage !== undefined && usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0
  return wordless && !paid && parts.length === 0 ? [marker] : [reply, marker]
}

/**
 * What identifies a reply wherever it is stored: the id of the response, or its own time, which remains when
 * the client writes the history again. Ids of records are short, and unique within one session only.
 */
function messageIdOf(message: JsonObject, model = '', usage?: Usage): string | undefined {
  const at = asNumber(message.timestamp)
  const own = at === undefined ? undefined : `${at} ${model} ${usage?.input ?? 0} ${usage?.output ?? 0}`
  return asText(message.responseId) ?? own
}

function replyParts(content: unknown, wordsOf: Dialect['wordsOf']): Part[] {
  const parts: Part[] = []
  for (const block of blocksOf(content)) {
    if (block.kind === 'text') {
      const { thinking, text, media } = wordsOf(block.text.replaceAll('\0', ''))
      for (const thought of thinking) parts.push({ type: 'thinking', text: thought })
      if (text !== '') parts.push({ type: 'text', text })
      for (let index = 0; index < media; index++) parts.push({ type: 'media', name: 'file' })
    } else if (block.kind === 'result') {
      parts.push(toolResult(block.block))
    } else parts.push(block.part)
  }
  return parts
}

/** `!command`: the command is the human's, its output a tool's. */
export function bashPayloads(message: JsonObject, artifact: Artifact, { typed }: Dialect): Payload[] {
  const command = asText(message.command)
  if (command === undefined) return [skipped('message:bashExecution')]
  const prompt = typed(command, message, artifact)
  const exitCode = asNumber(message.exitCode)
  if ((exitCode === undefined || exitCode === 0) && message.cancelled !== true) return [prompt]
  const failed = toolError({ details: { exitCode: exitCode ?? 1 } }, 'bash', asText(message.output) ?? '')
  return [prompt, returned([{ type: 'tool-result', toolName: 'bash', ...failed, body: message.output }])]
}
