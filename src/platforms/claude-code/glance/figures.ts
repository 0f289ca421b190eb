import {
  ARRAY,
  isElement,
  keyOf,
  kindOf,
  type LineShape,
  NUMBER,
  STRING,
  textAt,
  wordOf,
} from '../../../io/scanner/shape.ts'
import type { Usage } from '../../../model/event.ts'
import {
  CACHE_CREATION,
  CACHE_READ,
  CACHE_WRITE,
  CACHE_WRITE_HOUR,
  INPUT_TOKENS,
  ITERATIONS,
  OUTPUT_TOKENS,
  RESIDENCE,
  SEARCHES,
  SPEED,
  STANDARD,
  TIER,
} from '../words/words.ts'

/** Compares the beginning of a string value byte by byte. */
export const begins = (line: LineShape, index: number, text: string): boolean => {
  const start = line.words[index + 1]!
  for (let at = 0; at < text.length; at++) if (line.bytes[start + at] !== text.charCodeAt(at)) return false
  return true
}

/** Reads integers digit by digit, other numbers with the usual reader. */
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

/** The usage of the current reply. Reused for the next one, so callers copy what they keep. */
const figures: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: undefined }

export function noFigures(): Usage {
  figures.input = figures.output = figures.cacheRead = figures.cacheWrite = 0
  figures.cacheWriteHour = undefined
  return figures
}

let lastModel = ''

/** A model without escapes. Consecutive replies have the same one, so it is only decoded when it changes. */
export function modelAt(line: LineShape, index: number): string | undefined {
  const start = line.words[index + 1]!
  if (kindOf(line.words[index]!) !== STRING) return undefined
  if (line.words[index + 2]! - start !== lastModel.length || !begins(line, index, lastModel))
    lastModel = textAt(line, index) ?? ''
  return lastModel || undefined
}

/**
 * Whether a figure of the usage asks for more than counting: requests, speeds or places with other prices.
 */
export function isUnusual(line: LineShape, index: number): boolean {
  const meta = line.words[index]!
  const size = line.words[index + 2]! - line.words[index + 1]!
  switch (keyOf(meta)) {
    case ITERATIONS:
      return kindOf(meta) === ARRAY && size > '[]'.length
    case SPEED:
    case TIER:
      return kindOf(meta) === STRING && wordOf(meta) !== STANDARD
    case RESIDENCE:
      return kindOf(meta) === STRING && size > 0
    case SEARCHES:
      return kindOf(meta) !== NUMBER || numberAt(line, index) !== 0
    default:
      return false
  }
}

/** Whether a message id is unique: it has a digit. */
export function isUniqueId(line: LineShape, start: number, end: number): boolean {
  for (let at = end - 1; at >= start; at--) {
    const code = line.bytes[at]!
    if (code >= ZERO && code <= NINE) return true
  }
  return false
}

const ZERO = 48
const NINE = 57

/** Reads one usage figure of a reply. */
export function countTokens(line: LineShape, index: number, usage: Usage): void {
  const meta = line.words[index]!
  const key = keyOf(meta)
  if (key === CACHE_CREATION) usage.cacheWriteHour = undefined
  if (isElement(meta)) return
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
  if (field) usage[field] = kindOf(meta) === NUMBER ? numberAt(line, index) : 0
}

/** Reads one figure of a reply's cache writes, by how long they last. */
export function countCacheWrites(line: LineShape, index: number, usage: Usage): void {
  const meta = line.words[index]!
  if (keyOf(meta) !== CACHE_WRITE_HOUR || isElement(meta)) return
  usage.cacheWriteHour = kindOf(meta) === NUMBER ? numberAt(line, index) || undefined : undefined
}
