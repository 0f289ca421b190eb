import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileInside, identityOf, NO_LINKS } from '../../../io/directories.ts'
import { zlib } from '../../../io/process.ts'
import { DAMAGED, openRows, type Row } from '../../../io/rows.ts'
import { bufferSource, readSmall, type SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { asObject, asText } from '../../../model/json.ts'
import { entryOf } from '../sessions/session-entry.ts'
import { kindOfKey } from '../sessions/session-kind.ts'
import type { Connection } from './connection.ts'
import { sessionPathOf } from './database-sessions.ts'
import { STATEMENTS } from './statements.ts'
import { inOneLine, onePerNumber } from './transcript-rows.ts'

/** Maximum unpacked size of an archive, which must fit into memory. */
const UNPACKED_LIMIT = 512 * 1024 * 1024
const ARCHIVE = 'archive/'

/** Transcripts of reset or deleted sessions, which a database stores whole. */
export function archivesOf(
  { database, tables }: Connection,
  path: string,
  root: string,
  agent: string,
): Artifact[] {
  if (!tables.has('session_transcript_archives')) return []
  const file = identityOf(statSync(path))
  return database
    .prepare(STATEMENTS.archives)
    .all()
    .map(({ id, key, reason, name, created, bytes }) => ({
      platform: 'openclaw',
      root,
      path: sessionPathOf(path, `${ARCHIVE}${name}`),
      database: path,
      kind: 'transcript',
      state: reason === 'deleted' ? 'deleted' : 'reset',
      sessionId: String(id),
      agent,
      bytes: Number(bytes),
      modifiedMs: Number(created),
      identity: `${file}#${name}`,
      kindHint: kindOfKey(String(key)),
      sessionKey: String(key),
      entry: entryOf(String(key)),
    }))
}

/** The lines of such a transcript. Undefined if the path is not one of them. */
export function openArchive(
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
export function openColdSession(
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
        .filter((row) => row.seq < seq)
        .toReversed()
        .values(),
    state: () => ({ size: bytes, mtimeMs: modifiedMs, identity }),
    close: () => {},
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
    const entry = asObject(parsed(line))
    const row = asObject(entry?.row)
    const json = asText(row?.event_json)
    if (entry?.kind === 'event' && typeof row?.seq === 'number' && json !== undefined)
      rows.push({ seq: Math.max(0, Math.floor(row.seq)), bytes: inOneLine(Buffer.from(json)) })
    else if (entry === undefined || entry.kind === 'event') damaged++
  }
  const inOrder = [
    ...onePerNumber(
      rows.sort((one, other) => one.seq - other.seq),
      false,
    ),
  ]
  for (; damaged > 0; damaged--) inOrder.push({ seq: (inOrder.at(-1)?.seq ?? -1) + 1, bytes: DAMAGED })
  return inOrder
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Throws if the value is neither bytes nor text. */
function bytesOf(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from(value)
  if (value instanceof Uint8Array) return Buffer.from(value)
  throw Object.assign(new Error('there is no archive'), { code: 'ZSTD_error_prefix_unknown' })
}

const unpack = (packed: Buffer): Buffer =>
  zlib().zstdDecompressSync(packed, { maxOutputLength: UNPACKED_LIMIT })
