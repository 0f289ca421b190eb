import { zstdDecompressSync } from 'node:zlib'
import { openRows, type Row } from '../../../io/rows.ts'
import type { SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Connection } from './connection.ts'
import { USUAL_RECORD } from './database-sessions.ts'
import { pendingLine } from './pending-inputs.ts'
import { STATEMENTS } from './statements.ts'

/** Records are at most 4 MiB by the schema's own rule; a database need not keep it. */
const RECORD_LIMIT = 64 * 1024 * 1024

interface EventRow {
  seq: number
  text: string | null
  packed: Uint8Array | null
}

/** Whether they stand in the table of all records. */
export const hasRecords = ({ sessionId }: Artifact, { database }: Connection): boolean =>
  database.prepare(STATEMENTS.last).get(sessionId)?.last !== null

/** The records of a session in a database, as lines. Throws the engine's error. */
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
    from: (seq) => records(onwards.iterate(sessionId, seq)),
    below: (seq) => records(backwards.iterate(sessionId, seq)),
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
    const { seq, text, packed } = row as EventRow
    yield { seq, bytes: packed ? unpacked(packed) : Buffer.from(oneLine(text ?? '')) }
  }
}

/** A frame that cannot be unpacked is handed on as it is: then it is counted as a damaged line. */
function unpacked(packed: Uint8Array): Buffer {
  try {
    return Buffer.from(oneLine(zstdDecompressSync(packed, { maxOutputLength: RECORD_LIMIT }).toString()))
  } catch {
    return Buffer.from('\u0000')
  }
}

/** Newlines inside JSON are space; inside its strings they are escaped. */
const oneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json)
