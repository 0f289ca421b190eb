import {
  ARRAY,
  depthOf,
  isElement,
  isEscaped,
  keyOf,
  kindOf,
  type LineShape,
  NUMBER,
  OBJECT,
  STRING,
  stringAt,
  TRUE,
  textAt,
  wordOf,
} from '../../io/scanner/shape.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Part, Usage } from '../../model/event.ts'
import type { Glance, Purpose, Vocabulary } from '../platform.ts'
import { ANSWERED, REFUSALS } from './answers.ts'
import { SYNTHETIC } from './assistant.ts'
import { ATTACHMENTS, BOOKKEEPING } from './entry-types.ts'

// biome-ignore format: a list
const KEYS = [
  'type', 'message', 'content', 'attachment', 'uuid', 'parentUuid', 'timestamp', 'cwd', 'sessionId', 'isSidechain', 'isMeta',
  'isApiErrorMessage', 'userFeedback', 'is_error', 'id', 'model', 'text', 'name', 'input', 'file_path', 'usage', 'input_tokens',
  'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens',
]
// biome-ignore format: a list
const VALUES = [
  'user', 'assistant', 'tool_result', 'tool_use', 'server_tool_use', 'mcp_tool_use', 'thinking', 'redacted_thinking',
  'queued_command', SYNTHETIC, '(no content)',
]

export const vocabulary: Vocabulary = {
  keys: KEYS,
  descend: ['message', 'content', 'attachment', 'input', 'usage'],
  values: [...VALUES, ...BOOKKEEPING, ...ATTACHMENTS].filter((word) => !KEYS.includes(word)),
  envelope: { id: 'uuid', parentId: 'parentUuid', at: 'timestamp', cwd: 'cwd', sessionId: 'sessionId' },
}

const WORDS = [...new Set([...vocabulary.keys, ...vocabulary.values])]
const numbered = (word: string): number => WORDS.indexOf(word) + 1
const TYPE = numbered('type')
const MESSAGE = numbered('message')
const CONTENT = numbered('content')
const ATTACHMENT = numbered('attachment')
const API_ERROR = numbered('isApiErrorMessage')
const FEEDBACK = numbered('userFeedback')
const IS_ERROR = numbered('is_error')
const ID = numbered('id')
const MODEL = numbered('model')
const TEXT = numbered('text')
const NAME = numbered('name')
const INPUT = numbered('input')
const USAGE = numbered('usage')
const FILE_PATH = numbered('file_path')
const INPUT_TOKENS = numbered('input_tokens')
const OUTPUT_TOKENS = numbered('output_tokens')
const CACHE_READ = numbered('cache_read_input_tokens')
const CACHE_WRITE = numbered('cache_creation_input_tokens')
const SIDECHAIN = numbered('isSidechain')
const USER = numbered('user')
const ASSISTANT = numbered('assistant')
const TOOL_RESULT = numbered('tool_result')
const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'].map(numbered))
const SILENT = new Set(['thinking', 'redacted_thinking'].map(numbered))
const SYNTHETIC_MODEL = numbered(SYNTHETIC)
const NO_CONTENT = numbered('(no content)')
const ATTACHMENT_KIND = numbered('attachment')

const skippedTypes = new Map<number, Glance>(
  BOOKKEEPING.map((type) => [numbered(type), { bucket: 'skipped', name: type }]),
)
const skippedAttachments = new Map<number, Glance>(
  ATTACHMENTS.map((type) => [numbered(type), { bucket: 'skipped', name: `attachment:${type}` }]),
)
const EVENT: Glance = { bucket: 'event' }

/** The fast path: bookkeeping, tool results without an error, and, for an index, the agent's replies. */
export function glance(line: LineShape, _artifact: Artifact, purpose: Purpose): Glance | undefined {
  const { words, first } = line
  const end = first + line.pairs * 3
  let type = 0
  let message = -1
  let attachment = -1
  let sidechain = false
  for (let index = first; index < end; index += 3) {
    const meta = words[index]!
    if (depthOf(meta) !== 1) continue
    const key = keyOf(meta)
    if (key === TYPE) type = kindOf(meta) === STRING ? wordOf(meta) : 0
    else if (key === MESSAGE) message = kindOf(meta) === OBJECT ? index : -1
    else if (key === ATTACHMENT) attachment = kindOf(meta) === OBJECT ? index : -1
    else if (key === SIDECHAIN) sidechain = kindOf(meta) === TRUE
    else if (key === FEEDBACK) return undefined
    else if (key === API_ERROR && kindOf(meta) === TRUE) return undefined
  }
  if (type === USER) return message < 0 ? undefined : toolResults(line, message + 3, end, purpose)
  if (type === ASSISTANT && message >= 0)
    return purpose === 'index'
      ? reply(line, message + 3, end, sidechain)
      : replyMessage(line, message + 3, end, sidechain)
  if (type === ATTACHMENT_KIND) return attachment < 0 ? undefined : injected(line, attachment + 3, end)
  return skippedTypes.get(type)
}

/** A line of nothing but tool results: one that went well is never parsed, and one that failed only when it is told. */
function toolResults(line: LineShape, from: number, end: number, purpose: Purpose): Glance | undefined {
  const { words } = line
  let blocks = 0
  let results = 0
  let contents = 0
  let errors = 0
  let refusable = false
  for (let index = from; index < end; index += 3) {
    const meta = words[index]!
    const depth = depthOf(meta)
    if (depth === 1) break
    const key = keyOf(meta)
    if (depth === 2 && key === CONTENT && (kindOf(meta) !== ARRAY || contents++ > 0)) return undefined
    if (depth === 3 && isElement(meta)) {
      if (kindOf(meta) !== OBJECT) return undefined
      blocks++
    } else if (depth === 4) {
      if (key === TYPE) {
        if (wordOf(meta) !== TOOL_RESULT) return undefined
        results++
      } else if (key === IS_ERROR) {
        if (kindOf(meta) !== TRUE) continue
        if (purpose === 'read') return undefined
        errors++
      } else if (key === CONTENT) {
        if (mayHoldAnswers(line, index)) return undefined
        // A refusal is no error and may carry words; blocks are read with care.
        refusable ||= kindOf(meta) !== STRING || REFUSALS.some((opening) => begins(line, index, opening))
      }
    }
  }
  if (blocks === 0 || blocks !== results || (errors > 0 && (refusable || errors !== blocks))) return undefined
  return errors === 0 ? EVENT : { bucket: 'event', errors }
}

const ANSWER_REACH = 512

/** Answers to the agent's questions stand at the very beginning of a result. */
function mayHoldAnswers(line: LineShape, index: number): boolean {
  const start = line.words[index + 1]!
  const stop = Math.min(line.words[index + 2]!, start + ANSWER_REACH)
  if (kindOf(line.words[index]!) === STRING) return ANSWERED.some((opening) => begins(line, index, opening))
  const beginning = line.bytes.toString('latin1', start, stop)
  return ANSWERED.some((opening) => beginning.includes(opening))
}

const begins = (line: LineShape, index: number, text: string): boolean => {
  const start = line.words[index + 1]!
  for (let at = 0; at < text.length; at++) if (line.bytes[start + at] !== text.charCodeAt(at)) return false
  return true
}

function reply(line: LineShape, from: number, end: number, aside: boolean): Glance | undefined {
  const { words } = line
  let messageStart = 0
  let messageEnd = 0
  let wordy = false
  const calls: number[] = []
  let callId = -1
  let isCall = false
  let usage: Usage | undefined
  let model = -1
  let contents = 0
  let blocks = 0
  let typed = 0
  let text = -1
  let isText = false
  for (let index = from; index < end; index += 3) {
    const meta = words[index]!
    const depth = depthOf(meta)
    const key = keyOf(meta)
    if (depth === 1) break
    if (depth === 2) {
      if (key === ID) {
        if (kindOf(meta) !== STRING || isEscaped(meta) || messageEnd !== 0) return undefined
        messageStart = words[index + 1]!
        messageEnd = words[index + 2]!
      } else if (key === MODEL) {
        if (wordOf(meta) === SYNTHETIC_MODEL) return undefined
        model = index
      } else if (key === USAGE) usage = kindOf(meta) === OBJECT ? noFigures() : undefined
      else if (key === CONTENT && (kindOf(meta) !== ARRAY || contents++ > 0)) return undefined
    } else if (depth === 3 && isElement(meta)) {
      if (kindOf(meta) !== OBJECT) return undefined
      if (isText && text >= 0 && hasWords(line, text)) wordy = true
      if (isCall && !addCall(line, callId, calls)) return undefined
      isText = false
      isCall = false
      text = -1
      callId = -1
      blocks++
    } else if (depth === 3) {
      if (usage) countTokens(line, index, usage)
    } else if (depth === 4) {
      if (key === TYPE) {
        const word = wordOf(meta)
        typed++
        if (word === TEXT) isText = true
        else if (CALLS.has(word)) isCall = true
        else if (!SILENT.has(word)) return undefined
      } else if (key === ID) callId = index
      else if (key === TEXT) {
        if (wordOf(meta) === NO_CONTENT || kindOf(meta) !== STRING) return undefined
        text = index
      }
    }
  }
  if (isText && text >= 0 && hasWords(line, text)) wordy = true
  if (isCall && !addCall(line, callId, calls)) return undefined
  if (messageEnd === messageStart || contents !== 1 || typed !== blocks) return undefined
  return {
    bucket: 'event',
    reply: {
      messageStart,
      messageEnd,
      words: wordy,
      aside,
      calls,
      usage,
      model: model < 0 ? undefined : modelAt(line, model),
    },
  }
}

/** Where the id of a call stands. False when it has none that can be compared. */
function addCall(line: LineShape, index: number, calls: number[]): boolean {
  const meta = index < 0 ? 0 : line.words[index]!
  const start = line.words[index + 1]!
  const end = line.words[index + 2]!
  if (kindOf(meta) !== STRING || isEscaped(meta) || end <= start) return false
  calls.push(start, end)
  return true
}

/** Whole numbers, digit by digit; anything else through the usual reader. */
function numberAt(line: LineShape, index: number): number {
  const start = line.words[index + 1]!
  const end = line.words[index + 2]!
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = line.bytes[at]! - 48
    if (digit < 0 || digit > 9 || at - start > 14) return Number(line.bytes.toString('latin1', start, end))
    value = value * 10 + digit
  }
  return value
}

/** The figures of the reply at hand: used again for the next, so they are copied where they are kept. */
const figures: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

function noFigures(): Usage {
  figures.input = figures.output = figures.cacheRead = figures.cacheWrite = 0
  return figures
}

let lastModel = ''

/** Replies in a row have the same model: it is decoded when it changes. */
function modelAt(line: LineShape, index: number): string | undefined {
  const start = line.words[index + 1]!
  if (isEscaped(line.words[index]!) || kindOf(line.words[index]!) !== STRING) return undefined
  if (line.words[index + 2]! - start !== lastModel.length || !begins(line, index, lastModel))
    lastModel = textAt(line, index) ?? ''
  return lastModel || undefined
}

/** One figure of the usage of a reply. */
function countTokens(line: LineShape, index: number, usage: Usage): void {
  const meta = line.words[index]!
  if (kindOf(meta) !== NUMBER || isElement(meta)) return
  const key = keyOf(meta)
  const field =
    key === INPUT_TOKENS
      ? 'input'
      : key === OUTPUT_TOKENS
        ? 'output'
        : key === CACHE_READ
          ? 'cacheRead'
          : key === CACHE_WRITE
            ? 'cacheWrite'
            : undefined
  if (field) usage[field] = numberAt(line, index)
}

/** What `assistantPayloads` makes of a reply, without thinking. Undefined for anything unusual. */
function replyMessage(line: LineShape, from: number, end: number, sidechain: boolean): Glance | undefined {
  const { words } = line
  const parts: Part[] = []
  let messageId: string | undefined
  let contents = 0
  let block: Block | undefined
  let usage: Usage | undefined
  let model: string | undefined
  for (let index = from; index < end; index += 3) {
    const meta = words[index]!
    const depth = depthOf(meta)
    const key = keyOf(meta)
    if (depth === 1) break
    if (depth === 2) {
      if (key === ID) {
        if (messageId !== undefined) return undefined
        messageId = textAt(line, index)
      } else if (key === MODEL) {
        if (wordOf(meta) === SYNTHETIC_MODEL) return undefined
        model = modelAt(line, index)
      } else if (key === USAGE)
        usage = kindOf(meta) === OBJECT ? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } : undefined
      else if (key === CONTENT && (kindOf(meta) !== ARRAY || contents++ > 0)) return undefined
    } else if (depth === 3 && isElement(meta)) {
      if (kindOf(meta) !== OBJECT || (block && !closeBlock(line, block, parts))) return undefined
      block = { type: 0, text: -1, id: -1, name: -1, input: -1 }
    } else if (depth === 3) {
      if (usage) countTokens(line, index, usage)
    } else if (depth === 4 && block) {
      if (key === TYPE) block.type = wordOf(meta)
      else if (key === TEXT) block.text = index
      else if (key === ID) block.id = index
      else if (key === NAME) block.name = index
      else if (key === INPUT) block.input = index
    }
  }
  if (!messageId || contents !== 1 || (block && !closeBlock(line, block, parts))) return undefined
  const label = sidechain ? 'subagent' : undefined
  return {
    bucket: 'event',
    message: { type: 'message', role: 'assistant', speaker: 'agent', parts, messageId, label, usage, model },
  }
}

/** Where the fields of one content block stand; -1 for none. */
interface Block {
  type: number
  text: number
  id: number
  name: number
  input: number
}

/** Adds the part a block stands for. False when the block has to be parsed to be understood. */
function closeBlock(line: LineShape, block: Block, parts: Part[]): boolean {
  if (SILENT.has(block.type)) return true
  if (block.type === TEXT) {
    const text = block.text < 0 ? undefined : stringAt(line, block.text)
    if (text === undefined) return false
    if (text.trim() !== '' && text !== '(no content)') parts.push({ type: 'text', text })
    return true
  }
  if (!CALLS.has(block.type) || block.id < 0 || block.name < 0 || block.input < 0) return false
  const callId = textAt(line, block.id)
  const name = textAt(line, block.name)
  if (!callId || !name || kindOf(line.words[block.input]!) !== OBJECT) return false
  parts.push({ type: 'tool-call', callId, name, input: inputAt(line, block.input) })
  return true
}

/** From here on it pays to take a path out of an input rather than to parse file contents with it. */
const LARGE_INPUT = 500

/** The input of a call; of one that carries a file's contents, the path alone. */
function inputAt(line: LineShape, index: number): unknown {
  const { words } = line
  const start = words[index + 1]!
  const end = words[index + 2]!
  const next = index + 3
  const meta = words[next] ?? 0
  // Reported pairs are those of the vocabulary, so the first inside the input is its path when it begins with one.
  if (
    end - start > LARGE_INPUT &&
    next < line.first + line.pairs * 3 &&
    depthOf(meta) === 5 &&
    keyOf(meta) === FILE_PATH
  ) {
    const path = stringAt(line, next)
    if (path) return { file_path: path }
  }
  return JSON.parse(line.bytes.toString('utf8', start, end))
}

/** Anything but white space, plain or escaped. */
function hasWords(line: LineShape, index: number): boolean {
  const end = line.words[index + 2]!
  let at = line.words[index + 1]!
  while (at < end) {
    const code = line.bytes[at]!
    if (code === 92) {
      const next = line.bytes[at + 1]!
      if (next !== 110 && next !== 116 && next !== 114) return decoded(line, index)
      at += 2
    } else if (code === 32) at++
    else return code < 128 || decoded(line, index)
  }
  return false
}

/** Rare enough to be decoded: a text that begins with an escape or a character beyond ASCII, which may be white. */
const decoded = (line: LineShape, index: number): boolean => stringAt(line, index)?.trim() !== ''

function injected(line: LineShape, from: number, end: number): Glance | undefined {
  let found: Glance | undefined
  for (let index = from; index < end; index += 3) {
    const meta = line.words[index]!
    if (depthOf(meta) === 1) break
    if (depthOf(meta) === 2 && keyOf(meta) === TYPE) found = skippedAttachments.get(wordOf(meta))
  }
  return found
}
