import { isWithinLimits } from './parse-limit.ts'

/** What a line holds: its entries, usually one, and whether bytes were left over that are no JSON. */
export interface ParsedLine {
  entries: unknown[]
  /** Some of the line, or all of it, could not be understood. */
  damaged: boolean
}

/** How many places a torn line is searched for a whole object behind the tear. */
const ATTEMPTS = 64

/**
 * A line that is not JSON may still hold whole objects: two glued together when a newline was
 * lost, one behind a run of NUL bytes or a byte order mark, one behind the first half of another that was torn.
 * A line that is nested too deeply, or of too many values, is damaged as a whole.
 */
export const parseLine = (bytes: Buffer, start: number, end: number): ParsedLine =>
  isWithinLimits(bytes, start, end) ? parseWithin(bytes.toString('utf8', start, end)) : BEYOND

const BEYOND: ParsedLine = { entries: [], damaged: true }

/** The same of a line that is a text already. */
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

/** One past the brace that closes the object at `open`, or -1 when it stays open. */
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
