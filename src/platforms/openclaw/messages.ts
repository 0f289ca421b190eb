import type { Artifact } from '../../model/artifact.ts'
import type { Part, Payload, SessionKind } from '../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../model/json.ts'
import { agentWords } from './agent-words.ts'
import { authorOf, blocksOf, callIdOf, plain, textOf, usageOf } from './entry.ts'
import { listen, type Said } from './human-words.ts'
import { toolError } from './tool-errors.ts'

/** What a `message` record means: one payload, or several when one record holds several messages. */
export function messagePayloads(message: JsonObject, artifact: Artifact): Payload[] {
  const role = asText(message.role)
  switch (role === undefined ? undefined : plain(role)) {
    case undefined:
      return roleless(message)
    case 'user':
    case 'human':
      return user(message, artifact)
    case 'assistant':
      return assistant(message)
    case 'toolresult':
    case 'tool':
    case 'function':
      return [toolMessage(message, message)]
    case 'bashexecution':
      return bash(message, artifact)
    case 'custom':
    case 'hookmessage':
      return [{ type: 'skipped', name: named('custom_message', message.customType) }]
    case 'branchsummary':
      return [{ type: 'marker', marker: 'branch', text: asText(message.summary) }]
    case 'compactionsummary':
      return [{ type: 'marker', marker: 'compaction', text: asText(message.summary) }]
    case 'system':
    case 'developer':
      return [{ type: 'skipped', name: `message:${role}` }]
    default:
      return [{ type: 'unknown', name: `message:${role}` }]
  }
}

/** `custom_message:openclaw.runtime-context`; the bare type when it has no kind. */
export const named = (type: string, kind: unknown): string =>
  asText(kind) ? `${type}:${asText(kind)}` : type

/** Who a program's words in a session of this kind come from. */
const LABELS: Record<Exclude<SessionKind, 'human'>, string> = {
  cron: 'cron',
  subagent: 'subagent task',
  heartbeat: 'heartbeat',
  hook: 'hook',
  program: 'program',
}

function user(message: JsonObject, artifact: Artifact): Payload[] {
  const parts: Part[] = []
  const results: Payload[] = []
  for (const block of blocksOf(message.content)) {
    if (block.kind === 'result') results.push(toolMessage(block.block, message))
    else if (block.kind === 'call') parts.push(block.part)
    else if (block.kind === 'other' && block.part.type !== 'thinking') parts.push(block.part)
  }
  const text = textOf(message.content)
  const hidden =
    message.display === false || message.excludeFromContext === true || message.runtimeContextCarrier
  const origin = hidden ? undefined : provenanceOf(message)
  const said = hidden
    ? []
    : listen(text, { inGroup: isGroup(artifact.sessionKey), external: origin?.external === true })
  const payloads = said.map((one) => userMessage(one, artifact, origin))
  if (parts.length > 0 && !hidden) {
    const [first] = payloads
    if (first?.type === 'message')
      first.parts = [...first.parts.filter((part) => part.type !== 'media' || !parts.some(isMedia)), ...parts]
    else payloads.push(userMessage({ speaker: 'human', text: '', media: [] }, artifact, origin, parts))
  } else if (payloads.length === 0 && !hidden && hasFiles(message)) {
    payloads.push(userMessage({ speaker: 'human', text: '', media: ['file'] }, artifact, origin))
  }
  const all = [...results, ...payloads]
  return all.length > 0 ? all : [{ type: 'skipped', name: 'message:user' }]
}

const isMedia = (part: Part): boolean => part.type === 'media'

/** Files that a channel received are named beside the content, too. */
const hasFiles = (message: JsonObject): boolean =>
  asText(message.MediaPath) !== undefined || Array.isArray(message.MediaPaths)

/** The kind of a session comes first: where no person can write, whatever a `user` says is a program's. */
function userMessage(said: Said, artifact: Artifact, origin: Origin | undefined, more: Part[] = []): Payload {
  const kind = artifact.kindHint
  const driven = kind !== undefined && kind !== 'human' ? LABELS[kind] : undefined
  const foreign = origin && !origin.external ? origin.label : undefined
  const program = said.speaker === 'program' || driven !== undefined || foreign !== undefined
  const parts: Part[] = said.text === '' ? [] : [{ type: 'text', text: said.text }]
  for (const name of said.media) parts.push({ type: 'media', name })
  const label = said.speaker === 'program' ? said.label : (driven ?? foreign ?? said.label)
  return {
    type: 'message',
    role: 'user',
    speaker: program ? 'program' : 'human',
    parts: [...parts, ...more],
    ...(label ? { label } : {}),
    ...((said.kindEvidence ?? origin?.kind) ? { kindEvidence: said.kindEvidence ?? origin?.kind } : {}),
    ...(said.queued ? { queued: true } : {}),
  }
}

interface Origin {
  external: boolean
  label: string
  kind?: SessionKind
}

/** Where newer versions say a message came from. */
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

function assistant(message: JsonObject): Payload[] {
  const { model, mirror } = authorOf(message)
  const parts = replyParts(message.content)
  const stop = plain(asText(message.stopReason) ?? '')
  const wordless = !parts.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text !== ''),
  )
  const reply: Payload = {
    type: 'message',
    role: 'assistant',
    speaker: 'agent',
    parts,
    ...(asText(message.responseId) ? { messageId: asText(message.responseId) } : {}),
    ...(mirror ? { mirror: true } : { ...(model ? { model } : {}), ...usageField(message) }),
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

const usageField = (message: JsonObject) => {
  const usage = usageOf(message.usage)
  return usage ? { usage } : {}
}

/** A failed reply without words is only its marker, unless tokens were paid for it or it holds thoughts. */
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
      const text = textOf(block.block.content)
      parts.push({
        type: 'tool-result',
        callId: callIdOf(block.block),
        ...toolError(block.block, undefined, text),
        body: block.block.content,
      })
    } else parts.push(block.part)
  }
  return parts
}

/** A tool's result: what matters of it is whether it went wrong. */
function toolMessage(result: JsonObject, message: JsonObject): Payload {
  const toolName = asText(result.toolName) ?? asText(result.tool_name) ?? asText(result.name)
  const callId =
    result === message ? (callIdOf({ ...message, id: undefined }) ?? undefined) : callIdOf(result)
  const content = result.content ?? result.output ?? result.result
  const parts: Part[] = [
    {
      type: 'tool-result',
      ...(callId ? { callId } : {}),
      ...(toolName ? { toolName } : {}),
      ...toolError(result, toolName, textOf(content)),
      body: content,
    },
  ]
  for (const block of blocksOf(content))
    if (block.kind === 'other' && block.part.type !== 'thinking') parts.push(block.part)
  return { type: 'message', role: 'tool', speaker: 'program', parts }
}

/** `!command`: the command is the human's, its output a tool's. */
function bash(message: JsonObject, artifact: Artifact): Payload[] {
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

/** A text that was spread into an object, `{"0":"e","1":"v",…}`: seen in place of replies. */
function roleless(message: JsonObject): Payload[] {
  const characters: string[] = []
  for (let index = 0; typeof message[String(index)] === 'string'; index++)
    characters.push(message[String(index)] as string)
  const isReply =
    message.usage !== undefined || message.stopReason !== undefined || message.model !== undefined
  if (characters.length > 0 && isReply) return assistant({ ...message, content: characters.join('') })
  return [{ type: 'unknown', name: 'message:(no role)' }]
}
