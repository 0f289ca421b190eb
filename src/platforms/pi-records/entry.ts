import type { Part, Usage } from '../../model/event.ts'
import {
  asArray,
  asCount,
  asObject,
  asText,
  asTime,
  firstOf,
  type JsonObject,
  parsedJson,
} from '../../model/json.ts'

/** The type of a record in one spelling: `custom:x` becomes `custom` with `customType` `x`. */
export function typeOf(entry: JsonObject): { type: string | undefined; customType: string | undefined } {
  const type = asText(entry.type)
  if (type?.startsWith('custom:')) return { type: 'custom', customType: type.slice('custom:'.length) }
  return { type, customType: asText(entry.customType) }
}

/** When the record was written: its own time, else that of its message. Numbers are milliseconds. */
export const timeOf = (entry: JsonObject): number | undefined =>
  asTime(entry.timestamp) ?? asTime(asObject(entry.message)?.timestamp)

/** Roles and types occur in camel case, snake case and capitals. Returns one spelling for comparison. */
export const plain = (word: string): string => word.toLowerCase().replace(/[_\-\s]/g, '')

/** A block of a message, reduced to a few kinds. */
type Block =
  | { kind: 'text'; text: string }
  | { kind: 'call'; part: Part & { type: 'tool-call' } }
  | { kind: 'result'; block: JsonObject }
  | { kind: 'other'; part: Part }

/** The blocks of a content: a string, an array of strings and blocks, or a single block. */
export function blocksOf(content: unknown): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  const single = asObject(content)
  if (single) return [blockOf(single)]
  return (asArray(content) ?? []).map((item) =>
    typeof item === 'string' ? { kind: 'text', text: item } : blockOf(asObject(item) ?? {}),
  )
}

function blockOf(block: JsonObject): Block {
  const type = asText(block.type)
  switch (type === undefined ? undefined : plain(type)) {
    case undefined:
      return typeof block.text === 'string' ? { kind: 'text', text: block.text } : opaque('untyped')
    case 'text':
    case 'outputtext':
    case 'inputtext':
      return typeof block.text === 'string' ? { kind: 'text', text: block.text } : opaque(type!)
    case 'thinking':
    case 'reasoning':
    case 'redactedthinking':
      return {
        kind: 'other',
        part: { type: 'thinking', text: asText(block.thinking) ?? asText(block.text) ?? '' },
      }
    case 'toolcall':
    case 'tooluse':
    case 'functioncall':
    case 'servertooluse':
      return { kind: 'call', part: callOf(block) }
    case 'toolresult':
    case 'functioncalloutput':
    case 'toolresulterror':
      return { kind: 'result', block }
    case 'image':
    case 'imageurl':
    case 'inputimage':
      return { kind: 'other', part: { type: 'media', name: 'image' } }
    case 'audio':
    case 'inputaudio':
      return { kind: 'other', part: { type: 'media', name: 'audio' } }
    case 'document':
    case 'file':
    case 'inputfile':
    case 'video':
    case 'attachment':
      return { kind: 'other', part: { type: 'media', name: type! } }
    default:
      return opaque(type!)
  }
}

const opaque = (name: string): Block => ({ kind: 'other', part: { type: 'opaque', name } })

function callOf(block: JsonObject): Part & { type: 'tool-call' } {
  const inner = asObject(block.function)
  const name = asText(block.name) ?? asText(inner?.name) ?? 'unknown'
  const given = block.arguments ?? block.input ?? block.args ?? block.params ?? inner?.arguments
  // Arguments that are no JSON stand at the end of the error.
  const [, unparsed] = /^Received arguments:\n(.+)/ms.exec(asText(block.argumentsError) ?? '') ?? []
  const input = unparsed ?? parsed(given)
  return { type: 'tool-call', callId: callIdOf(block), ...(throughOther(name, input) ?? { name, input }) }
}

/** The tool that `tool_call` calls for the agent, as it does for tools of MCP servers since 2026.9. */
function throughOther(name: string, input: unknown): { name: string; input: unknown } | undefined {
  if (name !== 'tool_call') return undefined
  const { id, args } = asObject(input) ?? {}
  const called = asText(id)
  return called === undefined || asObject(args) === undefined ? undefined : { name: called, input: args }
}

/** The id that a tool call and its result share. */
export const callIdOf = (block: JsonObject): string | undefined =>
  firstOf(asText, block, 'toolCallId', 'tool_call_id', 'toolUseId', 'tool_use_id', 'call_id', 'id')

/** Arguments may be JSON in a string. Other strings are returned unchanged. */
const parsed = (input: unknown): unknown =>
  typeof input === 'string' && /^\s*[[{]/.test(input) ? (parsedJson(input) ?? input) : input

/** The text blocks of a content, joined by newlines. */
export const textOf = (content: unknown): string =>
  blocksOf(content)
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n')

const INPUT = 'input inputTokens input_tokens promptTokens prompt_tokens'.split(' ')
const OUTPUT = 'output outputTokens output_tokens completionTokens completion_tokens'.split(' ')
const CACHE_READ =
  'cacheRead cacheReadTokens cacheReadInputTokens cache_read_input_tokens cache_read_tokens'.split(' ')
const CACHE_WRITE =
  'cacheWrite cacheWriteTokens cacheCreationInputTokens cache_creation_input_tokens cache_write_tokens'.split(
    ' ',
  )

/** Token counts in any spelling. Undefined if the record has none. `input` never includes the cache. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  const input = firstOf(asCount, usage, ...INPUT)
  const output = firstOf(asCount, usage, ...OUTPUT)
  const cacheRead = firstOf(asCount, usage, ...CACHE_READ)
  const cacheWrite = firstOf(asCount, usage, ...CACHE_WRITE)
  if ([input, output, cacheRead, cacheWrite].every((count) => count === undefined)) return undefined
  const hour = asCount(usage.cacheWrite1h)
  const reasoning = asCount(usage.reasoning)
  const cost = asCount(asObject(usage.cost)?.total) ?? asCount(usage.cost) ?? 0
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    ...(hour ? { cacheWriteHour: hour } : {}),
    ...(reasoning ? { reasoning } : {}),
    // Subscriptions and unknown models are recorded with a cost of 0.
    ...(cost > 0 ? { cost } : {}),
  }
}
