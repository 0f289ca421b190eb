import {
  BEYOND,
  endOfValid,
  isWithinLimits,
  type ParsedLine,
  parseLine,
  parseWithin,
  SHORT,
  wordsOf,
} from './parse-line.ts'

/** What is needed of a long string: all of it, its beginning, or only that there is one. */
export type Need = 'whole' | 'beginning' | 'nothing'

/** A long string in a line: the positions of its quotes. */
export interface LongValue {
  bytes: Buffer
  /** The line begins here. */
  start: number
  open: number
  close: number
}

/**
 * What is needed of long strings, by the keys that lead to them. `[]` is any element of a list, `*` any key
 * that is not named, and the value itself if it is a string. A need holds for everything below it. What is
 * not named is needed whole, and so is what lies below a key with an escape.
 */
export type Needs = Need | ((value: LongValue) => Need) | { readonly [key: string]: Needs }

/** How the long values of records are shortened before they are parsed. */
export interface LongValues {
  needs: Needs
  /**
   * Whether all that is read of a shortened record is left. The line is parsed whole if not. Decides by the
   * content of the record, because the bytes around a value do not prove what it is.
   */
  isEnough(entry: unknown): boolean
}

/** Strings up to this many bytes are never shortened. */
const LONG = 2048
/** Bytes of a beginning. Much less is read of it, and nothing of it is shown or stored. */
const BEGINNING = 1024
/** A beginning that would be shorter, because it consists of escapes, is not worth it. */
const LEAST = 512

/**
 * The end of a shortened string. A string that ends like this by itself is taken for a shortened one, so that
 * its line is parsed whole.
 */
const MARK = '\u001A'
const WRITTEN_MARK = Buffer.from('\\u001A')

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92

/**
 * The same as `parseLine`, with long strings as short as they are needed. Malformed lines yield what they
 * yield there: what is removed is checked first, and a line that does not parse is parsed again as it is.
 */
export function parseShortened(
  bytes: Buffer,
  start: number,
  end: number,
  long: LongValues | undefined,
): ParsedLine {
  if (!long || end - start < SHORT) return parseLine(bytes, start, end)
  const shortened = createShortened(bytes, start)
  const isWithin = isWithinLimits(bytes, start, end, LONG, ({ open, close, isValid, containers }) => {
    const need = needOf({ bytes, start, open, close }, containers, long.needs)
    if (need === 'whole') return
    const from = need === 'nothing' ? open + 1 : endOfBeginning(bytes, open)
    if (from === undefined) return
    if (isValid || endOfValid(bytes, wordsOf(bytes), from, end) === close) shortened.remove(from, close)
  })
  if (!isWithin) return BEYOND
  const short = shortened.text(end)
  if (short !== undefined)
    try {
      const entry: unknown = JSON.parse(short)
      if (long.isEnough(entry)) return { entries: [entry], damaged: false }
    } catch {}
  return parseWithin(bytes.toString('utf8', start, end))
}

/** Whether this is a string that was shortened, or contains one. */
export function isShortened(value: unknown): boolean {
  if (typeof value === 'string') return value.endsWith(MARK)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isShortened)
}

/** Whether the text, which may be joined from several, is complete. */
export const isComplete = (text: string): boolean => !text.includes(MARK)

/** The room for what is left of a line. */
let room = Buffer.allocUnsafe(0)
const LEAST_ROOM = 64 * 1024
/** A larger one is not kept. */
const MOST_ROOM = 4 * 1024 * 1024

/** Collects what is left of a line. */
function createShortened(bytes: Buffer, start: number) {
  let held = 0
  let copied = start

  function add(from: Buffer, begin: number, until: number): void {
    const wanted = held + until - begin
    if (wanted > room.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * wanted, LEAST_ROOM))
      room.copy(larger, 0, 0, held)
      room = larger
    }
    held += from.copy(room, held, begin, until)
  }

  return {
    /** Leaves out what is between two positions. */
    remove(from: number, until: number): void {
      add(bytes, copied, from)
      add(WRITTEN_MARK, 0, WRITTEN_MARK.length)
      copied = until
    },
    /** What is left, up to the end of the line. Undefined if nothing was removed. */
    text(end: number): string | undefined {
      if (copied === start) return undefined
      add(bytes, copied, end)
      const text = room.toString('utf8', 0, held)
      if (room.length > MOST_ROOM) room = Buffer.allocUnsafe(0)
      return text
    },
  }
}

/** What is needed of a value, by its path. */
function needOf(value: LongValue, containers: Int32Array, all: Needs): Need {
  const { bytes, open } = value
  const last = containers.length - 1
  let needs: Needs | undefined = all
  for (let level = 0; level <= last && typeof needs === 'object'; level++) {
    const child = level === last ? open : containers[level + 1]!
    const isElement = bytes[containers[level]!] === OPEN_LIST
    const key = isElement ? '[]' : keyBefore(bytes, child)
    if (key === undefined) return 'whole'
    needs = Object.hasOwn(needs, key) ? needs[key] : needs['*']
  }
  // Below a need there may be keys with escapes, but there is none on the way to it.
  if (typeof needs === 'object') needs = needs['*']
  if (needs !== undefined && bytes[containers[last]!] !== OPEN_LIST && keyBefore(bytes, open) === undefined)
    return 'whole'
  return typeof needs === 'function' ? needs(value) : typeof needs === 'string' ? needs : 'whole'
}

const LONGEST_KEY = 256

/** The key of the value that begins here. Undefined for a key itself, and for one with an escape. */
function keyBefore(bytes: Buffer, at: number): string | undefined {
  const colon = beforeSpace(bytes, at - 1)
  if (bytes[colon] !== COLON) return undefined
  const close = beforeSpace(bytes, colon - 1)
  if (bytes[close] !== QUOTE) return undefined
  let open = close - 1
  while (bytes[open] !== QUOTE) {
    if (bytes[open] === BACKSLASH || close - open > LONGEST_KEY || open <= 0) return undefined
    open--
  }
  return bytes[open - 1] === BACKSLASH ? undefined : bytes.toString('latin1', open + 1, close)
}

/** The last position up to this one that is no white space. */
function beforeSpace(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === NEWLINE || bytes[at] === RETURN) at--
  return at
}

/** Where a string may be cut: neither inside of an escape nor of a character. */
function endOfBeginning(bytes: Buffer, open: number): number | undefined {
  let end = open + 1 + BEGINNING
  while ((bytes[end]! & 0xc0) === 0x80) end--
  // The longest escape has six bytes. Of several backslashes in a row, any may be the one that begins it.
  for (let at = end - 1; at > end - 6; at--) {
    if (bytes[at] !== BACKSLASH) continue
    end = at
    break
  }
  while (bytes[end - 1] === BACKSLASH) end--
  return end - open < LEAST ? undefined : end
}

/** Bytes before a value in which `follows` looks, and after it for `precedes`. */
const NEAR = 512
const NEAR_BEHIND = 64

/** Whether these words precede a value closely, as bytes. May be wrong: see `isEnough`. */
export const follows = ({ bytes, start, open }: LongValue, words: string): boolean =>
  bytes.subarray(Math.max(start, open - NEAR), open).includes(words)

/** Whether these words follow a value closely. */
export const precedes = ({ bytes, close }: LongValue, words: string): boolean =>
  bytes.subarray(close, close + NEAR_BEHIND).includes(words)

/** An escape that stands for a printable character. No client writes one. */
const PRINTABLE = /\\u00[2-7]/i

/** Whether a value may contain one of these words, which consist of letters, digits and signs. */
export function mayContain({ bytes, open, close }: LongValue, words: readonly string[]): boolean {
  const text = bytes.subarray(open, close)
  if (words.some((word) => text.includes(word))) return true
  return text.includes('\\u00') && PRINTABLE.test(text.toString('latin1'))
}
