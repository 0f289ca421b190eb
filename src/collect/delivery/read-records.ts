import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { isReplaced } from '../../io/directories.ts'
import { type Fingerprint, fingerprintAt, holds } from '../../io/fingerprint.ts'
import { readLines } from '../../io/lines.ts'
import { isWithinLimits } from '../../io/parse-limit.ts'
import { parseLine } from '../../io/parse-line.ts'
import { type LineShape, OVERSIZE_LINE } from '../../io/scanner/shape.ts'
import { openSource, type SeekableSource } from '../../io/source.ts'
import { asObject, asText } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'
import type { RedactedLine } from '../../redact/json-line.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { openArtifact } from '../open-artifact.ts'
import type { Checkpoint } from './checkpoint.ts'
import { createEnvelopes, type RecordFacts, withoutHome } from './envelope-line.ts'
import { fieldScanner, fieldsOf, timeOf } from './record-fields.ts'
import { createIds } from './record-id.ts'
import { redactorOptions } from './redactor-options.ts'
import { createSkipped } from './skipped-types.ts'
import { createChunks, type Slice, type SliceTask, TOO_LARGE } from './slice.ts'
import { sessionOf } from './source.ts'

/** Bytes that are read before what they hold is sent: memory stays bounded however long the file is. */
const SLICE = 1024 * 1024
/** A last line without an end is delivered when nobody wrote for so long. */
const AT_REST_MS = 5000
/** Written so shortly before it was read that its time cannot tell whether it changed since, in ms. */
const CLOCK_TICK_MS = 8
/** Somebody may write to a file that changed so shortly ago. */
const LIVELY_MS = 60_000
const WITNESS_BYTES = 256 * 1024
/** Agents write anew what stands so near the end of a file, in bytes; a database knows by itself what was. */
const TAIL_BYTES = 64 * 1024
const SPACE = 32
/** What no source has. */
const UNKNOWN: Fingerprint = { headLength: 0, head: '', tail: '' }
/** A file that is written anew so often while it is read is left for later. */
const MOST_TRIES = 5

/**
 * Reads the next records of a source of lines: from its checkpoint where the file still is what was read up to there, else from the first
 * byte as a new generation. Throws the system's error, or the engine's of a database.
 */
export function readRecords(task: SliceTask): Slice {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const slice = readOnce(task)
    if (slice) return slice
  }
  throw Object.assign(new Error(`${task.source.path} is written anew all the time`), {
    code: 'ERR_WRITTEN_MEANWHILE',
  })
}

/** Undefined where the file was written anew while it was read: what was read may be half of this and half of that. */
function readOnce({
  source,
  checkpoint,
  settings,
  nowMs,
  until = Number.POSITIVE_INFINITY,
}: SliceTask): Slice | undefined {
  const platform = platformOf(source.platform)
  const reader = source.artifact ? openArtifact(source.artifact) : openSource(source.path)
  try {
    const opened = reader.state()
    const from = goOnFrom(reader, source.identity, opened.size, checkpoint)
    const generation = from?.generation ?? (checkpoint?.generation ?? 0) + 1
    const redactor = createRedactor(redactorOptions(settings))
    const write = createEnvelopes(source, settings, redactor)
    const ids = createIds(source, from?.anchor)
    const chunks = createChunks(settings)
    const ends: Place[] = []
    const counts = {
      ...{ passedOver: 0, malformed: 0, stubs: 0 },
      skipped: {} as Record<string, number>,
      redactions: {} as Record<string, number>,
    }
    const isSkipped = createSkipped(settings.skip)
    const limit = settings.recordLimit ?? Number.POSITIVE_INFINITY
    const isDatabase = source.row.content === 'rows'
    const seen = nowMs - opened.mtimeMs < LIVELY_MS && !isDatabase ? createWitness(reader) : undefined
    const atRest = !isDatabase && nowMs - opened.mtimeMs >= AT_REST_MS
    let project = from?.project
    let tailSent = from?.tailSent
    let place: Place = { offset: from?.offset ?? 0, line: from?.line ?? 1, anchor: ids.anchor(), project }
    reader.lineBegins?.(place.offset, place.line)
    reader.seek(place.offset)
    const reached = readLines(seen ?? reader, fieldScanner(), visit, {
      offset: place.offset,
      number: place.line,
      enough: Math.min(SLICE, Math.max(1, until - place.offset)),
    })
    const ended = reached.ended || reached.offset >= until
    const settled = ended ? place : { ...place, offset: reached.offset, line: reached.number }
    const age = nowMs - opened.mtimeMs
    const racy = !isDatabase && age < CLOCK_TICK_MS && age > -LIVELY_MS
    // A last line that may still be written to, and a change that its time may not show.
    const unsettled = racy || (!isDatabase && settled.offset < opened.size && !atRest)
    const checkpointAt = ({ offset, line, anchor, project: within }: Place, last: boolean): Checkpoint => {
      reader.lineBegins?.(offset, line)
      return {
        ...{ generation, offset, line, anchor, project: within },
        // A source of which only a part was delivered looks as if it had grown.
        size: last && ended && !unsettled ? opened.size : -1,
        modifiedMs: source.modifiedMs,
        identity: source.identity,
        ...fingerprintAt(reader, offset, opened.size, tailOf(reader)),
        ...(last && tailSent ? { tailSent } : {}),
      }
    }
    const made = chunks.chunks((index, last) => checkpointAt(last ? settled : ends[index]!, last))
    const next = made.at(-1)?.next ?? checkpointAt(settled, true)
    // Looked at last, behind whatever the checkpoints were made of.
    const still =
      (sameState(opened, reader.state()) && !racy) ||
      (seen?.holds(from?.offset ?? 0, reached.bytes) === true &&
        (from === undefined || holds(reader, from.offset, from, tailOf(reader))))
    if (!still && !isDatabase) return undefined
    if (!still) for (const each of [next, ...made.map((chunk) => chunk.next)]) Object.assign(each, UNKNOWN)
    return { ...{ chunks: made, more: !ended, read: reached.bytes, ...counts }, next }

    function visit(line: LineShape): void {
      if (line.offset + line.length >= until || (!line.terminated && !atRest)) return
      // A line that has no end yet is never gone past.
      const before = place
      if (line.kind === OVERSIZE_LINE) stubbed(line, 'longer than any record')
      else records(line)
      place = line.terminated
        ? { offset: line.offset + line.length + 1, line: line.number + 1, anchor: ids.anchor(), project }
        : before
    }

    function records(line: LineShape): void {
      const bytes = line.bytes.subarray(line.start, line.end)
      const text = (): string => bytes.toString('utf8')
      const isBounded = isWithinLimits(line.bytes, line.start, line.end)
      if (!isBounded && line.length > MOST_DAMAGED) {
        stubbed(line, 'nested too deeply, or of too many values')
        return
      }
      // Bytes that are no text would come back as others.
      const whole = isBounded && isUtf8(bytes) ? (fieldsOf(line) ?? tryParse(text())) : undefined
      if (whole !== undefined) {
        record({ line, bytes, raw: text, entry: whole, asRead: true })
        return
      }
      const { entries, damaged } = parseLine(line.bytes, line.start, line.end)
      if (!line.terminated && (damaged || entries.length === 0)) return
      if (!damaged && entries.length > 0)
        for (const [index, entry] of entries.entries()) {
          const part = entries.length > 1 ? index : undefined
          record({ line, bytes, raw: () => JSON.stringify(entry), entry, part })
        }
      else {
        counts.malformed++
        record({ line, bytes, raw: () => JSON.stringify(text()), malformed: true })
      }
    }

    function record({ line, bytes, raw, entry, part, malformed, asRead }: ReadRecord): void {
      const fields = asObject(entry)
      const ownMs = timeOf(fields)
      const id = ids.next(fields, bytes, ownMs !== undefined, part ?? 0)
      const folder = asText(fields?.cwd) ?? asText(fields?.project)
      if (folder !== undefined) project = redactor.redact(withoutHome(folder, settings.home))
      if (!line.terminated && tailSent === id) return
      const type = asText(fields?.type)
      if (type !== undefined && isSkipped(type)) {
        counts.skipped[type] = (counts.skipped[type] ?? 0) + 1
        return
      }
      const atMs = ownMs ?? source.modifiedMs
      if (settings.historyFromMs !== null && atMs < settings.historyFromMs) {
        counts.passedOver++
        return
      }
      const facts: RecordFacts = {
        ...{ id, atMs, line: line.number, offset: line.offset, generation, part, malformed },
        session: source.session ?? sessionOf(fields, source) ?? null,
        project: project ?? null,
        redactions: 0,
      }
      // A character takes at least a byte.
      if ((!asRead || bytes.length > limit) && raw().length > limit) writeStub(facts, bytes)
      else {
        // Most lines are clean, and need not become a text.
        const clean = asRead && !settings.normalized && redactor.isClean(line.bytes, line.start, line.end)
        const redacted = clean ? NOTHING_FOUND : redactor.redactJsonLine(raw())
        for (const [kind, count] of Object.entries(redacted.kinds))
          counts.redactions[kind] = (counts.redactions[kind] ?? 0) + count
        facts.redactions = redacted.count
        const [head, tail] = write(facts, settings.normalized ? normalized(redacted.text) : undefined)
        // What nothing was taken out of goes on as the bytes it is.
        const told = asRead && redacted.count === 0 ? trimmed(bytes) : redacted.text.trim()
        if (chunks.write(head, told, tail) > limit) writeStub(facts, bytes)
      }
      keep(id, line.terminated)
    }

    function writeStub(facts: RecordFacts, bytes: Uint8Array): void {
      counts.stubs++
      const stub = { bytes: bytes.length, sha256: hash('sha256', bytes, 'hex'), reason: TOO_LARGE }
      const [head, tail] = write({ ...facts, stub })
      chunks.write(head, 'null', tail)
    }

    function keep(id: string, terminated: boolean): void {
      if (chunks.keep(id)) ends.push(place)
      tailSent = terminated ? undefined : id
    }

    /** What we make of it: its secrets are gone already. */
    function normalized(text: string): string | undefined {
      const entry = tryParse(text)
      return source.artifact ? JSON.stringify(platform.normalize(entry, source.artifact)) : undefined
    }

    /** Its bytes are not held: they are read once more, for their hash. */
    function stubbed({ offset, number, length, terminated }: LineShape, reason: string): void {
      if (!terminated) return
      const sha256 = hashOf(source.path, offset, length)
      const id = ids.next(undefined, Buffer.from(sha256), false, 0)
      counts.stubs++
      const stub = { bytes: length, sha256, reason }
      const place = { line: number, offset, generation, session: source.session, project: project ?? null }
      const [head, tail] = write({ id, atMs: source.modifiedMs, redactions: 0, stub, ...place })
      chunks.write(head, 'null', tail)
      keep(id, terminated)
    }
  } finally {
    reader.close()
  }
}

/** A record with the line it stands on. */
interface ReadRecord {
  line: LineShape
  /** Of the whole line. */
  bytes: Uint8Array
  /** The record as JSON. */
  raw(): string
  /** What is looked at of it, at least. */
  entry?: unknown
  part?: number
  malformed?: true
  /** `raw` is the line as it is. */
  asRead?: true
}

/** A longer line that cannot be parsed is not sent as a text: it would stand in memory several times. */
const MOST_DAMAGED = 1024 * 1024

const NOTHING_FOUND: RedactedLine = { text: '', count: 0, kinds: {} }

interface Place {
  offset: number
  line: number
  anchor: Checkpoint['anchor']
  project?: string
}

/** The checkpoint, where what stands before it is still what was read. */
function goOnFrom(
  reader: SeekableSource,
  identity: string,
  size: number,
  checkpoint: Checkpoint | undefined,
): Checkpoint | undefined {
  if (!checkpoint || checkpoint.gone) return undefined
  // A database says itself what was written anew: its size is an estimate.
  if (reader.lineBegins ? identity !== checkpoint.identity : size < checkpoint.offset) return undefined
  if (!reader.lineBegins && isReplaced(checkpoint.identity, identity)) return undefined
  reader.lineBegins?.(checkpoint.offset, checkpoint.line)
  return holds(reader, checkpoint.offset, checkpoint, tailOf(reader)) ? checkpoint : undefined
}

const tailOf = ({ lineBegins }: SeekableSource): number | undefined => (lineBegins ? undefined : TAIL_BYTES)

/** Remembers what was read by its hash: a file that grew meanwhile may also have been written anew. */
function createWitness(reader: SeekableSource) {
  const told = createHash('sha256')
  return {
    ...reader,
    read(into: Buffer, at: number, length: number): number {
      const count = reader.read(into, at, length)
      told.update(into.subarray(at, at + count))
      return count
    },
    /** Whether the same bytes stand there now. */
    holds(offset: number, length: number): boolean {
      const bytes = Buffer.allocUnsafe(Math.min(length, WITNESS_BYTES))
      const now = createHash('sha256')
      reader.seek(offset)
      for (let left = length; left > 0; ) {
        const count = reader.read(bytes, 0, Math.min(left, bytes.length))
        if (count === 0) return false
        now.update(bytes.subarray(0, count))
        left -= count
      }
      return now.digest('hex') === told.digest('hex')
    },
  }
}

const sameState = (
  one: { size: number; mtimeMs: number },
  other: { size: number; mtimeMs: number },
): boolean => one.size === other.size && one.mtimeMs === other.mtimeMs

/** Space around a record is none of it: a carriage return would end a line for some readers. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let [start, end] = [0, bytes.length]
  while (start < end && bytes[start]! <= SPACE) start++
  while (end > start && bytes[end - 1]! <= SPACE) end--
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
}

function hashOf(path: string, offset: number, length: number): string {
  const told = createHash('sha256')
  const reader = openSource(path, offset)
  try {
    const bytes = Buffer.allocUnsafe(WITNESS_BYTES)
    for (let left = length; left > 0; ) {
      const count = reader.read(bytes, 0, Math.min(left, bytes.length))
      if (count === 0) break
      told.update(bytes.subarray(0, count))
      left -= count
    }
  } finally {
    reader.close()
  }
  return told.digest('hex')
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
