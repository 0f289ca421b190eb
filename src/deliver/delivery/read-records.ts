import { createHash, hash } from 'node:crypto'
import json5 from 'json5'
import { isReplaced } from '../../io/directories.ts'
import type { Line } from '../../io/lines.ts'
import { isPacked, openSource, readSmall, type SeekableSource } from '../../io/source.ts'
import type { TableEntry } from '../../model/delivery.ts'
import { asObject, type JsonObject } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { openArtifact } from '../../sync/read/read-session.ts'
import { bytesOf, isCurrent, openTail, type Tail, UNKNOWN } from '../../tail/tail.ts'
import { createEnvelopes, idOf, redactorOptions, scopeOf } from './envelope.ts'
import { createForgotten } from './forgotten-records.ts'
import type { Source } from './inventory.ts'
import { contentOf, createRecordWriter, type RecordState } from './record-writer.ts'
import { BEGINNING, type Checkpoint, createChunks, type Slice, type SliceTask, TOO_LARGE } from './slice.ts'

/** Bytes that are read before their records are sent. Bounds memory for files of any length. */
const SLICE = 1024 * 1024
/** An unterminated last line is delivered after nothing was written for this long. */
const AT_REST_MS = 5000
/** A file that changed this recently may still be written to. */
const LIVELY_MS = 60_000
/** Clients rewrite the last lines of a file within this many bytes of its end. */
const TAIL_BYTES = 64 * 1024
/** A file that is rewritten this many times while it is read is left for the next pass. */
const MOST_TRIES = 5

/**
 * Reads the next records of a line-based source. Starts at the checkpoint if the file is still the one it was
 * made from, otherwise at the first byte as a new generation. Throws file system errors, or those of the
 * database engine.
 */
export function readRecords(task: SliceTask): Slice {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const reader = openReader(task.source)
    try {
      const slice = readOnce(reader, task)
      if (slice) return slice
    } finally {
      reader.close()
    }
  }
  throw writtenMeanwhile(task.source.path)
}

const writtenMeanwhile = (path: string): Error =>
  Object.assign(new Error(`${path} is being written`), { code: 'ERR_WRITTEN_MEANWHILE' })

const openReader = ({ artifact, path }: Source): SeekableSource =>
  artifact ? openArtifact(artifact) : openSource(path)

interface Position {
  offset: number
  line: number
  state: RecordState
}

/** Returns undefined if the file was rewritten during the read, because the result may mix both versions. */
function readOnce(reader: SeekableSource, task: SliceTask): Slice | undefined {
  const { source, settings, checkpoint, nowMs, until } = task
  const from = resumePoint(reader, source, checkpoint)
  const generation = from?.generation ?? (checkpoint?.generation ?? 0) + 1
  const isDatabase = source.row.content === 'rows'
  const ageMs = nowMs - reader.state().mtimeMs
  // A time in the future says nothing: the clock was set back since.
  const wasLeft = Math.abs(ageMs) >= AT_REST_MS
  const atRest = !isDatabase && wasLeft
  if (reader.torn && !wasLeft) throw writtenMeanwhile(source.path)
  const witness = !isDatabase && ageMs < LIVELY_MS
  const tail = openTail(reader, { nowMs, from, tailBytes: TAIL_BYTES, witness })
  const ends: Position[] = []
  const writer = createRecordWriter({
    source,
    settings,
    generation,
    from,
    onFull: () => ends.push(position),
  })
  let position: Position = { offset: from?.offset ?? 0, line: from?.line ?? 1, state: writer.state() }
  const { offset, line, bytes, ended } = tail.read(visit, { enough: SLICE, until })
  // An unterminated line is read again, after the same records as now.
  const { tailSent } = writer.state()
  const reached: Position = { offset, line, state: { ...position.state, tailSent } }
  const checkpoints = createCheckpoints(tail, source, generation)
  const isWhole = ended && isSettled(tail, reached, atRest || isDatabase)
  const final = (): Checkpoint => checkpoints.at(reached, isWhole ? tail.opened.size : CHANGED)
  const chunks = writer.chunks((index, last) => (last ? final() : checkpoints.between(ends[index]!)))
  const next = chunks.at(-1)?.next ?? final()
  // Checked last, after everything that the checkpoints depend on has been read.
  if (!tail.isIntact()) {
    if (!isDatabase) return undefined
    for (const each of [next, ...chunks.map((chunk) => chunk.next)]) Object.assign(each, UNKNOWN)
  }
  return { chunks, more: !ended, read: bytes, ...writer.counts, next }

  function visit(line: Line): void {
    if (!line.terminated && !atRest) return
    const content = contentOf(line)
    if ('records' in content) content.records.forEach(writer.write)
    else if (line.terminated) writer.writeLineStub(line, hashOf(source, line), content.stub)
    if (line.terminated)
      position = { offset: line.offset + line.length + 1, line: line.number + 1, state: writer.state() }
  }
}

/** A size that no file has: the source looks changed, so that it is read again. */
const CHANGED = -1

function createCheckpoints(tail: Tail, { modifiedMs, identity }: Source, generation: number) {
  const at = ({ offset, line, state }: Position, size: number): Checkpoint => ({
    generation,
    size,
    modifiedMs,
    identity,
    ...state,
    ...tail.mark({ offset, line }),
  })
  return {
    at,
    /** Between two chunks. An unterminated line can only have been delivered with the last one. */
    between: ({ offset, line, state: { anchor, project } }: Position): Checkpoint =>
      at({ offset, line, state: { anchor, project } }, CHANGED),
  }
}

/** The last line may be incomplete, or a change may not show in the modification time. */
const isSettled = ({ opened, recentlyModified }: Tail, { offset }: Position, atRest: boolean): boolean =>
  !recentlyModified && (atRest || offset >= opened.size)

/** The checkpoint, if the bytes before it are unchanged. A backup puts a file back as another one. */
function resumePoint(
  reader: SeekableSource,
  { identity, path }: Pick<Source, 'identity' | 'path'>,
  checkpoint: Checkpoint | undefined,
): Checkpoint | undefined {
  if (!checkpoint || checkpoint.gone) return undefined
  // A database detects rewrites itself, and its size is an estimate. That of a compressed file is less.
  const isShorter = !isPacked(path) && reader.state().size < checkpoint.offset
  if (reader.lineBegins ? identity !== checkpoint.identity : isShorter) return undefined
  const { size, mtimeMs } = reader.state()
  const isPutBack = size === checkpoint.size && mtimeMs === checkpoint.modifiedMs
  if (!reader.lineBegins && !isPutBack && isReplaced(checkpoint.identity, identity)) return undefined
  return isCurrent(reader, checkpoint, TAIL_BYTES) ? checkpoint : undefined
}

/** The bytes of such a line were not held in memory. They are read again. */
function hashOf(source: Source, { offset, number, length }: Line): string {
  const hash = createHash('sha256')
  const reader = openReader(source)
  try {
    reader.lineBegins?.(offset, number)
    reader.seek(offset)
    for (const bytes of bytesOf(reader, length)) hash.update(bytes)
  } finally {
    reader.close()
  }
  return hash.digest('hex')
}

/**
 * Skill snapshots make a session index a megabyte or more. No source that is delivered whole is larger than
 * this.
 */
const LIMIT = 256 * 1024 * 1024

/**
 * Reads a source that is delivered whole and returns what is new since the checkpoint. The entries of a
 * session index, and jobs and runs, are separate records, so that one change does not send everything again.
 * Throws file system errors, or those of the database engine.
 */
export function readWhole({ source, checkpoint, settings, nowMs }: SliceTask): Slice {
  const { entries, read, isTorn } = entriesIn(source)
  if (isTorn && Math.abs(nowMs - source.modifiedMs) < AT_REST_MS) throw writtenMeanwhile(source.path)
  const scope = scopeOf(source)
  const before = checkpoint?.gone ? [] : (checkpoint?.ids ?? [])
  const known = new Set(before)
  const generation = (checkpoint?.generation ?? 0) + 1
  const redactor = createRedactor(redactorOptions(settings))
  const write = createEnvelopes(source, settings, redactor)
  const chunks = createChunks(settings)
  const counts = {
    passedOver: 0,
    forgotten: 0,
    skipped: {},
    malformed: isTorn ? 1 : 0,
    stubs: 0,
    redactions: {} as Record<string, number>,
  }
  const isForgotten = createForgotten(source, settings)
  // What a torn file has lost is known when it returns.
  const ids = isTorn ? [...before] : []
  for (const { key, at, raw, session: stated } of entries) {
    const text = JSON.stringify(raw) ?? 'null'
    const digest = hash('sha256', text, 'hex')
    const id = idOf(scope, key, digest)
    ids.push(id)
    if (known.has(id)) continue
    known.add(id)
    const atMs = at ?? source.modifiedMs
    if (settings.historyFromMs !== null && atMs < settings.historyFromMs) {
      counts.passedOver++
      continue
    }
    const session = source.session ?? stated ?? sessionIn(raw, source)
    if (isForgotten(session, isTorn ? text : undefined)) {
      counts.forgotten++
      continue
    }
    const redacted = redactor.redactJsonLine(text)
    for (const [kind, count] of Object.entries(redacted.kinds))
      counts.redactions[kind] = (counts.redactions[kind] ?? 0) + count
    const facts = {
      id,
      atMs,
      generation,
      session,
      line: 1,
      offset: 0,
      project: null,
      redactions: redacted.count,
      ...(isTorn && { malformed: true as const }),
    }
    const [head, tail] = write(facts)
    if (chunks.write(head, redacted.text, tail) > (settings.recordLimit ?? Number.POSITIVE_INFINITY)) {
      counts.stubs++
      const stub = { bytes: Buffer.byteLength(text), sha256: digest, reason: TOO_LARGE }
      const [before, after] = write({ ...facts, stub })
      chunks.write(before, 'null', after)
    }
    chunks.keep(id)
  }
  const next: Checkpoint = {
    generation,
    offset: 0,
    line: 1,
    headLength: 0,
    head: '',
    tail: '',
    anchor: BEGINNING,
    ids,
    size: source.bytes,
    modifiedMs: source.modifiedMs,
    identity: source.identity,
  }
  // Until the last chunk is delivered, the checkpoint keeps the old ids.
  const nextOf = (last: boolean): Checkpoint =>
    last ? next : { ...next, size: -1, ids: checkpoint?.ids ?? [] }
  return { chunks: chunks.chunks((_, last) => nextOf(last)), next, more: false, read, ...counts }
}

/** `isTorn`: it is no JSON, because it is just being written, or damaged. Its one entry is then its text. */
function entriesIn(source: Source): { entries: TableEntry[]; read: number; isTorn?: boolean } {
  const { row, platform, root, path } = source
  const { delivery } = platformOf(platform)
  if (row.content === 'rows') {
    const entries = delivery.rows?.(root, row.kind, path) ?? []
    return { entries, read: source.bytes }
  }
  const content = readSmall(path, LIMIT)
  if (!content) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  const value = row.content === 'json' ? parsed(text) : undefined
  const entries =
    value === undefined
      ? [{ key: '', raw: { content: text } }]
      : (delivery.entries?.(value, row.kind, source.folders) ?? [{ key: '', raw: value }])
  return { entries, read: content.length, isTorn: row.content === 'json' && value === undefined }
}

/** The session that an entry of a session index describes. */
function sessionIn(raw: unknown, source: Source): string | null {
  const fields = asObject(raw) ?? {}
  const { delivery } = platformOf(source.platform)
  const sessionOf = (entry: JsonObject) =>
    delivery.record(entry, { kind: source.row.kind, sessions: source.sessions }).session
  const [only] = Object.values(fields)
  return sessionOf(fields) ?? sessionOf(asObject(only) ?? {}) ?? null
}

/** Parses JSON, or JSON5, which some clients accept. Undefined if neither parses. */
function parsed(text: string): unknown {
  for (const parse of [JSON.parse, json5.parse])
    try {
      return parse(text) ?? undefined
    } catch {
      // Try the other parser.
    }
  return undefined
}
