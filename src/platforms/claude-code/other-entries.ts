import type { Part, Payload } from '../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../model/json.ts'
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
import { cleanUserText } from './human-words.ts'
import { informational } from './informational.ts'
import { speakerOf } from './speaker.ts'

const bookkeeping = new Set(BOOKKEEPING)
const attachments = new Set(ATTACHMENTS)
const systemNotes = new Set(SYSTEM_NOTES)

/** Everything that is neither a `user` nor an `assistant` line. */
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
      return [statedCosts(entry)]
    case 'conversation_reset':
      return [{ type: 'marker', marker: 'reset' }]
    default:
      return [{ type: 'unknown', name: type }]
  }
}

/** What the client has counted of the session so far, by model where it tells them apart. */
function statedCosts(entry: JsonObject): Payload {
  const costs: { model?: string; dollars: number }[] = Object.entries(
    asObject(entry.modelUsage) ?? {},
  ).flatMap(([model, usage]) => {
    const dollars = asNumber(asObject(usage)?.costUSD) ?? 0
    return dollars > 0 ? [{ model, dollars }] : []
  })
  const total = asNumber(entry.totalCostUSD) ?? 0
  if (costs.length === 0 && total > 0) costs.push({ dollars: total })
  return costs.length > 0 ? { type: 'stated-costs', costs } : { type: 'skipped', name: 'cost-state' }
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
  return {
    type: type && (attachments.has(type) || ATTACHMENT_FAMILY.test(type)) ? 'skipped' : 'unknown',
    name: `attachment:${type ?? 'untyped'}`,
  }
}

/** A prompt that was typed while the agent was busy and handed over in the middle of its turn. */
function queuedCommand(entry: JsonObject, held: JsonObject): Payload {
  const name = 'attachment:queued_command'
  const mode = asText(held.commandMode) ?? 'prompt'
  const text = resultText(held.prompt)
  if (held.isMeta === true || (mode !== 'prompt' && mode !== 'bash')) return { type: 'skipped', name }
  const { words } = cleanUserText(text)
  const media = (asArray(held.prompt) ?? []).flatMap((block): Part[] => {
    const kind = asObject(block)?.type
    return kind === 'image' || kind === 'document' ? [{ type: 'media', name: kind }] : []
  })
  if (words === '' && (media.length === 0 || text.trim() !== '')) return { type: 'skipped', name }
  const speaker = speakerOf({ ...entry, origin: held.origin ?? entry.origin })
  const spoken = mode === 'bash' && !words.startsWith('! ') ? `! ${words}` : words
  const parts: Part[] = words === '' ? media : [{ type: 'text', text: spoken }, ...media]
  return { type: 'message', role: 'user', ...speaker, queued: true, parts }
}

function queue(entry: JsonObject): Payload {
  const name = 'queue-operation'
  const text = asText(entry.content)
  const words = text === undefined ? undefined : cleanUserText(text).words
  switch (entry.operation) {
    case 'enqueue':
      // Without words it is a notification, or of a version that kept none.
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
