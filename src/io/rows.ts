import type { SeekableSource, SourceState } from './source.ts'

/** One row of a table that holds a record a row. */
export interface Row {
  /** Grows from record to record; numbers may be missing. */
  seq: number
  /** The record, without a newline in it. */
  bytes: Buffer
}

/** Rows of one transcript, in both directions. */
export interface Rows {
  /** From a number on, in order. */
  from(seq: number): Iterator<Row>
  /** Below a number, the nearest first. */
  below(seq: number): Iterator<Row>
  /** What stands behind the last row and is none yet: a line without an end, as of a file that is being written. */
  tail?(): Buffer
  state(): SourceState
  close(): void
}

/** More missing rows in a row are no transcript: what stands behind them is told as one damaged line. */
const MOST_MISSING = 1_000_000
const NEWLINE = 10
const NOTHING = Buffer.alloc(0)
/** In place of a record that cannot be read: counted, and no JSON. */
export const DAMAGED: Buffer = Buffer.from('\0')

/**
 * Rows as a file of lines: the row of number `n` is line `n + 1`, and a missing one is an empty line, so that a line says
 * which row it was. Where a line begins has to be told before a place near it is sought; line 1 begins at 0.
 */
export function openRows(rows: Rows): SeekableSource {
  let anchor = { offset: 0, seq: 0 }
  let next: Iterator<Row> | undefined
  /** The number of the row that comes next. */
  let expected = 0
  /** What was not handed out yet: newlines for missing rows, bytes of a row, and the newline behind it. */
  let missing = 0
  let left: Buffer = NOTHING
  let unended = false
  let tailRead = false

  /** False behind the last row. */
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

  /** Goes back row by row from the anchor to one that begins at the place or before it. */
  function seekBefore(offset: number): void {
    let { offset: start, seq } = anchor
    const before = rows.below(seq)
    while (start > offset) {
      const row = before.next()
      if (row.done) {
        // Only missing rows are left, an empty line each.
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
      // From the nearest line that is known: whoever looks at both ends of a transcript does not pass through all of it.
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
      rows.close()
    },
  }
}
