import type { Artifact } from '../../../model/artifact.ts'
import type { Part, Payload, SessionKind } from '../../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { parseMessages, type UserMessage } from '../words/human-words.ts'
import { blocksOf, plain, textOf } from './entry.ts'
import { toolError } from './tool-errors.ts'
import { toolPayload } from './tool-message.ts'

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
