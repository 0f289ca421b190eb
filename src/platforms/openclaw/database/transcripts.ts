import { dirname, join } from 'node:path'
import { fileInside, NO_LINKS } from '../../../io/directories.ts'
import { DAMAGED, openRows, type Row } from '../../../io/rows.ts'
import { bufferSource, readSmall, type SeekableSource } from '../../../io/source.ts'
import { unpackZstd } from '../../../io/zstd.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { asObject, asText, parsedJson } from '../../../model/json.ts'
import type { Connection } from '../../database-connections.ts'
import { STATEMENTS } from '../statements.ts'
import { hold } from './connection.ts'
import { ARCHIVE, pendingLine, USUAL_RECORD } from './sessions.ts'

/**
 * The records of a session in a database as lines, in a consistent snapshot. Throws engine errors. `close`
 * throws if what was read may be inconsistent.
 */
export function openSession(artifact: Artifact, path: string): SeekableSource {
  const { connection, release } = hold(path)
  try {
    const source =
      openArchive(artifact, path, connection) ??
      (hasRecords(artifact, connection) ? undefined : openColdSession(artifact, path, connection)) ??
      openTranscript(artifact, connection)
    const close = (): void => {
      source.close()
      release()
    }
    return { ...source, close }
  } catch (error) {
    release()
    throw error
  }
}

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
const hasRecords = ({ sessionId }: Artifact, { database }: Connection): boolean =>
  database.prepare(STATEMENTS.last).get(sessionId)?.last !== null

/** The records of a session in a database, as lines. Throws engine errors. */
function openTranscript(
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
  })
}

function* records(rows: Iterable<unknown>): Generator<Row> {
  for (const row of rows) {
    const { number, text, packed } = row as EventRow
    yield { seq: Math.floor(number), bytes: text ? inOneLine(text) : packed ? unpacked(packed) : DAMAGED }
  }
}

/** Very large numbers may become equal when rounded. Such rows are read as several records on one line. */
function* onePerNumber(rows: Iterable<Row>, backwards: boolean): Generator<Row> {
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
    return inOneLine(unpackZstd(packed, RECORD_LIMIT).bytes)
  } catch {
    return DAMAGED
  }
}

const ENDS = [10, 13]
const SPACE = 32

/** Replaces newlines, which in JSON only occur between values. An empty row counts as malformed. */
function inOneLine(bytes: Uint8Array): Buffer {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const end of ENDS)
    for (let at = line.indexOf(end); at >= 0; at = line.indexOf(end, at + 1)) line[at] = SPACE
  return line.every((byte) => byte === SPACE || byte === 9) ? DAMAGED : line
}

/** Maximum unpacked size of an archive, which must fit into memory. */
const UNPACKED_LIMIT = 512 * 1024 * 1024

/**
 * The lines of a transcript of a reset or deleted session, which a database stores whole. Undefined if the
 * path is not one of them.
 */
function openArchive(
  { path, bytes, modifiedMs, identity = '' }: Artifact,
  at: string,
  { database }: Connection,
): SeekableSource | undefined {
  const name = path.slice(at.length + 1)
  if (!name.startsWith(ARCHIVE)) return undefined
  const row = database.prepare(STATEMENTS.archive).get(name.slice(ARCHIVE.length))
  if (!row) throw Object.assign(new Error('the archive is gone'), { code: 'ENOENT' })
  const packed = bytesOf(row.packed)
  const content = row.encoding === 'zstd' ? unpack(packed) : packed
  return bufferSource(content, 0, { size: bytes, mtimeMs: modifiedMs, identity })
}

/**
 * The records of a session in cold storage, as lines. They are in a compressed file or a row. Undefined if
 * the session is not in cold storage.
 */
function openColdSession(
  artifact: Artifact,
  path: string,
  { database, tables }: Connection,
): SeekableSource | undefined {
  if (!tables.has('session_transcript_cold_archives')) return undefined
  const found = database.prepare(STATEMENTS.coldArchive).get(artifact.sessionId)
  if (!found) return undefined
  const packed = found.packed ? bytesOf(found.packed) : coldFile(path, String(found.name))
  const rows = coldRecords(unpack(packed).toString('utf8'))
  const { bytes, modifiedMs, identity = '' } = artifact
  return openRows({
    from: (seq) => rows.filter((row) => row.seq >= seq).values(),
    below: (seq) =>
      rows
        .toReversed()
        .filter((row) => row.seq < seq)
        .values(),
    state: () => ({ size: bytes, mtimeMs: modifiedMs, identity }),
  })
}

/** Reads `sessions/cold/<sha256>.jsonl.zst` next to the agent's folder. */
function coldFile(database: string, name: string): Buffer {
  const folder = join(dirname(dirname(database)), 'sessions', 'cold')
  const path = join(folder, name)
  if (!fileInside(folder, path, NO_LINKS))
    throw Object.assign(new Error('its cold file is missing'), { code: 'ERR_PACKED_FILE_MISSING' })
  const content = readSmall(path, UNPACKED_LIMIT)
  if (!content) throw Object.assign(new Error('its cold file is too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
  return content
}

/** The records in a cold archive; its other rows are derived from them. Malformed lines come last. */
function coldRecords(text: string): Row[] {
  const rows: Row[] = []
  let damaged = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const entry = asObject(parsedJson(line))
    const row = asObject(entry?.row)
    const json = asText(row?.event_json)
    if (entry?.kind === 'event' && typeof row?.seq === 'number' && json !== undefined)
      rows.push({ seq: Math.max(0, Math.floor(row.seq)), bytes: inOneLine(Buffer.from(json)) })
    else if (entry === undefined || entry.kind === 'event') damaged++
  }
  rows.sort((one, other) => one.seq - other.seq)
  const inOrder = [...onePerNumber(rows, false)]
  for (; damaged > 0; damaged--) inOrder.push({ seq: (inOrder.at(-1)?.seq ?? -1) + 1, bytes: DAMAGED })
  return inOrder
}

/** Throws if the value is neither bytes nor text. */
function bytesOf(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from(value)
  if (value instanceof Uint8Array) return Buffer.from(value)
  throw Object.assign(new Error('there is no archive'), { code: 'ZSTD_error_prefix_unknown' })
}

const unpack = (packed: Buffer): Buffer => unpackZstd(packed, UNPACKED_LIMIT).bytes
