import type { Artifact } from '../../../model/artifact.ts'
import { type Part, type Payload, type SessionKind, stopReasonOf } from '../../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { agentWords } from '../words/agent-words.ts'
import { parseMessages, type UserMessage } from '../words/human-words.ts'
import { authorOf, blocksOf, plain, textOf, usageOf } from './entry.ts'
import { toolError, toolPayload, toolResult } from './tool-results.ts'

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

/** Labels for programs, by the kind of session. */
const LABELS: Record<Exclude<SessionKind, 'human'>, string> = {
  cron: 'cron',
  subagent: 'subagent task',
  heartbeat: 'heartbeat',
  hook: 'hook',
  program: 'program',
}

/** The payloads of a `user` record, with their speakers. Only injected context is skipped. */
export function userPayloads(message: JsonObject, artifact: Artifact): Payload[] {
  const parts: Part[] = []
  const results: Payload[] = []
  for (const block of blocksOf(message.content)) {
    if (block.kind === 'result') results.push(toolPayload(block.block))
    else if (block.kind === 'call') parts.push(block.part)
    else if (block.kind === 'other' && block.part.type !== 'thinking') parts.push(block.part)
  }
  const text = textOf(message.content)
  const hidden =
    message.display === false || message.excludeFromContext === true || message.runtimeContextCarrier
  const origin = hidden ? undefined : provenanceOf(message)
  const messages = hidden
    ? []
    : parseMessages(text, { inGroup: isGroup(artifact.sessionKey), external: origin?.external === true })
  const payloads = messages.map((one) => userMessage(one, artifact, origin))
  if (parts.length > 0 && !hidden) {
    const [first] = payloads
    if (first?.type === 'message')
      first.parts = [...first.parts.filter((part) => part.type !== 'media' || !parts.some(isMedia)), ...parts]
    else payloads.push(userMessage({ speaker: 'human', text: '', media: [] }, artifact, origin, parts))
  } else if (payloads.length === 0 && !hidden && hasFiles(message)) {
    payloads.push(userMessage({ speaker: 'human', text: '', media: ['file'] }, artifact, origin))
  }
  // When the client rewrites a history, a record gets a new id and time, but keeps this one.
  const sentAt = asNumber(message.timestamp)
  if (sentAt !== undefined)
    for (const payload of payloads) if (payload.type === 'message') payload.messageId = String(sentAt)
  const all = [...results, ...payloads]
  return all.length > 0 ? all : [{ type: 'skipped', name: 'message:user' }]
}

const isMedia = (part: Part): boolean => part.type === 'media'

/** Whether files are named next to the content, as for a channel. */
const hasFiles = (message: JsonObject): boolean =>
  asText(message.MediaPath) !== undefined || Array.isArray(message.MediaPaths)

/**
 * The kind of the session takes precedence: where no human can write, every `user` message is a program's.
 */
function userMessage(
  sent: UserMessage,
  artifact: Artifact,
  origin: Origin | undefined,
  more: Part[] = [],
): Payload {
  const kind = artifact.kindHint
  const driven = kind !== undefined && kind !== 'human' ? LABELS[kind] : undefined
  const foreign = origin && !origin.external ? origin.label : undefined
  const program = sent.speaker === 'program' || driven !== undefined || foreign !== undefined
  const parts: Part[] = sent.text === '' ? [] : [{ type: 'text', text: sent.text }]
  for (const name of sent.media) parts.push({ type: 'media', name })
  const label = sent.speaker === 'program' ? sent.label : (driven ?? foreign ?? sent.label)
  return {
    type: 'message',
    role: 'user',
    speaker: program ? 'program' : 'human',
    parts: [...parts, ...more],
    ...(label ? { label } : {}),
    ...((sent.kindEvidence ?? origin?.kind) ? { kindEvidence: sent.kindEvidence ?? origin?.kind } : {}),
    ...(sent.queued ? { queued: true } : {}),
  }
}

interface Origin {
  external: boolean
  label: string
  kind?: SessionKind
}

/** Where a message came from, as recorded by newer versions. */
function provenanceOf(message: JsonObject): Origin | undefined {
  const provenance = asObject(message.provenance)
  const tool = asText(provenance?.sourceTool) ?? ''
  switch (plain(asText(provenance?.kind) ?? '')) {
    case 'externaluser':
      return { external: true, label: '' }
    case 'intersession':
      return {
        external: false,
        label: /announce|settle|completion|harness|_generate$/.test(tool)
          ? 'subagent result'
          : 'inter-session',
      }
    case 'internalsystem':
      return asText(provenance?.jobId) || tool === 'cron'
        ? { external: false, label: 'cron', kind: 'cron' }
        : { external: false, label: /heartbeat/.test(tool) ? 'heartbeat' : 'internal' }
    default:
      return undefined
  }
}

const isGroup = (sessionKey: string | undefined): boolean =>
  sessionKey !== undefined && /:(?:group|channel):/.test(sessionKey)

/** `!command`: the command is the human's, its output a tool's. */
export function bashPayloads(message: JsonObject, artifact: Artifact): Payload[] {
  const command = asText(message.command)
  if (command === undefined) return [{ type: 'skipped', name: 'message:bashExecution' }]
  const typed = userMessage({ speaker: 'human', text: `! ${command}`, media: [] }, artifact, undefined)
  const exitCode = asNumber(message.exitCode)
  if ((exitCode === undefined || exitCode === 0) && message.cancelled !== true) return [typed]
  const failed = toolError({ details: { exitCode: exitCode ?? 1 } }, 'bash', asText(message.output) ?? '')
  return [
    typed,
    {
      type: 'message',
      role: 'tool',
      speaker: 'program',
      parts: [{ type: 'tool-result', toolName: 'bash', ...failed, body: message.output }],
    },
  ]
}
