import type { Artifact } from '../../../model/artifact.ts'
import { type Draft, type Part, type Payload, type Usage, unknownValue } from '../../../model/event.ts'
import { largest, wordSet } from '../../../model/iteration.ts'
import { asArray, asCount, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { prompted, returned, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { textOf } from '../../result-text.ts'
import { answersIn, callsIn, resultsIn, shellCommand } from './tools.ts'

/** Normalizes a line of a session: its header, an entry of its history, or what it used beyond that. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const line = asObject(value)
  if (!line) return [{ payload: unknownValue(value) }]
  if (line.type === 'session') return header(line, artifact)
  if (line.type === 'further-usage') {
    const usage = usageOf(asObject(line.usage), line.cost)
    return [{ payload: usage ? { type: 'usage', usage } : skipped('further-usage') }]
  }
  const sharedId = asText(line.shared)
  const own = { sharedId, isCopy: line.isCopy === true }
  return entry(line).map((payload) => ({ ...own, payload }))
}

/** Titles until the model or a person has given one. */
const UNTITLED = /^(?:Untitled|New) Session$/i

function header(line: JsonObject, { sessionId }: Artifact): Draft[] {
  const created = asTime(line.created)
  const own = { ...(created !== undefined && { at: created }), cwd: directoryIn(line) }
  const title = asText(line.title)?.trim()
  const payloads: Payload[] = [
    { type: 'turn' },
    {
      type: 'session',
      sessionId: asText(line.sessionId) ?? sessionId,
      forkOf: asText(line.forkOf)?.trim() || undefined,
      ...(line.isFork === true && { forkedAt: created }),
    },
  ]
  if (title && !UNTITLED.test(title)) payloads.push({ type: 'title', title, source: 'ai' })
  return payloads.map((payload) => ({ ...own, payload }))
}

/** The directory of a session: a path, or an address of one where an editor has written it. */
export function directoryIn({ workspaceDirectory }: JsonObject): string | undefined {
  const stated = asText(workspaceDirectory)
  if (!stated?.startsWith('file://')) return stated || undefined
  try {
    return decodeURIComponent(new URL(stated).pathname).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch {
    return undefined
  }
}

function entry(line: JsonObject): Payload[] {
  const message = asObject(line.message)
  if (!message) return [{ type: 'unknown', name: asText(line.type) ?? '(untyped)' }]
  const summary = asText(line.conversationSummary)
  // The history before it is gone, and its text is repeated as a reply.
  if (summary !== undefined) return [{ type: 'marker', marker: 'compaction', text: summary }]
  const { role, content } = message
  switch (role) {
    case 'user':
      return [prompt(content)]
    case 'assistant':
      return reply(line, message)
    case 'thinking':
      return [spoken([{ type: 'thinking', text: textOf(content) }])]
    case 'tool':
    case 'system':
      return [skipped(`message:${role}`)]
    default:
      return [{ type: 'unknown', name: `message:${String(role)}` }]
  }
}

function prompt(content: unknown): Payload {
  const text = textOf(content)
  const parts: Part[] = text.trim() === '' ? [] : [{ type: 'text', text }]
  for (const part of asArray(content) ?? [])
    if (asObject(part)?.type === 'imageUrl') parts.push({ type: 'media', name: 'image' })
  if (parts.length === 0) return skipped('message:empty')
  return prompted(parts)
}

function reply(line: JsonObject, message: JsonObject): Payload[] {
  const usage = usageOf(asObject(message.usage), line.cost)
  const text = textOf(message.content)
  const results = resultsIn(line)
  const calls = callsIn(line, message)
  const command = text === '' && usage === undefined ? shellCommand(calls) : undefined
  const whole: Payload =
    command === undefined
      ? spoken([...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...calls], {
          model: asText(asObject(message.usage)?.model),
          usage,
        })
      : { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text: `!${command}` }] }
  return [whole, ...(results.length > 0 ? [returned(results)] : []), ...answersIn(line)]
}

/** Where providers say how much of the input was read from the cache. */
const CACHED = ['prompt_cache_hit_tokens', 'cached_tokens']

/**
 * `prompt_tokens` is what the provider calls so. It includes the cache, unless the client states apart what
 * was read from it, as it does for Anthropic. `exact`: the cost in dollars, where it is not in whole cents.
 */
function usageOf(counts: JsonObject | undefined, exact: unknown): Usage | undefined {
  if (!counts) return undefined
  const details = asObject(counts.prompt_tokens_details)
  const count = (of: JsonObject | undefined, name: string): number => asCount(of?.[name]) ?? 0
  const isApart = details?.cache_read_tokens !== undefined || details?.cache_write_tokens !== undefined
  const cacheRead = largest([
    count(details, 'cached_tokens'),
    count(details, 'cache_read_tokens'),
    ...CACHED.map((name) => count(counts, name)),
  ])
  const prompt = count(counts, 'prompt_tokens')
  const reasoning = count(asObject(counts.completion_tokens_details), 'reasoning_tokens')
  const cost = asCount(exact) ?? (asCount(counts.cost_cents) ?? 0) / 100
  return {
    input: isApart ? prompt : Math.max(0, prompt - cacheRead),
    output: count(counts, 'completion_tokens'),
    cacheRead,
    cacheWrite: count(details, 'cache_write_tokens'),
    ...(reasoning > 0 && { reasoning }),
    ...(cost > 0 && { cost }),
  }
}

/** The known fields up to 1.5.47. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `contextItems conversationSummary cost created editorState forkOf history isCopy isFork message sessionId shared title toolCallStates type usage
    workspaceDirectory`,
  ),
  message: wordSet('content role toolCalls usage'),
  part: new Set(),
  usage: {
    at: 'message.usage',
    fields: wordSet(
      `cached_tokens completion_tokens completion_tokens_details cost_cents model prompt_cache_hit_tokens
      prompt_cache_miss_tokens prompt_tokens prompt_tokens_details total_tokens`,
    ),
  },
})
