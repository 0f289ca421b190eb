import { isWithinLimits } from './parse-limit.ts'

/** The entries of a line, usually one, and whether parts of it are not JSON. */
export interface ParsedLine {
  entries: unknown[]
  /** At least a part of the line could not be parsed. */
  damaged: boolean
}

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
const encoder = new TextEncoder()

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
    const entry = close < 0 ? undefined : tryParse(text.slice(open, close))
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
      if (code === 92) index++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123) depth++
    else if (code === 125 && --depth === 0) return index + 1
  }
  return -1
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
