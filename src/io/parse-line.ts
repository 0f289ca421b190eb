import { parsedJson } from '../model/json.ts'

/** No client writes deeper nesting, and recursive code would need as many stack frames. */
const DEEPEST = 1000
/** The maximum number of values in a record. They take up to 150 MB of memory. */
const MOST_VALUES = 2_000_000
/** Shorter lines cannot exceed either limit. */
export const SHORT = 4096

const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const LETTER_U = 117
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** A string in a line that was walked over. */
export interface WalkedString {
  /** The positions of its quotes. */
  open: number
  close: number
  /** It is known to be valid. */
  isValid: boolean
  /** Where the objects and lists begin that it is in, the outermost first. */
  containers: Int32Array
}

/** The positions of the objects and lists that the walk is in. */
const opened = new Int32Array(DEEPEST + 1)

/**
 * Whether JSON can be parsed in bounded memory. For a line of brackets, `JSON.parse` needs 50 times its size
 * before it notices that the line is invalid. `visit` gets the strings of more bytes than `long`.
 */
export function isWithinLimits(
  bytes: Uint8Array,
  start: number,
  end: number,
  long = Number.POSITIVE_INFINITY,
  visit?: (string: WalkedString) => void,
): boolean {
  if (end - start < SHORT) return true
  const words = wordsOf(bytes)
  let depth = 0
  let values = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      const open = at
      at = bytes.indexOf(QUOTE, open + 1)
      if (at < 0 || at >= end) break
      const isEscaped = bytes[at - 1] === BACKSLASH
      const close = isEscaped ? endOfValid(bytes, words, open + 1, end) : at
      at = close < 0 ? endOfString(bytes, at, end) : close
      if (at - open > long && at < end && depth > 0) {
        const isValid = isEscaped && close >= 0
        visit!({ open, close: at, isValid, containers: opened.subarray(0, depth) })
      }
    } else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (depth >= 0) opened[depth] = at
      if (++depth > DEEPEST) return false
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > MOST_VALUES) return false
  }
  return true
}

/** The index of the closing quote of a string, or `end` if there is none. `quote`: the first one in it. */
function endOfString(bytes: Uint8Array, quote: number, end: number): number {
  for (let at = quote; at >= 0 && at < end; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return end
}

/** The same memory, four bytes at a time. */
export const wordsOf = ({ buffer }: Uint8Array): Int32Array =>
  new Int32Array(buffer, 0, buffer.byteLength >> 2)

/** What a string contains as it is. */
const ORDINARY = new Uint8Array(256).fill(1, SPACE)
ORDINARY[QUOTE] = 0
ORDINARY[BACKSLASH] = 0
/** What may follow a backslash, besides `u` and four hexadecimal digits. */
const ESCAPED = tableOf('"\\/bfnrt')
const HEXADECIMAL = tableOf('0123456789abcdefABCDEF')

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

/** The same byte four times. */
const ONES = 0x01010101
const TWOS = 0x02020202
const QUOTES_AND_BELOW = 0x21212121
const BACKSLASHES = 0x5c5c5c5c
/** The highest bits of four bytes. */
const HIGHEST = 0x80808080

/**
 * The index of the quote that ends a string. `from`: a position in it that is not inside of an escape. -1 if
 * there is none, or if the string is not valid up to there: JSON allows no control characters, and only some
 * escapes. Looks at four bytes at a time, because most strings have few escapes.
 */
export function endOfValid(bytes: Uint8Array, words: Int32Array, from: number, end: number): number {
  const offset = bytes.byteOffset
  const last = (offset + end) >> 2
  let at = from
  for (;;) {
    if (((offset + at) & 3) === 0) {
      let index = (offset + at) >> 2
      while (index < last) {
        const word = words[index]!
        // Swaps spaces and quotes: now these and control characters are the lowest. A subtraction borrows
        // from the highest bit of a byte only if the byte is lower, and if there is none before it.
        const low = word ^ TWOS
        const slashes = word ^ BACKSLASHES
        if (((((low - QUOTES_AND_BELOW) & ~low) | ((slashes - ONES) & ~slashes)) & HIGHEST) !== 0) break
        index++
      }
      at = (index << 2) - offset
    }
    if (at >= end) return -1
    const byte = bytes[at]!
    if (ORDINARY[byte] === 1) at++
    else if (byte === QUOTE) return at
    else if (byte !== BACKSLASH) return -1
    else if (ESCAPED[bytes[at + 1]!] === 1) at += 2
    else if (bytes[at + 1] === LETTER_U && isHexadecimal(bytes, at + 2)) at += 6
    else return -1
  }
}

function isHexadecimal(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < from + 4; at++) if (HEXADECIMAL[bytes[at]!] !== 1) return false
  return true
}

/** The entries of a line, usually one, and whether parts of it are not JSON. */
export interface ParsedLine {
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

/** A line that exceeds the limits. */
export const BEYOND: ParsedLine = { entries: [], damaged: true }

/** The same for a line that is already a string. */
export function parseText(text: string): ParsedLine {
  const bytes = encoder.encode(text)
  return isWithinLimits(bytes, 0, bytes.length) ? parseWithin(text) : BEYOND
}

/** The same for a text that is known to be within the limits. */
export function parseWithin(text: string): ParsedLine {
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
