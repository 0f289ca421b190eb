import type { SeekableSource, SourceState } from './source.ts'

/** One row of a table with one record per row. */
export interface Row {
  /** Grows from record to record. Numbers may be missing. */
  seq: number
  /** The record, without newlines. */
  bytes: Buffer
}

/** The rows of one transcript, readable in both directions. */
interface Rows {
  /** Rows from a number on, in ascending order. */
  from(seq: number): Iterator<Row>
  /** Rows below a number, in descending order. */
  below(seq: number): Iterator<Row>
  /** Bytes after the last row that are not a row yet, like an incomplete last line of a file. */
  tail?(): Buffer
  state(): SourceState
}

/** With a larger gap, this is not a transcript. The rest is then one malformed line. */
const MOST_MISSING = 1_000_000
const NEWLINE = 10
const NOTHING = Buffer.alloc(0)
/** Replaces a record that cannot be read. Counts as malformed. */
export const DAMAGED: Buffer = Buffer.from('\0')

/**
 * Presents rows as a file of lines. Row `n` is line `n + 1`, and missing rows are empty lines. Before
 * seeking, call `lineBegins` with the position of a nearby line. Line 1 begins at 0.
 */
export function openRows(rows: Rows): SeekableSource {
  let anchor = { offset: 0, seq: 0 }
  let next: Iterator<Row> | undefined
  /** The number of the next row. */
  let expected = 0
  /** Pending output: newlines for missing rows, the bytes of a row, and its newline. */
  let missing = 0
  let left: Buffer = NOTHING
  let unended = false
  let tailRead = false

  /** Returns false after the last row. */
  function take(): boolean {
    next ??= rows.from(0)
    const row = next.next()
    if (row.done) return false
    missing = row.value.seq - expected
    left = row.value.bytes
    unended = true
    if (missing > MOST_MISSING) {
      next.return?.()
      next = [].values()
      missing = 0
      left = DAMAGED
    }
    expected = row.value.seq + 1
    return true
  }

  function startAt(seq: number, skip: number): void {
    next = rows.from(seq)
    expected = seq
    missing = 0
    left = NOTHING
    unended = false
    tailRead = false
    for (let toSkip = skip; toSkip > 0; ) {
      if (!take()) return
      const newlines = Math.min(toSkip, missing)
      missing -= newlines
      toSkip -= newlines
      const bytes = Math.min(toSkip, left.length)
      left = left.subarray(bytes)
      toSkip -= bytes
      if (toSkip > 0) {
        unended = false
        toSkip--
      }
    }
  }

  /** Goes back from the anchor, row by row, to one that begins at or before the offset. */
  function seekBefore(offset: number): void {
    let { offset: start, seq } = anchor
    const before = rows.below(seq)
    while (start > offset) {
      const row = before.next()
      if (row.done) {
        // Only missing rows remain, each an empty line.
        startAt(0, offset)
        break
      }
      start -= seq - row.value.seq - 1 + row.value.bytes.length + 1
      seq = row.value.seq
      if (start <= offset) startAt(seq, offset - start)
    }
    before.return?.()
  }

  return {
    read(into, at, length) {
      let held = 0
      while (held < length) {
        if (missing > 0) {
          const newlines = Math.min(missing, length - held)
          into.fill(NEWLINE, at + held, at + held + newlines)
          missing -= newlines
          held += newlines
        } else if (left.length > 0) {
          const count = left.copy(into, at + held, 0, length - held)
          left = left.subarray(count)
          held += count
        } else if (unended) {
          into[at + held++] = NEWLINE
          unended = false
        } else if (!take()) {
          if (tailRead) break
          tailRead = true
          left = rows.tail?.() ?? NOTHING
          if (left.length === 0) break
        }
      }
      return held
    },
    seek(offset) {
      next?.return?.()
      // Starts at the nearest known line, so that reading both ends of a transcript does not read all of it.
      if (offset >= anchor.offset) startAt(anchor.seq, offset - anchor.offset)
      else if (offset < anchor.offset - offset) startAt(0, offset)
      else seekBefore(offset)
    },
    lineBegins(offset, line) {
      anchor = { offset, seq: line - 1 }
    },
    state: rows.state,
    close() {
      next?.return?.()
    },
  }
}
