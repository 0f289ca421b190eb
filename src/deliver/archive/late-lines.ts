import type { TreeWriter } from './tree-writer.ts'

const NEWLINE = 0x0a

/** A file of lines, as far as it was unpacked, and how many bytes of lines came later. */
interface Piece {
  name: string
  bytes: number
  late: number
}

/** The lines of a piece that are not empty, as bits, up to some byte. */
interface Filled {
  bits: Uint8Array
  bytes: number
  line: number
  /** How many records of a line came later, in this run. */
  parts: Map<number, number>
}

/**
 * Lines that arrived after lines behind them, as batches that were on the way at the same time do. A file has
 * empty lines in their places. They are stored beside it, each with its number, and put into their places in
 * a copy.
 */
export function createLateLines(writer: TreeWriter) {
  const known = new Map<string, Filled>()

  /** Whether nothing arrived for this line, or only the records of it that precede this one. */
  function isFree(piece: Piece, line: number, part: number): boolean {
    const filled = filledOf(piece)
    const before = filled.parts.get(line)
    return before === undefined ? part === 0 && !isSet(filled.bits, line) : part === before
  }

  /** Stores a record of a line. Returns its bytes. */
  function add(piece: Piece, line: number, text: string): number {
    const filled = filledOf(piece)
    filled.parts.set(line, (filled.parts.get(line) ?? 0) + 1)
    const bytes = Buffer.from(`${line} ${text}\n`)
    writer.write(lateName(piece.name), bytes, piece.late)
    return bytes.length
  }

  function filledOf(piece: Piece): Filled {
    let filled = known.get(piece.name)
    if (!filled) {
      filled = { bits: new Uint8Array(64), bytes: 0, line: 1, parts: new Map() }
      known.set(piece.name, filled)
      for (const { line } of lateIn(piece)) filled.bits = withBit(filled.bits, line)
    }
    for (const bytes of writer.read(piece.name, filled.bytes, piece.bytes)) {
      for (let at = 0; at < bytes.length; at++)
        if (bytes[at] === NEWLINE) filled.line++
        else {
          filled.bits = withBit(filled.bits, filled.line)
          const end = bytes.indexOf(NEWLINE, at)
          at = end < 0 ? bytes.length : end - 1
        }
      filled.bytes += bytes.length
    }
    return filled
  }

  /** The late records of a piece, and where their texts are. */
  function* lateIn({ name, late }: Piece): Generator<{ line: number; start: number; end: number }> {
    let number = ''
    let start = -1
    let offset = 0
    for (const bytes of writer.read(lateName(name), 0, late)) {
      for (let at = 0; at < bytes.length; at++) {
        if (start < 0) {
          if (bytes[at] === 0x20) start = offset + at + 1
          else number += String.fromCharCode(bytes[at]!)
          continue
        }
        const end = bytes.indexOf(NEWLINE, at)
        if (end < 0) break
        yield { line: Number(number), start, end: offset + end }
        number = ''
        start = -1
        at = end
      }
      offset += bytes.length
    }
  }

  /** Writes a piece with its late lines in their places. */
  function writeFilled(piece: Piece, write: (bytes: Buffer) => void): void {
    const late = Map.groupBy(lateIn(piece), ({ line }) => line)
    const put = (line: number): void => {
      for (const { start, end } of late.get(line) ?? [])
        for (const bytes of writer.read(lateName(piece.name), start, end)) write(bytes)
    }
    let line = 1
    let isBegun = false
    for (const bytes of writer.read(piece.name, 0, piece.bytes)) {
      let copied = 0
      for (let at = 0; at < bytes.length; at++) {
        if (bytes[at] !== NEWLINE) {
          isBegun = true
          const end = bytes.indexOf(NEWLINE, at)
          if (end < 0) break
          at = end
        }
        if (!isBegun && late.has(line)) {
          write(bytes.subarray(copied, at))
          put(line)
          copied = at
        }
        isBegun = false
        line++
      }
      write(bytes.subarray(copied))
    }
  }

  return {
    isFree,
    add,
    writeFilled,
    /** Looks at a piece anew, because it was renamed or its last line has grown. */
    forget: (name: string): void => void known.delete(name),
  }
}

const lateName = (name: string): string => `${name}.late`

const isSet = (bits: Uint8Array, line: number): boolean => ((bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0

function withBit(bits: Uint8Array, line: number): Uint8Array {
  let all = bits
  if (line >> 3 >= bits.length) {
    all = new Uint8Array(Math.max(bits.length * 2, (line >> 3) + 1))
    all.set(bits)
  }
  all[line >> 3]! |= 1 << (line & 7)
  return all
}
