import type { Line } from '../../../io/lines.ts'
import type { Artifact } from '../../../model/artifact.ts'
import {
  type Draft,
  type LinkRelation,
  type Part,
  type Payload,
  type ReplyUsage,
  type TitleSource,
  unknownValue,
} from '../../../model/event.ts'
import { asArray, asCount, asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { NO_TOKENS } from '../../../model/usage.ts'
import { failed, skipped } from '../../messages.ts'
import { textOf } from '../../result-text.ts'
import { isBookkeeping, isKnownAttachment, isSystemNote, REQUESTS } from './known-types.ts'
import { failureIn, NOTICE } from './notices.ts'
import { assistantPayloads } from './reply.ts'
import { summaryWords, userPayloads } from './user.ts'
import { cleanUserText, isControl, isRelayed, speakerOf } from './words.ts'

const TYPE = '{"type":"'
/** A key of messages. A string that contains it has backslashes before its quotes. */
const UUID = '"uuid":'
const OBJECT = '{"'
/** What precedes an object inside of another one, in JSON without white space: `[`, `,` or `:`. */
const BEFORE_OBJECT = new Set([91, 44, 58])
const QUOTE = 34
const CLOSE = 125
const LONGEST_TYPE = 40

/**
 * Recognizes a request by its first bytes, unless it ends early, or a lost newline has joined it with another
 * record.
 */
export function skip({ bytes, start, end }: Pick<Line, 'bytes' | 'start' | 'end'>): string | undefined {
  const at = start + TYPE.length
  if (end - at < LONGEST_TYPE || bytes.toString('latin1', start, at) !== TYPE) return undefined
  const close = bytes.indexOf(QUOTE, at)
  const type = close - at > LONGEST_TYPE ? undefined : bytes.toString('latin1', at, close)
  if (type === undefined || !REQUESTS.has(type) || bytes[end - 1] !== CLOSE) return undefined
  const rest = bytes.subarray(close, end)
  if (rest.includes(UUID)) return undefined
  for (let object = rest.indexOf(OBJECT); object >= 0; object = rest.indexOf(OBJECT, object + 1))
    if (!BEFORE_OBJECT.has(rest[object - 1]!)) return undefined
  return type
}

/** Normalizes one line. Every entry yields at least one draft, and no content makes it throw. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const entry = asObject(value)
  if (!entry) return [{ payload: unknownValue(value) }]
  const type = asText(entry.type)
  if (type !== undefined && REQUESTS.has(type)) return [{ payload: skipped(type) }]
  const envelope = envelopeOf(entry)
  return payloadsOf(type, entry, artifact).map((payload) => ({ ...envelope, payload }))
}

function envelopeOf(entry: JsonObject): Omit<Draft, 'payload'> {
  return {
    id: asText(entry.uuid),
    parentId: asText(entry.parentUuid) ?? asText(entry.logicalParentUuid),
    at: asTime(entry.timestamp),
    cwd: asText(entry.cwd),
    sessionId: asText(entry.sessionId),
    version: asText(entry.version),
    branch: asText(entry.gitBranch),
    forkedFrom: asText(asObject(entry.forkedFrom)?.messageUuid),
  }
}

function payloadsOf(type: string | undefined, entry: JsonObject, artifact: Artifact): Payload[] {
  if (type === undefined) return [{ type: 'unknown', name: '(untyped)' }]
  if (isBookkeeping(type)) return [skipped(type)]
  switch (type) {
    case 'user':
      return userPayloads(entry, artifact)
    case 'assistant':
      return assistantPayloads(entry)
    case 'attachment':
      return attachment(entry)
    case 'system':
      return system(entry)
    case 'queue-operation':
      return [queue(entry)]
    case 'summary':
      return [titled(type, entry.summary, 'summary', asText(entry.leafUuid))]
    case 'custom-title':
      return [titled(type, entry.customTitle, 'custom')]
    case 'ai-title':
      return [titled(type, entry.aiTitle, 'ai')]
    case 'last-prompt':
      return isControl(asText(entry.lastPrompt)?.trim() ?? '')
        ? [skipped(type)]
        : [titled(type, entry.lastPrompt, 'last-prompt')]
    case 'agent-name':
      return [skipped(type)]
    case 'pr-link':
      return [linked(type, 'pull-request', entry.prUrl)]
    case 'relocated':
      return [linked(type, 'relocated', entry.relocatedCwd)]
    case 'continued-in':
      return [linked(type, 'continued-in', entry.continuedInSessionId)]
    case 'worktree-state': {
      const worktree = asObject(entry.worktreeSession)
      return [linked(type, 'worktree', worktree?.worktreePath, asText(worktree?.originalCwd))]
    }
    case 'cost-state':
      return [statedUsage(entry)]
    case 'conversation_reset':
      return [{ type: 'marker', marker: 'reset' }]
    default:
      return [{ type: 'unknown', name: type }]
  }
}

/** The client's running total of the session, by model if recorded. */
function statedUsage(entry: JsonObject): Payload {
  const used: ReplyUsage[] = Object.entries(asObject(entry.modelUsage) ?? {}).flatMap(([model, usage]) => {
    const known = statedBy(asObject(usage) ?? {})
    return known ? [{ ...known, model }] : []
  })
  const cost = asCount(entry.totalCostUSD) ?? 0
  if (used.length === 0 && cost > 0) used.push({ ...NO_TOKENS, cost })
  if (used.length === 0) return skipped('cost-state')
  const sum = asNumber(entry.startTime)
  return { type: 'stated-usage', ...(sum === undefined ? {} : { sum }), used }
}

/** Undefined if all figures are zero. */
function statedBy(usage: JsonObject): ReplyUsage | undefined {
  const count = (name: string): number => asCount(usage[name]) ?? 0
  const cacheWriteHour = count('cacheCreationEphemeral1hInputTokens')
  const known: ReplyUsage = {
    input: count('inputTokens'),
    output: count('outputTokens'),
    cacheRead: count('cacheReadInputTokens'),
    cacheWrite: count('cacheCreationInputTokens'),
    ...(cacheWriteHour > 0 ? { cacheWriteHour } : {}),
    cost: count('costUSD'),
  }
  return Object.values(known).some((each) => Number(each) > 0) ? known : undefined
}

function titled(type: string, title: unknown, source: TitleSource, leaf?: string): Payload {
  const text = asText(title)?.trim()
  return text ? { type: 'title', title: text, source, leaf } : skipped(type)
}

function linked(type: string, relation: LinkRelation, target: unknown, from?: string): Payload {
  const text = asText(target)
  return text ? { type: 'link', relation, target: text, from } : skipped(type)
}

function attachment(entry: JsonObject): Payload[] {
  const held = asObject(entry.attachment)
  const type = asText(held?.type)
  if (held && type === 'queued_command') {
    const failure = held.commandMode === NOTICE ? failureIn(textOf(held.prompt)) : []
    return failure.length > 0 ? failure : [queuedCommand(entry, held)]
  }
  // The client writes it between the copied records and the directive.
  if (type === 'fork_briefing') return [{ type: 'directive-follows' }]
  return [
    {
      type: type && isKnownAttachment(type) ? 'skipped' : 'unknown',
      name: `attachment:${type ?? 'untyped'}`,
    },
  ]
}

/** A prompt that was queued while the agent was busy and sent in the middle of its turn. */
function queuedCommand(entry: JsonObject, held: JsonObject): Payload {
  const name = 'attachment:queued_command'
  const mode = asText(held.commandMode) ?? 'prompt'
  const text = textOf(held.prompt)
  const relayed = isRelayed({ origin: held.origin ?? entry.origin ?? null })
  if ((held.isMeta === true && !relayed) || (mode !== 'prompt' && mode !== 'bash')) return skipped(name)
  const { words } = cleanUserText(text)
  const media = (asArray(held.prompt) ?? []).flatMap((block): Part[] => {
    const kind = asObject(block)?.type
    return kind === 'image' || kind === 'document' ? [{ type: 'media', name: kind }] : []
  })
  if (words === '' && (media.length === 0 || text.trim() !== '')) return skipped(name)
  const speaker = speakerOf({ ...entry, origin: held.origin ?? entry.origin }, text.trimStart())
  const typed = mode === 'bash' && !words.startsWith('! ') ? `! ${words}` : words
  const parts: Part[] = words === '' ? media : [{ type: 'text', text: typed }, ...media]
  return { type: 'message', role: 'user', ...speaker, queued: true, parts }
}

function queue(entry: JsonObject): Payload {
  const name = 'queue-operation'
  const text = asText(entry.content)
  const words = text === undefined ? undefined : cleanUserText(text).words
  switch (entry.operation) {
    case 'enqueue':
      // Without text it is a notification, or from a version that did not store the text.
      return { type: 'queue', operation: 'enqueue', text: words || undefined }
    case 'dequeue':
    case 'remove':
      return { type: 'queue', operation: entry.operation, text: words || undefined }
    case 'popAll':
      return { type: 'queue', operation: 'pop-all', text: words || undefined }
    default:
      return skipped(name)
  }
}

function system(entry: JsonObject): Payload[] {
  const subtype = asText(entry.subtype)
  if (subtype === undefined) return [skipped('system')]
  const text = typeof entry.content === 'string' ? entry.content : ''
  switch (subtype) {
    case 'compact_boundary':
      return [...summaryWords(entry), { type: 'marker', marker: 'compaction' }]
    case 'informational':
      return [informational(entry)]
    case 'api_error':
    case 'error':
    case 'api_refusal':
      return [failedRequest(entry)]
    case 'local_command':
    case 'voice_call_talk': {
      const { words } = cleanUserText(text)
      if (words === '' || entry.isMeta === true) return [skipped(`system:${subtype}`)]
      if (isControl(words)) return [{ type: 'marker', marker: 'local-command', text: words }]
      const speaker =
        subtype === 'local_command' ? speakerOf(entry) : { speaker: 'human' as const, label: 'voice' }
      return [{ type: 'message', role: 'user', ...speaker, parts: [{ type: 'text', text: words }] }]
    }
    default:
      return [
        {
          type: isSystemNote(subtype) ? 'skipped' : 'unknown',
          name: `system:${subtype}`,
        },
      ]
  }
}

/**
 * A failed request to the API. If the client retries, it is not an error yet: a line of its own reports the
 * failure of the last attempt.
 */
function failedRequest(entry: JsonObject): Payload {
  const text = errorText(entry)
  const attempt = asNumber(entry.retryAttempt)
  if (attempt === undefined) return failed(text)
  const most = asNumber(entry.maxRetries)
  return { type: 'marker', marker: 'retry', text: `${text} (${attempt}${most ? ` of ${most}` : ''})` }
}

function errorText(entry: JsonObject): string {
  const error = asObject(entry.error)
  const formatted = asText(error?.formatted)?.trim()
  if (formatted) return formatted
  const inner = asObject(error?.error)
  const message = asText(asObject(inner?.error)?.message) ?? asText(inner?.message) ?? asText(error?.message)
  const status = asNumber(error?.status)
  const reason = message ?? asText(entry.content) ?? asText(entry.error) ?? 'API error'
  return status === undefined || reason.startsWith(`${status} `) ? reason : `${status} ${reason}`
}

const SKIPPED: Payload = skipped('system:informational')

/** The text before a prompt that a hook blocked. */
const BLOCKED = /^UserPromptSubmit operation (?:blocked|stopped) by hook/
const ORIGINAL = '\n\nOriginal prompt: '
/** An unknown slash command. Its arguments follow as an entry of their own. */
const UNKNOWN_COMMAND = /^Unknown (?:slash command|command|skill): (\/?[^\s.]+)\.?(?: Did you mean .*)?$/s
const UNKNOWN_ARGUMENTS = 'Args from unknown skill: '

/** A notice to the human. Some contain the only copy of a prompt. */
function informational(entry: JsonObject): Payload {
  const text = asText(entry.content) ?? ''
  if (BLOCKED.test(text)) return blocked(entry, text)
  const command = UNKNOWN_COMMAND.exec(text)?.[1]
  if (command) return prompt(entry, command.startsWith('/') ? command : `/${command}`)
  if (text.startsWith(UNKNOWN_ARGUMENTS))
    return prompt(entry, text.slice(UNKNOWN_ARGUMENTS.length), undefined, true)
  return SKIPPED
}

/** If the prompt was kept, it has a line of its own. */
function blocked(entry: JsonObject, text: string): Payload {
  const at = text.indexOf(ORIGINAL)
  if (at < 0 || asObject(entry.promptSubmitEnding)?.promptKept === true) return SKIPPED
  return prompt(entry, text.slice(at + ORIGINAL.length), 'blocked by a hook')
}

function prompt(entry: JsonObject, text: string, label?: string, continues?: true): Payload {
  const words = text.trim()
  if (words === '') return SKIPPED
  const parts = [{ type: 'text' as const, text: words }]
  return {
    type: 'message',
    role: 'user',
    label,
    ...speakerOf(entry),
    parts,
    ...(continues ? { continues } : {}),
  }
}
