import {
  ARRAY,
  depthOf,
  isElement,
  isEscaped,
  keyOf,
  kindOf,
  type LineShape,
  OBJECT,
  stringAt,
  textAt,
  wordOf,
} from '../../../io/scanner/shape.ts'
import type { Part, Usage } from '../../../model/event.ts'
import { stopReasonOf } from '../../../model/stop-reason.ts'
import type { Glance } from '../../platform.ts'
import {
  CACHE_CREATION,
  CALLS,
  CONTENT,
  FILE_PATH,
  ID,
  INPUT,
  MODEL,
  NAME,
  SERVER_TOOLS,
  SILENT,
  STOP_REASON,
  SYNTHETIC_MODEL,
  TEXT,
  TYPE,
  USAGE,
} from '../words/words.ts'
import { countCacheWrites, countTokens, isUniqueId, isUnusual, modelAt } from './figures.ts'
import type { ReplySpan } from './index-fields.ts'

/** The same message that `assistantPayloads` makes, without thinking. Undefined if anything is unusual. */
export function replyMessage(line: LineShape, { from, end, aside, request }: ReplySpan): Glance | undefined {
  const { words } = line
  const parts: Part[] = []
  let messageId: string | undefined
  let contents = 0
  let block: Block | undefined
  let usage: Usage | undefined
  let model: string | undefined
  let stopReason: string | undefined
  let within = 0
  for (let index = from; index < end; index += 3) {
    const meta = words[index]!
    const depth = depthOf(meta)
    const key = keyOf(meta)
    if (depth === 1) break
    if (depth === 2) {
      if (key === ID) {
        if (messageId !== undefined) return undefined
        if (!isUniqueId(line, words[index + 1]!, words[index + 2]!)) return undefined
        messageId = textAt(line, index)
      } else if (key === MODEL) {
        if (wordOf(meta) === SYNTHETIC_MODEL || isEscaped(meta)) return undefined
        model = modelAt(line, index)
      } else if (key === STOP_REASON) stopReason = stopReasonOf(stringAt(line, index))
      else if (key === USAGE)
        usage = kindOf(meta) === OBJECT ? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } : undefined
      else if (key === CONTENT && (kindOf(meta) !== ARRAY || contents++ > 0)) return undefined
    } else if (depth === 3 && isElement(meta)) {
      if (kindOf(meta) !== OBJECT || key !== CONTENT || (block && !closeBlock(line, block, parts)))
        return undefined
      block = { type: 0, text: -1, id: -1, name: -1, input: -1 }
      within = CONTENT
    } else if (depth === 3) {
      if (usage && isUnusual(line, index)) return undefined
      if (usage) countTokens(line, index, usage)
      within = key
    } else if (depth === 4 && within === CACHE_CREATION) {
      if (usage) countCacheWrites(line, index, usage)
    } else if (depth === 4 && within === SERVER_TOOLS) {
      if (isUnusual(line, index)) return undefined
    } else if (depth === 4 && block && within === CONTENT) {
      if (key === TYPE) block.type = wordOf(meta)
      else if (key === TEXT) block.text = index
      else if (key === ID) block.id = index
      else if (key === NAME) block.name = index
      else if (key === INPUT) block.input = index
    }
  }
  if (!messageId || contents !== 1 || (block && !closeBlock(line, block, parts))) return undefined
  const label = aside ? 'subagent' : undefined
  return {
    bucket: 'event',
    message: {
      type: 'message',
      role: 'assistant',
      speaker: 'agent',
      parts,
      messageId,
      requestId: request < 0 ? undefined : textAt(line, request),
      label,
      usage,
      model,
      stopReason,
    },
  }
}

/** Positions of the fields of one content block; -1 if absent. */
interface Block {
  type: number
  text: number
  id: number
  name: number
  input: number
}

/** Adds the part of a block. Returns false if the block has to be parsed. */
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

/** From this size on, extracting the path is cheaper than parsing an input with file contents. */
const LARGE_INPUT = 500

/** The input of a tool call. If it carries a file's contents, only the path. */
function inputAt(line: LineShape, index: number): unknown {
  const { words } = line
  const start = words[index + 1]!
  const end = words[index + 2]!
  const next = index + 3
  const meta = words[next] ?? 0
  // Only pairs of the vocabulary are reported, so the first one is the path if the input begins with it.
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
