/** Kinds of values. */
export const STRING = 1
export const NUMBER = 2
export const TRUE = 3
export const NULL = 5
export const OBJECT = 6
export const ARRAY = 7

/** Kinds of lines. `JSON.parse` decides about `UNSURE` ones. */
export const BLANK_LINE = 0
export const OBJECT_LINE = 1
export const UNSURE_LINE = 2
/** Longer than the limit. Its bytes are not available. */
export const OVERSIZE_LINE = 3

/**
 * A pair is three words: this packed one, and the start and end of the value (without quotes for strings).
 */
export const keyOf = (meta: number): number => meta & 0xff
export const depthOf = (meta: number): number => (meta >>> 8) & 0xf
export const kindOf = (meta: number): number => (meta >>> 12) & 0xf
/** The vocabulary number of a string value, or 0. */
export const wordOf = (meta: number): number => (meta >>> 16) & 0xff
export const isEscaped = (meta: number): boolean => (meta & (1 << 24)) !== 0
/** An array element. Its key is the key of the array. */
export const isElement = (meta: number): boolean => (meta & (1 << 25)) !== 0

/**
 * One line and the pairs that the scanner found in it: values of known keys, in order, down to five levels.
 * The object and its bytes are reused for the next line, so copy what you need before returning.
 */
export interface LineShape {
  kind: number
  /** Counted from 1. */
  number: number
  /** Byte offset in the file, and length without the newline. */
  offset: number
  length: number
  /** Whether a newline follows. A last line without one may still be incomplete. */
  terminated: boolean
  bytes: Buffer
  start: number
  end: number
  words: Uint32Array
  /** The index of the first pair in `words`, and the number of pairs. */
  first: number
  pairs: number
}

/** The text of a string value. Undefined if it contains escapes and must be parsed. */
export function textAt(line: LineShape, index: number): string | undefined {
  const meta = line.words[index]!
  if (kindOf(meta) !== STRING || isEscaped(meta)) return undefined
  return line.bytes.toString('utf8', line.words[index + 1]!, line.words[index + 2]!)
}

/** The same with escapes decoded. Undefined only if the value is not a string. */
export function stringAt(line: LineShape, index: number): string | undefined {
  const meta = line.words[index]!
  if (kindOf(meta) !== STRING) return undefined
  const start = line.words[index + 1]!
  const end = line.words[index + 2]!
  if (!isEscaped(meta)) return line.bytes.toString('utf8', start, end)
  return JSON.parse(line.bytes.toString('utf8', start - 1, end + 1)) as string
}
