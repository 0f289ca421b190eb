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

/** More missing rows in a row are no transcript. */
const MOST_MISSING = 1_000_000
const NEWLINE = 10

/**
 * Rows as a file of lines: the row of number `n` is line `n + 1`, and a missing one is an empty line, so that a line says
 * which row it was. Where a line begins has to be told before a place near it is sought; line 1 begins at 0.
 */
export function openRows(rows: Rows): SeekableSource {
  let anchor = { offset: 0, seq: 0 }
  let next: Iterator<Row> | undefined
  /** The number of the row that comes next, and bytes before it that were not handed out yet. */
  let expected = 0
  let left: Buffer = Buffer.alloc(0)
  let tailRead = false

  function lineOf({ seq, bytes }: Row): Buffer {
    const missing = seq - expected
    if (missing < 0 || missing > MOST_MISSING)
      throw Object.assign(new Error(`row ${seq} follows ${expected - 1}`), { code: 'ERR_ROWS_MISSING' })
    const line = Buffer.allocUnsafe(missing + bytes.length + 1).fill(NEWLINE, 0, missing)
    bytes.copy(line, missing)
    line[line.length - 1] = NEWLINE
    expected = seq + 1
    return line
  }

  function startAt(seq: number, skip: number): void {
    next = rows.from(seq)
    expected = seq
    left = Buffer.alloc(0)
    tailRead = false
    for (let toSkip = skip; toSkip > 0; ) {
      const row = next.next()
      if (row.done) return
      const line = lineOf(row.value)
      left = line.subarray(Math.min(toSkip, line.length))
      toSkip -= line.length
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
        if (left.length === 0) {
          next ??= rows.from(0)
          const row = next.next()
          if (!row.done) left = lineOf(row.value)
          else if (tailRead) break
          else {
            tailRead = true
            left = rows.tail?.() ?? left
            if (left.length === 0) break
          }
        }
        const count = left.copy(into, at + held, 0, length - held)
        left = left.subarray(count)
        held += count
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
