/** Kinds of value a pair can have, as the scanner reports them. */
export const STRING = 1
export const NUMBER = 2
export const TRUE = 3
export const NULL = 5
export const OBJECT = 6
export const ARRAY = 7

/** Kinds of line. `UNSURE` lines go through JSON.parse, which decides. */
export const BLANK_LINE = 0
export const OBJECT_LINE = 1
export const UNSURE_LINE = 2
/** Longer than the limit: nobody holds its bytes. */
export const OVERSIZE_LINE = 3

/** A reported pair is three words: this packed one, the start and the end of the value (strings without quotes). */
export const keyOf = (meta: number): number => meta & 0xff
export const depthOf = (meta: number): number => (meta >>> 8) & 0xf
export const kindOf = (meta: number): number => (meta >>> 12) & 0xf
/** The vocabulary number of a string value, 0 when it is none of the words. */
export const wordOf = (meta: number): number => (meta >>> 16) & 0xff
export const isEscaped = (meta: number): boolean => (meta & (1 << 24)) !== 0
/** An element of an array rather than a pair of an object; its key is that of the array. */
export const isElement = (meta: number): boolean => (meta & (1 << 25)) !== 0

/**
 * One line and what the scanner saw in it: the values of the vocabulary's keys, in file order, down to five levels.
 * The object is reused for the next line, and its bytes are overwritten: take what you need before returning.
 */
export interface LineShape {
  kind: number
  /** From 1. */
  number: number
  /** Byte offset in the file, and length without the newline. */
  offset: number
  length: number
  /** Ended by a newline; a last line that is not may still be being written. */
  terminated: boolean
  bytes: Buffer
  start: number
  end: number
  words: Uint32Array
  /** Index into `words` of the first pair, and how many pairs. */
  first: number
  pairs: number
}

/** The text of a reported string value; undefined when it has escapes and must be parsed. */
export function textAt(line: LineShape, index: number): string | undefined {
  const meta = line.words[index]!
  if (kindOf(meta) !== STRING || isEscaped(meta)) return undefined
  return line.bytes.toString('utf8', line.words[index + 1]!, line.words[index + 2]!)
}

/** The same with escapes undone; undefined only when the value is no string. */
export function stringAt(line: LineShape, index: number): string | undefined {
  const meta = line.words[index]!
  if (kindOf(meta) !== STRING) return undefined
  const start = line.words[index + 1]!
  const end = line.words[index + 2]!
  if (!isEscaped(meta)) return line.bytes.toString('utf8', start, end)
  return JSON.parse(line.bytes.toString('utf8', start - 1, end + 1)) as string
}
