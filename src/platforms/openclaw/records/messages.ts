import type { Artifact } from '../../../model/artifact.ts'
import { type Part, type Payload, type SessionKind, stopReasonOf, type Usage } from '../../../model/event.ts'
import { append } from '../../../model/iteration.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { parseMessages, type UserMessage } from '../words/human-words.ts'
import { withoutSpans } from '../words/spans.ts'
import { authorOf, blocksOf, plain, textOf, usageOf } from './entry.ts'
import { toolError, toolPayload, toolResult } from './tool-results.ts'

/** The payloads of an `assistant` record: a reply, a copy of one for a channel, or a failed run. */
export function replyPayloads(message: JsonObject): Payload[] {
  const { model, mirror } = authorOf(message)
  const parts = replyParts(message.content)
  const usage = usageOf(message.usage)
  const text = asText(message.errorMessage)
  const stop = plain(asText(message.stopReason) ?? '')
  const wordless = !parts.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text !== ''),
  )
  const reply: Payload = {
    type: 'message',
    role: 'assistant',
    speaker: 'agent',
    parts,
    messageId: messageIdOf(message, model, usage),
    ...(mirror ? { mirror } : { stopReason: stopReasonOf(message.stopReason), model, usage }),
  }
  const isInterrupted = stop === 'aborted' && wordless
  if (!isInterrupted && stop !== 'error' && !(text && wordless)) return [reply]
  const marker: Payload = { type: 'marker', marker: isInterrupted ? 'interruption' : 'agent-error', text }
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
  return payloads.length > 0 ? payloads : [{ type: 'skipped', name: 'message:user' }]
}

function promptPayloads(message: JsonObject, artifact: Artifact, parts: Part[]): Payload[] {
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
function userMessage(
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

/** `!command`: the command is the human's, its output a tool's. */
export function bashPayloads(message: JsonObject, artifact: Artifact): Payload[] {
  const command = asText(message.command)
  if (command === undefined) return [{ type: 'skipped', name: 'message:bashExecution' }]
  const typed = userMessage({ speaker: 'human', text: `! ${command}`, media: [] }, artifact)
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

const THOUGHT = /<(think|thinking|thought|antthinking)>/
const THOUGHT_OPEN = /^\s*<(?:think|thinking|thought|antthinking)\b[^>]*>/i
const THOUGHT_CLOSE = /<\/(?:think|thinking|thought|antthinking)\s*>/i
const FINAL = /<\/?final\b[^>]*>/gi
const DIRECTIVE =
  /\[\[\s*(?:reply_to_current|reply_to\s*:[^\]\n]*|audio_as_voice|\/?tts(?::[^\]\n]*)?)\s*\]\][ \t]*/gi
const MEDIA = /^[ \t]*`?MEDIA:[ \t]*\S[^\n]*$\n?/gm
/** Code may contain all of these. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/

/**
 * The text of a reply's text block without thinking and delivery directives. Empty if the agent chose to stay
 * silent.
 */
export function agentWords(raw: string) {
  const thinking: string[] = []
  let media = 0
  let text = withoutThoughts(raw, thinking)
  if (text.includes('[[') || text.includes('MEDIA:') || text.includes('<'))
    text = outsideCode(text, (part) =>
      part
        .replace(FINAL, '')
        .replace(DIRECTIVE, '')
        .replace(MEDIA, () => {
          media++
          return ''
        }),
    )
  return { text: withoutSilence(text.trim()), thinking, media }
}

function withoutThoughts(raw: string, thinking: string[]): string {
  if (!raw.includes('<')) return raw
  let text = outsideCode(raw, (part) =>
    withoutSpans(
      part,
      THOUGHT,
      ([, tag]) => `</${tag!.toLowerCase()}>`,
      ({ inside }) => inside.trim() && thinking.push(inside.trim()),
    ),
  )
  // Some models omit the opening tag, and an interrupted reply the closing one.
  const close = CODE.test(text) ? null : THOUGHT_CLOSE.exec(text)
  if (close) {
    thinking.push(text.slice(0, close.index).trim())
    text = text.slice(close.index + close[0].length)
  } else if (THOUGHT_OPEN.test(text)) {
    thinking.push(text.replace(THOUGHT_OPEN, '').trim())
    text = ''
  }
  return text
}

const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')

const TOKEN = 'NO_REPLY|HEARTBEAT_OK|ANNOUNCE_SKIP|REPLY_SKIP'
const EDGE = '[\\s*_~`"\'.,:;!?()\\[\\]{}-]'
/** A text that consists only of such tokens, however decorated. */
const SILENT = new RegExp(`^(?:<[a-z]+>|${EDGE})*(?:(?:${TOKEN})(?:</?[a-z]+>|${EDGE}|&nbsp;)*)+$`, 'i')
const SILENT_ACTION = new RegExp(`^\\{\\s*"action"\\s*:\\s*"(?:${TOKEN})"\\s*\\}$`, 'i')
/** Before or after text only the exact token counts, with or without a space. */
const LEADING = /^(?:\*\*)?(?:NO_REPLY|HEARTBEAT_OK)(?:\*\*)?[.!]?\s*(?=[^\s_a-z])/
const TRAILING = /(?<![\w"'`])\*{0,2}(?:NO_REPLY|HEARTBEAT_OK)\*{0,2}$/

/** What newer versions store for a reply without content. */
const FAILED = '[assistant turn failed before producing content]'

function withoutSilence(text: string): string {
  if (text === FAILED) return ''
  if (!/NO_REPLY|HEARTBEAT_OK|_SKIP/i.test(text)) return text
  if (SILENT.test(text) || SILENT_ACTION.test(text)) return ''
  return text.replace(LEADING, '').replace(TRAILING, '').trim()
}
