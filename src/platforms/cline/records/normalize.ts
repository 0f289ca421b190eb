import type { Artifact } from '../../../model/artifact.ts'
import { type Draft, type Part, type Payload, type Usage, unknownValue } from '../../../model/event.ts'
import { append, wordSet } from '../../../model/iteration.ts'
import { asArray, asCount, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { attached } from '../../attached.ts'
import { answered, failed, prompted, returned, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { isAnswer, resultOf } from './tools.ts'

/** The version of the document of messages. */
const KNOWN_FORM = 1

/** Normalizes a line of a session: its header, a message, or the summary of a compaction. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const line = asObject(value)
  if (!line) return [{ payload: unknownValue(value) }]
  if (line.type === 'session') return header(line, artifact)
  if (line.type === 'compaction') return [compaction(line)]
  const at = asTime(line.ts)
  const own = { id: asText(line.id), ...(at !== undefined && { at }) }
  return payloadsOf(line).map((payload) => ({ ...own, payload }))
}

function header(line: JsonObject, { parentSessionId, kindHint }: Artifact): Draft[] {
  const [started, forked] = [asTime(line.started), asTime(line.forked)]
  const own = {
    ...(started !== undefined && { at: started }),
    cwd: asText(line.cwd),
    version: asText(line.version),
    branch: asText(line.branch),
  }
  const form = asCount(line.form) ?? KNOWN_FORM
  const isSubagent = kindHint === 'subagent'
  const since = asTime(line.since)
  const session: Payload = {
    type: 'session',
    ...(isSubagent ? { parentSession: parentSessionId } : { forkOf: asText(line.forkedFrom) }),
    // A fork copies messages with their times.
    ...(forked !== undefined && { forkedAt: forked }),
    // The task of a teammate may begin with a copy of the one before.
    ...(since !== undefined && { copies: { olderThan: since } }),
    ...(form > KNOWN_FORM && { laterForm: form }),
  }
  return [{ type: 'turn' as const }, session, ...titleIn(line)].map((payload) => ({ ...own, payload }))
}

/** The title is the first prompt, unless a person gave another one. */
function titleIn({ title, prompt, firstPrompt }: JsonObject): Payload[] {
  const given = asText(title)?.trim()
  const first = [prompt, firstPrompt].map((each) => typedIn(asText(each) ?? '').words.trim())
  return given && !first.includes(given) ? [{ type: 'title', title: given, source: 'custom' }] : []
}

function compaction({ summary, details, generatedAt }: JsonObject): Draft {
  const at = asTime(generatedAt)
  const files = asObject(details)
  const names = (value: unknown): string[] => (asArray(value) ?? []).flatMap((each) => asText(each) ?? [])
  const [readFiles, modifiedFiles] = [names(files?.readFiles), names(files?.modifiedFiles)]
  return {
    ...(at !== undefined && { at }),
    payload: {
      type: 'marker',
      marker: 'compaction',
      text: asText(summary),
      ...(readFiles.length + modifiedFiles.length > 0 && { files: { readFiles, modifiedFiles } }),
    },
  }
}

function payloadsOf(line: JsonObject): Payload[] {
  const { role, content } = line
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (asArray(content) ?? [])
  const parts = blocks.map((block) => asObject(block) ?? {})
  if (role === 'user') return prompt(line, parts)
  if (role === 'assistant') return [reply(line, parts)]
  return [{ type: 'unknown', name: `message:${String(role)}` }]
}

/** A prompt, whose words are in a tag: what stands beside it is the client's. Or a result, one each. */
function prompt({ metadata, isUnattended }: JsonObject, parts: readonly JsonObject[]): Payload[] {
  const results = parts.flatMap((part) => (part.type === 'tool_result' ? [resultOf(part)] : []))
  const payloads: Payload[] = results.length > 0 ? [returned(results)] : []
  if (isUnattended !== true)
    append(
      payloads,
      parts.flatMap((part) => (isAnswer(part) ? answered(part.content) : [])),
    )
  if (asObject(metadata)?.displayRole === 'system') return [skipped('user:system')]
  const texts = parts.flatMap((part) => (part.type === 'text' ? [typedIn(asText(part.text) ?? '')] : []))
  const typed = texts.some(({ isMarked }) => isMarked) ? texts.filter(({ isMarked }) => isMarked) : texts
  const shown: Part[] = typed.flatMap(({ words }) =>
    words.trim() === '' ? [] : [{ type: 'text', text: words }],
  )
  for (const { type, path } of parts)
    if (type === 'image' || type === 'file' || type === 'document')
      shown.push(attached(path, type === 'image' ? 'image' : 'file'))
  if (shown.length > 0) payloads.push(prompted(shown))
  return payloads.length > 0 ? payloads : [skipped('user:empty')]
}

/** The client was ended while it waited. */
const ENDED = /\bclient \S+ disconnected before request was resolved\b/

function reply(line: JsonObject, blocks: readonly JsonObject[]): Payload {
  const parts = blocks.map((block): Part => {
    const text = asText(block.text) ?? asText(block.thinking) ?? ''
    switch (block.type) {
      case 'text':
        return { type: 'text', text }
      case 'thinking':
      case 'redacted_thinking':
        return { type: 'thinking', text }
      case 'tool_use':
        return {
          type: 'tool-call',
          callId: asText(block.id),
          name: asText(block.name) ?? 'unknown',
          input: block.input,
        }
      default:
        return { type: 'opaque', name: asText(block.type) ?? 'untyped' }
    }
  })
  // The client says in the place of a reply why there is none.
  if (asObject(line.metadata)?.displayRole === 'error') {
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    return ENDED.test(text) ? { type: 'marker', marker: 'interruption' } : failed(text)
  }
  return spoken(parts, {
    messageId: asText(line.id),
    model: asText(asObject(line.modelInfo)?.id),
    usage: usageOf(asObject(line.metrics)),
  })
}

/** `inputTokens` includes what was read from the cache and written to it, whoever the provider is. */
function usageOf(metrics: JsonObject | undefined): Usage | undefined {
  if (!metrics) return undefined
  const count = (name: string): number => asCount(metrics[name]) ?? 0
  const [cacheRead, cacheWrite] = [count('cacheReadTokens'), count('cacheWriteTokens')]
  const cost = asCount(metrics.cost) ?? asCount(metrics.totalCost) ?? 0
  return {
    input: Math.max(0, count('inputTokens') - cacheRead - cacheWrite),
    output: count('outputTokens'),
    cacheRead,
    cacheWrite,
    ...(cost > 0 && { cost }),
  }
}

const TYPED = /<user_input\b[^>]*>([\s\S]*)<\/user_input>/
const COMMAND = /<user_command\b[^>]*\bslash="([^"]*)"[^>]*>/
/** The client says there that the person has changed the mode. */
const NOTICE = /^\s*<mode_notice>[\s\S]*?<\/mode_notice>\s*/

/**
 * What a person typed. The client puts it into a tag, with a notice in it or before it, and files behind it.
 * `isMarked`: there is such a tag.
 */
function typedIn(text: string): { words: string; isMarked: boolean } {
  const typed = TYPED.exec(text)?.[1]
  if (typed !== undefined) return { words: typed.replace(NOTICE, ''), isMarked: true }
  const command = COMMAND.exec(text)?.[1]
  if (command !== undefined) return { words: `/${command.replace(/^\//, '')}`, isMarked: true }
  return { words: text, isMarked: false }
}

/** The known fields up to 3.0.65. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `branch content cwd details displayRole firstPrompt forked forkedFrom form generatedAt id isUnattended kind metadata metrics model modelInfo
    prompt role since started summary title tokensBefore ts type userRunSpan version`,
  ),
  message: new Set(),
  part: new Set(),
  usage: {
    at: 'metrics',
    fields: wordSet('cacheReadTokens cacheWriteTokens cost inputTokens outputTokens totalCost'),
  },
})
