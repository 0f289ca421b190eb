import type { Source } from './source.ts'

/** Bytes per read. */
const CHUNK = 512 * 1024
/** Longer lines become counted stubs, or are skipped. */
const LINE_LIMIT = 64 * 1024 * 1024
/** A larger buffer, which a long line needed, is not kept for the next file. */
const MOST_SPARE = 8 * 1024 * 1024
const NEWLINE = 10

/**
 * One line that is not blank. The object and its bytes are reused for the next line, so copy what you need
 * before returning.
 */
export interface Line {
  /** Counted from 1. */
  number: number
  /** Byte offset in the file, and length without the newline. */
  offset: number
  length: number
  /** Whether a newline follows. A last line without one may still be incomplete. */
  terminated: boolean
  /** Longer than the limit: its bytes are not available. */
  oversized: boolean
  bytes: Buffer
  start: number
  end: number
}

/** Which part of a source to read. */
interface Reach {
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

/** The buffer of the last call in this thread. */
let spare: Buffer | undefined

/**
 * Visits every non-blank line in order. Memory is limited to one chunk or the longest line, whichever is
 * larger.
 */
export function readLines(
  source: Source,
  visit: (line: Line) => void,
  {
    lineLimit: limit = LINE_LIMIT,
    enough = Number.POSITIVE_INFINITY,
    full = () => false,
    ...from
  }: Reach = {},
): Reached {
  let buffer = spare ?? Buffer.allocUnsafe(2 * CHUNK)
  spare = undefined
  let offset = from.offset ?? 0 // of the first byte in the buffer
  let number = from.number ?? 1
  const first = offset
  let held = 0
  let total = 0
  let open: { offset: number; number: number } | undefined // a last line without a newline
  const line: Line = {
    number,
    offset,
    length: 0,
    terminated: true,
    oversized: false,
    bytes: buffer,
    start: 0,
    end: 0,
  }

  const fill = (room: number): number => {
    const count = source.read(buffer, held, Math.min(room, buffer.length - held))
    held += count
    total += count
    return count
  }

  const pass = (start: number, end: number): void => {
    line.number = number++
    if (isBlank(buffer, start, end)) return
    line.bytes = buffer
    line.start = start
    line.end = end
    line.offset = offset + start
    line.length = end - start
    visit(line)
  }

  /** Visits the whole lines before `end` and moves the rest to the front. */
  const drain = (end: number): void => {
    for (let start = 0; start < end; ) {
      const newline = buffer.indexOf(NEWLINE, start)
      pass(start, newline)
      start = newline + 1
    }
    buffer.copyWithin(0, end, held)
    offset += end
    held -= end
  }

  /** Skips a line that is too long and counts its bytes. Returns false at the end of the file. */
  const passOver = (): boolean => {
    let length = held
    for (;;) {
      held = 0
      const count = fill(CHUNK)
      const newline = count === 0 ? -1 : buffer.subarray(0, count).indexOf(NEWLINE)
      length += newline < 0 ? count : newline
      if (newline < 0 && count > 0) continue
      if (newline < 0) open = { offset, number }
      visit({ ...line, oversized: true, number: number++, offset, length, terminated: newline >= 0 })
      offset += length + 1
      held = newline < 0 ? 0 : count - newline - 1
      buffer.copyWithin(0, newline + 1, count)
      // The bytes read after it may already contain whole lines.
      drain(buffer.subarray(0, held).lastIndexOf(NEWLINE) + 1)
      return newline >= 0
    }
  }

  const read = (): Reached => {
    for (;;) {
      if (offset - first >= enough || full()) return { bytes: total, offset, number, ended: false }
      if (held >= limit && !passOver()) break
      if (buffer.length - held < CHUNK) buffer = grown(buffer, held, limit + 2 * CHUNK)
      const before = held
      if (fill(Math.min(CHUNK, enough)) === 0) break
      const last = buffer.subarray(before, held).lastIndexOf(NEWLINE)
      if (last >= 0) drain(before + last + 1)
    }
    if (held > 0) {
      open = { offset, number }
      line.terminated = false
      pass(0, held)
      offset += held
    }
    return { bytes: total, offset, number, ...open, ended: true }
  }

  try {
    return read()
  } finally {
    if (buffer.length <= MOST_SPARE) spare = buffer
  }
}

function grown(buffer: Buffer, held: number, most: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(Math.min(2 * buffer.length, most), held + CHUNK))
  buffer.copy(larger, 0, 0, held)
  return larger
}

/** Whether a line consists of spaces, tabs and carriage returns. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}

const BLOCK_CHUNK = 256 * 1024

/** Whole lines that were read at once: `bytes` from `start` to `end`. The last line may lack its newline. */
export interface Block {
  bytes: Buffer
  end: number
  /** The offset in the source, and the number of the first line. */
  offset: number
  number: number
}

let shared = Buffer.allocUnsafe(0)

/**
 * Visits a source in blocks of whole lines, for searching bytes without parsing lines. A block is only valid
 * during its visit. Ends early if `visit` returns true. Returns how many lines were too long.
 */
export function readBlocks(
  source: Source,
  visit: (block: Block) => unknown,
  lineLimit: number = LINE_LIMIT,
): number {
  let offset = 0
  let number = 1
  let held = 0
  let tooLong = 0
  let passing = false
  let isEnough = false
  const hand = (bytes: Buffer, end: number): void => {
    if (passing) {
      passing = false
      const own = bytes.indexOf(NEWLINE) + 1
      offset += own
      number++
      bytes.copyWithin(0, own, end)
      end -= own
    }
    if (end > 0) isEnough = visit({ bytes, end, offset, number }) === true
    for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) number++
    offset += end
  }
  while (!isEnough) {
    if (shared.length - held < BLOCK_CHUNK) {
      const larger = Buffer.allocUnsafe(Math.max(2 * shared.length, 2 * BLOCK_CHUNK))
      shared.copy(larger, 0, 0, held)
      shared = larger
    }
    const bytes = shared
    const count = source.read(bytes, held, BLOCK_CHUNK)
    if (count === 0) break
    const last = bytes.subarray(held, held + count).lastIndexOf(NEWLINE)
    const whole = last < 0 ? 0 : held + last + 1
    const all = held + count
    if (whole > 0) {
      const rest = Buffer.from(bytes.subarray(whole, all))
      hand(bytes, whole)
      rest.copy(bytes)
      held = rest.length
    } else held = all
    if (passing || held > lineLimit) {
      if (!passing) tooLong++
      passing = true
      offset += held
      held = 0
    }
  }
  if (held > 0 && !passing && !isEnough) visit({ bytes: shared, end: held, offset, number })
  return tooLong
}
