import { parsedJson } from '../model/json.ts'

/** No client writes deeper nesting, and recursive code would need as many stack frames. */
const DEEPEST = 1000
/** The maximum number of values in a record. They take up to 150 MB of memory. */
const MOST_VALUES = 2_000_000
/** Shorter lines cannot exceed either limit. */
const SHORT = 4096

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Whether JSON can be parsed in bounded memory. For a line of brackets, `JSON.parse` needs 50 times its size
 * before it notices that the line is invalid.
 */
export function isWithinLimits(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < SHORT) return true
  let depth = 0
  let values = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      at = endOfString(bytes, at, end)
    } else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > DEEPEST) return false
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > MOST_VALUES) return false
  }
  return true
}

/** The index of the closing quote of a string, or `end` if there is none. */
function endOfString(bytes: Uint8Array, open: number, end: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at >= 0 && at < end; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return end
}

/** The entries of a line, usually one, and whether parts of it are not JSON. */
interface ParsedLine {
  entries: unknown[]
  /** At least a part of the line could not be parsed. */
  damaged: boolean
}

const encoder = new TextEncoder()

/** How many positions of a torn line are tried to find a whole object. */
const ATTEMPTS = 64

/**
 * Parses a line. A malformed line may still contain whole objects: two of them if a newline was lost, one
 * after NUL bytes or a byte order mark, or one after a torn object. A line with too much nesting or too many
 * values is malformed as a whole.
 */
export const parseLine = (bytes: Buffer, start: number, end: number): ParsedLine =>
  isWithinLimits(bytes, start, end) ? parseWithin(bytes.toString('utf8', start, end)) : BEYOND

const BEYOND: ParsedLine = { entries: [], damaged: true }

/** The same for a line that is already a string. */
export function parseText(text: string): ParsedLine {
  const bytes = encoder.encode(text)
  return isWithinLimits(bytes, 0, bytes.length) ? parseWithin(text) : BEYOND
}

function parseWithin(text: string): ParsedLine {
  try {
    return { entries: [JSON.parse(text)], damaged: false }
  } catch {
    return recover(text)
  }
}

function recover(text: string): ParsedLine {
  const entries: unknown[] = []
  let damaged = false
  let position = 0
  let attempts = 0
  while (position < text.length) {
    const open = text.indexOf('{', position)
    const between = text.slice(position, open < 0 ? undefined : open)
    if (/[^\s\0\uFEFF]/.test(between)) damaged = true
    if (open < 0) break
    const close = objectEnd(text, open)
    const entry = close < 0 ? undefined : parsedJson(text.slice(open, close))
    if (entry !== undefined) {
      entries.push(entry)
      position = close
      continue
    }
    damaged = true
    if (++attempts > ATTEMPTS) break
    const next = text.indexOf('{"', open + 1)
    if (next < 0) break
    position = next
  }
  return { entries, damaged: damaged || entries.length === 0 }
}

/** The index after the brace that closes the object at `open`, or -1 if it is not closed. */
function objectEnd(text: string, open: number): number {
  let depth = 0
  let quoted = false
  for (let index = open; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) quoted = false
    } else if (code === QUOTE) quoted = true
    else if (code === OPEN_OBJECT) depth++
    else if (code === CLOSE_OBJECT && --depth === 0) return index + 1
  }
  return -1
}

/** Shorter lines are parsed unchanged. */
const LONG = 1024 * 1024
const DATA = encoder.encode('"data":"')

/** The bytes that base64 consists of. */
const BASE64 = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=')
  BASE64[character.charCodeAt(0)] = 1

/**
 * The same as `parseLine` for callers that only need text. Long base64 under the key `data`, as in images,
 * becomes an empty string. Otherwise it would be in memory twice, in addition to the line.
 */
export function parseWords(bytes: Buffer, start: number, end: number): ParsedLine {
  const short =
    end - start < LONG || !isWithinLimits(bytes, start, end) ? undefined : withoutData(bytes, start, end)
  if (short !== undefined)
    try {
      return { entries: [JSON.parse(short)], damaged: false }
    } catch {}
  return parseLine(bytes, start, end)
}

/** Undefined if there is nothing to remove. */
function withoutData(bytes: Buffer, start: number, end: number): string | undefined {
  const line = bytes.subarray(start, end)
  let text = ''
  let copied = 0
  for (let key = line.indexOf(DATA); key >= 0; key = line.indexOf(DATA, key + DATA.length)) {
    const open = key + DATA.length
    const close = line.indexOf(QUOTE, open)
    if (close - open < LONG || !isBase64(line, open, close)) continue
    text += line.toString('utf8', copied, open)
    copied = close
  }
  return copied === 0 ? undefined : text + line.toString('utf8', copied)
}

function isBase64(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (BASE64[bytes[at]!] === 0) return false
  return true
}

/**
 * The source text of one member of a JSON object. Keeps the digits of numbers and supports any nesting. The
 * JSON must be valid. Undefined if the member does not exist. Of duplicate members, the last one counts.
 */
export function memberText(json: string, name: string): string | undefined {
  const wanted = JSON.stringify(name)
  let found: string | undefined
  let depth = 0
  let start = 0
  let key = ''
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfText(json, at)
      if (depth === 1 && key === '') start = at
      at = end
    } else if (depth === 1 && key === '' && code === COLON) {
      key = json.slice(start, at).trimEnd()
      start = at + 1
    } else if (depth === 1 && key !== '' && (code === COMMA || code === CLOSE_OBJECT)) {
      if (key === wanted) found = json.slice(start, at).trim()
      key = ''
      start = at + 1
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--
  }
  return found
}

/** The end of the string that begins at a quote. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}
