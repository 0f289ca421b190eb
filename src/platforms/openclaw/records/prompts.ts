import type { Artifact } from '../../../model/artifact.ts'
import type { Part, Payload, SessionKind } from '../../../model/event.ts'
import { append } from '../../../model/iteration.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { condensedPayloads } from '../../condensed.ts'
import { skipped } from '../../messages.ts'
import { blocksOf, plain, textOf } from '../../pi-records/entry.ts'
import { toolPayload } from '../../pi-records/tool-results.ts'
import { parseMessages, type UserMessage } from '../words/human-words.ts'

/** The payloads of a `user` record, with their speakers. Only injected context is skipped. */
export function userPayloads(message: JsonObject, artifact: Artifact): Payload[] {
  const parts: Part[] = []
  const payloads: Payload[] = []
  for (const block of blocksOf(message.content)) {
    if (block.kind === 'result') payloads.push(toolPayload(block.block))
    else if (block.kind !== 'text' && block.part.type !== 'thinking') parts.push(block.part)
  }
  if (message.display !== false && message.excludeFromContext !== true && !message.runtimeContextCarrier)
    append(payloads, promptPayloads(message, artifact, parts))
  return payloads.length > 0 ? payloads : [skipped('message:user')]
}

function promptPayloads(message: JsonObject, artifact: Artifact, parts: Part[]): Payload[] {
  const condensed = condensedPayloads(textOf(message.content))
  if (condensed) return condensed
  const origin = provenanceOf(message)
  const external = origin !== undefined && origin.label === undefined
  const inGroup = /:(?:group|channel):/.test(artifact.sessionKey ?? '')
  const prompts = parseMessages(textOf(message.content), { inGroup, external })
  const hasFiles = asText(message.MediaPath) !== undefined || Array.isArray(message.MediaPaths)
  // Files are named next to the content, as for a channel, or are blocks of it.
  if (prompts.length === 0 && (parts.length > 0 || hasFiles))
    prompts.push({ speaker: 'human', text: '', media: parts.length > 0 ? [] : ['file'] })
  // When the client rewrites a history, a record gets a new id and time, but keeps this one.
  const sentAt = asNumber(message.timestamp)
  return prompts.map((sent, index) => {
    const payload = userMessage(sent, artifact, origin)
    if (index === 0 && parts.length > 0) {
      const isNamed = parts.some(({ type }) => type === 'media')
      payload.parts = [...payload.parts.filter(({ type }) => type !== 'media' || !isNamed), ...parts]
    }
    return { ...payload, ...(sentAt !== undefined && { messageId: String(sentAt) }) }
  })
}

/**
 * The kind of the session takes precedence: where no human can write, every `user` message is a program's.
 */
export function userMessage(
  sent: UserMessage,
  { kindHint: kind }: Artifact,
  origin?: Origin,
): Extract<Payload, { type: 'message' }> {
  const driven = kind === undefined || kind === 'human' ? undefined : kind
  const label = driven === 'subagent' ? 'subagent task' : (driven ?? origin?.label)
  const isProgram = sent.speaker === 'program'
  const text: Part[] = sent.text === '' ? [] : [{ type: 'text', text: sent.text }]
  return {
    type: 'message',
    role: 'user',
    speaker: isProgram || label !== undefined ? 'program' : 'human',
    parts: [...text, ...sent.media.map((name): Part => ({ type: 'media', name }))],
    label: (isProgram ? sent.label : (label ?? sent.label)) || undefined,
    kindEvidence: sent.kindEvidence ?? origin?.kind,
    queued: sent.queued || undefined,
  }
}

/** Where a message came from. A person outside wrote one without a label. */
interface Origin {
  label?: string
  kind?: SessionKind
}

/** Where a message came from, as recorded by newer versions. */
function provenanceOf(message: JsonObject): Origin | undefined {
  const provenance = asObject(message.provenance)
  const tool = asText(provenance?.sourceTool) ?? ''
  switch (plain(asText(provenance?.kind) ?? '')) {
    case 'externaluser':
      return {}
    case 'intersession': {
      const isResult = /announce|settle|completion|harness|_generate$/.test(tool)
      return { label: isResult ? 'subagent result' : 'inter-session' }
    }
    case 'internalsystem':
      if (asText(provenance?.jobId) || tool === 'cron') return { label: 'cron', kind: 'cron' }
      return { label: /heartbeat/.test(tool) ? 'heartbeat' : 'internal' }
    default:
      return undefined
  }
}
