import { zlib } from '../../../io/process.ts'
import { DAMAGED, openRows, type Row } from '../../../io/rows.ts'
import type { SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Connection } from './connection.ts'
import { USUAL_RECORD } from './database-sessions.ts'
import { pendingLine } from './pending-inputs.ts'
import { STATEMENTS } from './statements.ts'

/** The schema limits records to 4 MiB, but a database may not enforce it. */
const RECORD_LIMIT = 64 * 1024 * 1024

interface EventRow {
  number: number
  text: Uint8Array | null
  packed: Uint8Array | null
}

/** Numbers below 0 count as 0 and are read with the first row. */
const LEAST = Number.NEGATIVE_INFINITY

/** Whether the session has rows in the table of all records. */
export const hasRecords = ({ sessionId }: Artifact, { database }: Connection): boolean =>
  database.prepare(STATEMENTS.last).get(sessionId)?.last !== null

/** The records of a session in a database, as lines. Throws engine errors. */
export function openTranscript(
  { sessionId, modifiedMs, identity = '' }: Artifact,
  connection: Connection,
): SeekableSource {
  const { database, tables } = connection
  const packed = tables.get('transcript_events')?.has('event_zstd')
  const onwards = database.prepare(packed ? STATEMENTS.events : STATEMENTS.plainEvents)
  const backwards = database.prepare(packed ? STATEMENTS.eventsBelow : STATEMENTS.plainEventsBelow)
  const last = database.prepare(STATEMENTS.last)
  return openRows({
    from: (seq) => onePerNumber(records(onwards.iterate(sessionId, seq > 0 ? seq : LEAST)), false),
    below: (seq) => onePerNumber(records(backwards.iterate(sessionId, seq)), true),
    tail: () => pendingLine(sessionId, connection),
    state: () => ({
      size: (Number(last.get(sessionId)?.last ?? -1) + 1) * USUAL_RECORD,
      mtimeMs: modifiedMs,
      identity,
    }),
    close: () => {},
  })
}

function* records(rows: Iterable<unknown>): Generator<Row> {
  for (const row of rows) {
    const { number, text, packed } = row as EventRow
    yield { seq: Math.floor(number), bytes: text ? inOneLine(text) : packed ? unpacked(packed) : DAMAGED }
  }
}

/** Very large numbers may become equal when rounded. Such rows are read as several records on one line. */
export function* onePerNumber(rows: Iterable<Row>, backwards: boolean): Generator<Row> {
  let held: Row | undefined
  for (const row of rows) {
    if (held?.seq === row.seq)
      held.bytes = Buffer.concat(backwards ? [row.bytes, held.bytes] : [held.bytes, row.bytes])
    else {
      if (held) yield held
      held = row
    }
  }
  if (held) yield held
}

function unpacked(packed: Uint8Array): Buffer {
  try {
    return inOneLine(zlib().zstdDecompressSync(packed, { maxOutputLength: RECORD_LIMIT }))
  } catch {
    return DAMAGED
  }
}

const ENDS = [10, 13]
const SPACE = 32

/** Replaces newlines, which in JSON only occur between values. An empty row counts as malformed. */
export function inOneLine(bytes: Uint8Array): Buffer {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const end of ENDS)
    for (let at = line.indexOf(end); at >= 0; at = line.indexOf(end, at + 1)) line[at] = SPACE
  return line.every((byte) => byte === SPACE || byte === 9) ? DAMAGED : line
}
