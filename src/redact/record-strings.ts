import { LONGEST_VALUE } from './rules/pattern-parts.ts'

/**
 * A line of JSON as its strings, and as an outline: the line with its short strings decoded, in which the
 * name of a member still stands next to its value.
 */
export interface LineStrings {
  strings: RecordString[]
  outline: string
}

/** A string of a line: the range of its content, without the quotes, and what it stands for. */
export interface RecordString {
  start: number
  end: number
  text: string
  /** Where its content begins in the outline. Undefined if it is not there. */
  at: number | undefined
  /**
   * Whether the outline has its content as it is, so that a search of the outline reads it too. Otherwise it
   * can only be found there as a whole.
   */
  isPlain: boolean
}

/** Longer strings are texts, and no names. */
const LONGEST_NAME = 256
/** What stands for a string that is not in the outline. */
const ABSENT = ' '

/**
 * Undefined if the line is not JSON. Whether its values are separated correctly is not checked, nor is the
 * first sign of a part of it.
 */
export function stringsOf(line: string, isPart = false): LineStrings | undefined {
  if (!isPart && !/^\s*[{["]/.test(line)) return undefined
  const strings: RecordString[] = []
  let outline = ''
  let copied = 0
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code !== 0x22) {
      if (code > 0x7f || structure[code] === 0) return undefined
      continue
    }
    const start = at + 1
    const { end, isEscaped } = endOfString(line, start)
    if (end < 0) return undefined
    const content = line.slice(start, end)
    const text = isEscaped ? decoded(content) : content
    if (text === undefined) return undefined
    const shown = inOutline(text, isEscaped)
    outline += between(line, copied, start)
    strings.push({
      start,
      end,
      text,
      at: shown === undefined ? undefined : outline.length,
      isPlain: shown === text,
    })
    outline += shown ?? ABSENT
    copied = end
    at = end
  }
  return { strings, outline: outline + line.slice(copied) }
}

/** What is between two strings. White space in it has no meaning, and some clients write none. */
function between(line: string, start: number, end: number): string {
  const signs = line.slice(start, end)
  return /\s/.test(signs) ? signs.replace(/\s+/g, '') : signs
}

/** For each character of ASCII, whether it may be between strings. */
const structure = new Uint8Array(128)
for (const each of ' \t\r\n{}[]:,0123456789.+-eEtruefalsn') structure[each.charCodeAt(0)] = 1

function endOfString(line: string, start: number): { end: number; isEscaped: boolean } {
  let isEscaped = false
  for (let end = line.indexOf('"', start); end >= 0; end = line.indexOf('"', end + 1)) {
    let backslashes = 0
    while (line.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return { end, isEscaped: isEscaped || holdsBackslash(line, start, end) }
    isEscaped = true
  }
  return { end: -1, isEscaped }
}

function holdsBackslash(line: string, start: number, end: number): boolean {
  if (end - start > LONGEST_NAME) return line.slice(start, end).includes('\\')
  for (let at = start; at < end; at++) if (line.charCodeAt(at) === 0x5c) return true
  return false
}

function decoded(content: string): string | undefined {
  try {
    return JSON.parse(`"${content}"`) as string
  } catch {
    return undefined
  }
}

/**
 * A string as the outline has it: of the same length, and without the signs that would end it. Undefined if
 * it is neither a name nor a value of one.
 */
function inOutline(text: string, isEscaped: boolean): string | undefined {
  if (text.length > LONGEST_VALUE) return undefined
  if (text.length > LONGEST_NAME && /\s/.test(text)) return undefined
  if (!isEscaped) return text
  if (/\s/.test(text)) return undefined
  // A path remains one, and a password keeps its sign.
  return text.replace(/["\\]/g, (sign) => (sign === '"' ? '^' : '/'))
}

/** For each string that is a field name: the number of its object, counted by opening braces. */
export function objectsOf(line: string, strings: readonly RecordString[]): (number | undefined)[] {
  /** The open containers: the number of an object, or -1 for a list. */
  const open: number[] = []
  let objects = 0
  let nameNext = false
  let from = 0
  return strings.map(({ start, end }) => {
    for (; from < start - 1; from++) {
      const code = line.charCodeAt(from)
      if (code === 0x7b) {
        open.push(objects++)
        nameNext = true
      } else if (code === 0x5b) open.push(-1)
      else if (code === 0x7d || code === 0x5d) {
        open.pop()
        nameNext = false
      } else if (code === 0x2c) nameNext = (open.at(-1) ?? -1) >= 0
    }
    from = end + 1
    const object = nameNext ? open.at(-1) : undefined
    nameNext = false
    return object
  })
}
