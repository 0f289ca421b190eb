import type { Part, Payload, ReplyUsage, Usage } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { cleanUserText } from '../words/human-words.ts'
import { isRelayed, speakerOf } from '../words/speaker.ts'
import { resultText } from './blocks.ts'
import { summaryWords } from './compaction.ts'
import {
  ATTACHMENT_FAMILY,
  ATTACHMENTS,
  BOOKKEEPING,
  BOOKKEEPING_FAMILY,
  SYSTEM_FAMILY,
  SYSTEM_NOTES,
} from './entry-types.ts'
import { failedRequest } from './failed-request.ts'
import { informational } from './informational.ts'

const bookkeeping = new Set(BOOKKEEPING)
const attachments = new Set(ATTACHMENTS)
const systemNotes = new Set(SYSTEM_NOTES)

/** The payloads of every line that is neither `user` nor `assistant`. */
export function otherPayloads(type: string, entry: JsonObject): Payload[] {
  if (bookkeeping.has(type) || BOOKKEEPING_FAMILY.test(type)) return [{ type: 'skipped', name: type }]
  switch (type) {
    case 'attachment':
      return [attachment(entry)]
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
      return [titled(type, entry.lastPrompt, 'last-prompt')]
    case 'agent-name':
      return [{ type: 'skipped', name: type }]
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
  const cost = asNumber(entry.totalCostUSD) ?? 0
  if (used.length === 0 && cost > 0) used.push({ ...NOTHING, cost })
  if (used.length === 0) return { type: 'skipped', name: 'cost-state' }
  const sum = asNumber(entry.startTime)
  return { type: 'stated-usage', ...(sum === undefined ? {} : { sum }), used }
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Undefined if all figures are zero. */
function statedBy(usage: JsonObject): ReplyUsage | undefined {
  const count = (name: string): number => Math.max(0, asNumber(usage[name]) ?? 0)
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

function titled(
  type: string,
  title: unknown,
  source: 'custom' | 'ai' | 'last-prompt' | 'summary',
  leaf?: string,
): Payload {
  const text = asText(title)?.trim()
  return text ? { type: 'title', title: text, source, leaf } : { type: 'skipped', name: type }
}

function linked(
  type: string,
  relation: 'pull-request' | 'relocated' | 'continued-in' | 'worktree',
  target: unknown,
  from?: string,
): Payload {
  const text = asText(target)
  return text ? { type: 'link', relation, target: text, from } : { type: 'skipped', name: type }
}

function attachment(entry: JsonObject): Payload {
  const held = asObject(entry.attachment)
  const type = asText(held?.type)
  if (held && type === 'queued_command') return queuedCommand(entry, held)
  // The client writes it between the copied records and the directive.
  if (type === 'fork_briefing') return { type: 'directive-follows' }
  return {
    type: type && (attachments.has(type) || ATTACHMENT_FAMILY.test(type)) ? 'skipped' : 'unknown',
    name: `attachment:${type ?? 'untyped'}`,
  }
}

/** A prompt that was queued while the agent was busy and sent in the middle of its turn. */
function queuedCommand(entry: JsonObject, held: JsonObject): Payload {
  const name = 'attachment:queued_command'
  const mode = asText(held.commandMode) ?? 'prompt'
  const text = resultText(held.prompt)
  const relayed = isRelayed({ origin: held.origin ?? entry.origin ?? null })
  if ((held.isMeta === true && !relayed) || (mode !== 'prompt' && mode !== 'bash'))
    return { type: 'skipped', name }
  const { words } = cleanUserText(text)
  const media = (asArray(held.prompt) ?? []).flatMap((block): Part[] => {
    const kind = asObject(block)?.type
    return kind === 'image' || kind === 'document' ? [{ type: 'media', name: kind }] : []
  })
  if (words === '' && (media.length === 0 || text.trim() !== '')) return { type: 'skipped', name }
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
      return { type: 'skipped', name }
  }
}

function system(entry: JsonObject): Payload[] {
  const subtype = asText(entry.subtype)
  if (subtype === undefined) return [{ type: 'skipped', name: 'system' }]
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
      if (words === '' || entry.isMeta === true) return [{ type: 'skipped', name: `system:${subtype}` }]
      const speaker =
        subtype === 'local_command' ? speakerOf(entry) : { speaker: 'human' as const, label: 'voice' }
      return [{ type: 'message', role: 'user', ...speaker, parts: [{ type: 'text', text: words }] }]
    }
    default:
      return [
        {
          type: systemNotes.has(subtype) || SYSTEM_FAMILY.test(subtype) ? 'skipped' : 'unknown',
          name: `system:${subtype}`,
        },
      ]
  }
}
