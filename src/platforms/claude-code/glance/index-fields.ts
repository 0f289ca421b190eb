import {
  ARRAY,
  depthOf,
  isElement,
  isEscaped,
  keyOf,
  kindOf,
  type LineShape,
  OBJECT,
  STRING,
  stringAt,
  wordOf,
} from '../../../io/scanner/shape.ts'
import type { Usage } from '../../../model/event.ts'
import type { Glance } from '../../platform.ts'
import {
  CACHE_CREATION,
  CALLS,
  CONTENT,
  ID,
  MODEL,
  NO_CONTENT,
  SERVER_TOOLS,
  SILENT,
  SYNTHETIC_MODEL,
  TEXT,
  TYPE,
  USAGE,
} from '../words/words.ts'
import { countCacheWrites, countTokens, isUniqueId, isUnusual, modelAt, noFigures } from './figures.ts'

/** Where the fields of a reply are, and what precedes them in the line. */
export interface ReplySpan {
  from: number
  end: number
  /** From a subagent that writes into its parent's transcript. */
  aside: boolean
  /** The position of the request's id, -1 without one. */
  request: number
}

/** The facts that a session row counts of a reply. Undefined if anything is unusual. */
export function reply(line: LineShape, { from, end, aside, request }: ReplySpan): Glance | undefined {
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
  let within = 0
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
        if (!isUniqueId(line, messageStart, messageEnd)) return undefined
      } else if (key === MODEL) {
        if (wordOf(meta) === SYNTHETIC_MODEL || isEscaped(meta)) return undefined
        model = index
      } else if (key === USAGE) usage = kindOf(meta) === OBJECT ? noFigures() : undefined
      else if (key === CONTENT && (kindOf(meta) !== ARRAY || contents++ > 0)) return undefined
    } else if (depth === 3 && isElement(meta)) {
      if (kindOf(meta) !== OBJECT || key !== CONTENT) return undefined
      if (isText && text >= 0 && hasWords(line, text)) wordy = true
      if (isCall && !addCall(line, callId, calls)) return undefined
      isText = false
      isCall = false
      text = -1
      callId = -1
      within = CONTENT
      blocks++
    } else if (depth === 3) {
      if (usage && isUnusual(line, index)) return undefined
      if (usage) countTokens(line, index, usage)
      within = key
    } else if (depth === 4 && within === CACHE_CREATION) {
      if (usage) countCacheWrites(line, index, usage)
    } else if (depth === 4 && within === SERVER_TOOLS) {
      if (isUnusual(line, index)) return undefined
    } else if (depth === 4 && within === CONTENT) {
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
      requestStart: isString(line, request) ? line.words[request + 1]! : 0,
      requestEnd: isString(line, request) ? line.words[request + 2]! : 0,
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

/** Adds the position of a tool call's id. Returns false if the id cannot be compared. */
function addCall(line: LineShape, index: number, calls: number[]): boolean {
  const meta = index < 0 ? 0 : line.words[index]!
  const start = line.words[index + 1]!
  const end = line.words[index + 2]!
  if (kindOf(meta) !== STRING || isEscaped(meta) || end <= start) return false
  calls.push(start, end)
  return true
}

/** Whether a text contains more than white space, plain or escaped. */
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

/**
 * Decodes texts that begin with an escape or a non-ASCII character, which may be white space. They are rare.
 */
const decoded = (line: LineShape, index: number): boolean => stringAt(line, index)?.trim() !== ''

/** Whether there is a string at a position that can be compared byte by byte. */
const isString = (line: LineShape, index: number): boolean =>
  index >= 0 && kindOf(line.words[index]!) === STRING && !isEscaped(line.words[index]!)
