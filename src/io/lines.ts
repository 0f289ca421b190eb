import { INPUT_AT, REPORT_AT } from './scanner/layout.ts'
import type { Scanner } from './scanner/scanner.ts'
import { BLANK_LINE, type LineShape, OVERSIZE_LINE } from './scanner/shape.ts'
import type { Source } from './source.ts'

/** Bytes per read. Together with the scanner's report, this fits into the cache of a core. */
const CHUNK = 512 * 1024
/** Longer lines become counted stubs. */
const LINE_LIMIT = 64 * 1024 * 1024
const NEWLINE = 10

export interface Reach {
  /** The offset at which the source begins, and the number of the line there. */
  offset?: number
  number?: number
  /** Stop at the first line end after this many bytes, */
  enough?: number
  /** or when this returns true. Checked between chunks. */
  full?: () => boolean
  lineLimit?: number
}

export interface Reached {
  /** The number of bytes read from the source. */
  bytes: number
  /**
   * Where the next line begins, and its number. A last line without a newline may still grow: it is the next
   * line.
   */
  offset: number
  number: number
  ended: boolean
}

/**
 * Visits every non-blank line in order. Memory is limited to one chunk or the longest line, whichever is
 * larger. The shape and its bytes are only valid during the visit.
 */
export function readLines(
  source: Source,
  scanner: Scanner,
  visit: (line: LineShape) => void,
  {
    lineLimit: limit = LINE_LIMIT,
    enough = Number.POSITIVE_INFINITY,
    full = () => false,
    ...from
  }: Reach = {},
): Reached {
  let offset = from.offset ?? 0 // of the first byte at INPUT_AT
  let number = from.number ?? 1
  const first = offset
  let held = 0
  let total = 0
  let open: { offset: number; number: number } | undefined // a last line without a newline
  const line = {
    kind: 0,
    number,
    offset,
    length: 0,
    terminated: true,
    start: 0,
    end: 0,
    first: 0,
    pairs: 0,
  } as LineShape

  const fill = (room: number): number => {
    const count = source.read(scanner.bytes, INPUT_AT + held, Math.min(room, scanner.capacity - held))
    held += count
    total += count
    return count
  }

  /** Scans the whole lines of [INPUT_AT, end) and moves the rest to the front. */
  const drain = (end: number, terminated: boolean): void => {
    let at = INPUT_AT
    while (at < end) {
      const count = scanner.scan(at, end)
      line.bytes = scanner.bytes
      const words = scanner.words
      line.words = words
      let word = REPORT_AT >> 2
      for (let index = 0; index < count; index++) {
        line.start = words[word]!
        line.end = words[word + 1]!
        line.kind = words[word + 2]!
        line.pairs = words[word + 3]!
        line.first = word + 4
        word += 4 + line.pairs * 3
        line.number = number++
        line.offset = offset + line.start - INPUT_AT
        line.length = line.end - line.start
        line.terminated = terminated
        if (line.kind !== BLANK_LINE) visit(line)
      }
      at = scanner.consumed
    }
    const left = Math.max(0, INPUT_AT + held - end)
    if (left > 0) scanner.bytes.copyWithin(INPUT_AT, end, INPUT_AT + held)
    offset += end - INPUT_AT
    held = left
  }

  /** Skips a line that is too long and counts its bytes. Returns false at the end of the file. */
  const passOver = (): boolean => {
    let length = held
    for (;;) {
      held = 0
      const count = fill(CHUNK)
      const newline = count === 0 ? -1 : scanner.bytes.subarray(INPUT_AT, INPUT_AT + count).indexOf(NEWLINE)
      length += newline < 0 ? count : newline
      if (newline < 0 && count > 0) continue
      if (newline < 0) open = { offset, number }
      visit({
        ...line,
        kind: OVERSIZE_LINE,
        number: number++,
        offset,
        length,
        terminated: newline >= 0,
        pairs: 0,
      })
      offset += length + 1
      held = Math.max(0, count - newline - 1)
      scanner.bytes.copyWithin(INPUT_AT, INPUT_AT + newline + 1, INPUT_AT + count)
      if (newline < 0) held = 0
      // The bytes read after it may already contain whole lines.
      const last = scanner.bytes.subarray(INPUT_AT, INPUT_AT + held).lastIndexOf(NEWLINE)
      if (last >= 0) drain(INPUT_AT + last + 1, true)
      return newline >= 0
    }
  }

  for (;;) {
    if (offset - first >= enough || full()) return { bytes: total, offset, number, ended: false }
    if (held >= limit && !passOver()) break
    if (scanner.capacity - held < CHUNK) scanner.grow(Math.min(2 * scanner.capacity, limit + 2 * CHUNK))
    const before = held
    if (fill(Math.min(CHUNK, enough)) === 0) break
    const fresh = scanner.bytes.subarray(INPUT_AT + before, INPUT_AT + held)
    const last = fresh.lastIndexOf(NEWLINE)
    if (last >= 0) drain(INPUT_AT + before + last + 1, true)
  }
  if (held > 0) {
    open = { offset, number }
    scanner.bytes[INPUT_AT + held] = NEWLINE
    drain(INPUT_AT + held + 1, false)
  }
  return { bytes: total, offset, number, ...open, ended: true }
}
