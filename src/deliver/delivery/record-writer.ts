import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Line } from '../../io/lines.ts'
import { isWithinLimits, parseLine } from '../../io/parse-line.ts'
import type { Envelope } from '../../model/delivery.ts'
import { asObject } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'
import type { RedactedLine } from '../../redact/json-line.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { createEnvelopes, createIds, type EnvelopeFacts, redactorOptions, withoutHome } from './envelope.ts'
import { createForgotten } from './forgotten-records.ts'
import {
  type Checkpoint,
  createChunks,
  createSkipped,
  type SliceCounts,
  type SliceTask,
  TOO_LARGE,
} from './slice.ts'

const NOTHING_FOUND: RedactedLine = { text: '', count: 0, kinds: {} }
const SPACE = 32

/** What following records depend on. It is part of a checkpoint. */
export type RecordState = Pick<Checkpoint, 'anchor' | 'project' | 'tailSent'>

type WriterTask = Pick<SliceTask, 'source' | 'settings'> & {
  generation: number
  /** The state to resume from. */
  from: RecordState | undefined
  /** Called when a chunk is full, before the line that did not fit. */
  onFull(): void
}

/** Turns the records of one source into envelopes: with an id, redacted, and within the size limit. */
export function createRecordWriter({ source, settings, generation, from, onFull }: WriterTask) {
  const { delivery, records } = platformOf(source.platform)
  const origin = { kind: source.row.kind, sessions: source.sessions }
  const limit = settings.recordLimit ?? Number.POSITIVE_INFINITY
  const redactor = createRedactor(redactorOptions(settings))
  const envelope = createEnvelopes(source, settings, redactor)
  const ids = createIds(source, from?.anchor)
  const isSkipped = createSkipped(settings.skip)
  const isForgotten = createForgotten(source, settings)
  const chunks = createChunks(settings)
  const counts: Omit<SliceCounts, 'read'> = {
    passedOver: 0,
    forgotten: 0,
    malformed: 0,
    stubs: 0,
    skipped: {},
    redactions: {},
  }
  let project = from?.project
  const sent = from?.tailSent
  let tailSent = sent

  function write(found: LineRecord): void {
    const { line, bytes, entry, part, malformed } = found
    if (malformed) counts.malformed++
    const object = asObject(entry)
    const facts = object ? delivery.record(object, origin) : {}
    const id = ids.next(facts, bytes, part ?? 0)
    // In a file of several sessions, one says nothing of the directory of the next.
    if (source.session === null) project = undefined
    if (facts.cwd !== undefined) project = redactor.redact(withoutHome(facts.cwd, settings.home))
    if (sent?.startsWith(`${line.offset} `) && sent === tailOf(line, bytes)) {
      // At most its newline is new.
      if (line.terminated) tailSent = undefined
      return
    }
    const atMs = facts.at ?? source.modifiedMs
    const session = source.session ?? facts.session ?? null
    if (isForgotten(session, malformed && found.raw())) {
      counts.forgotten++
      return
    }
    if (!isWanted(facts.type, atMs)) return
    writeWithinLimit(found, {
      id,
      atMs,
      line: line.number,
      offset: line.offset,
      generation,
      part,
      malformed,
      session,
      project: project ?? null,
      redactions: 0,
    })
    keep(id)
    tailSent = line.terminated ? undefined : tailOf(line, bytes)
  }

  /** Whether a record is delivered. Otherwise it is counted. */
  function isWanted(type: string | undefined, atMs: number): boolean {
    if (type !== undefined && isSkipped(type)) {
      counts.skipped[type] = (counts.skipped[type] ?? 0) + 1
      return false
    }
    const isEarlier = settings.historyFromMs !== null && atMs < settings.historyFromMs
    if (isEarlier) counts.passedOver++
    return !isEarlier
  }

  function writeWithinLimit({ line, bytes, raw, asRead }: LineRecord, facts: EnvelopeFacts): void {
    // A character takes at least one byte.
    const isTooLarge = (!asRead || bytes.length > limit) && raw().length > limit
    if (!isTooLarge) {
      // Most lines contain no secret and need not be decoded.
      const clean = asRead && !settings.normalized && redactor.isClean(line.bytes, line.start, line.end)
      const { text, count, kinds } = clean ? NOTHING_FOUND : redactor.redactJsonLine(raw())
      const form = normalized(text)
      for (const [kind, found] of [...Object.entries(kinds), ...Object.entries(form?.kinds ?? {})])
        counts.redactions[kind] = (counts.redactions[kind] ?? 0) + found
      const [head, tail] = envelope({ ...facts, redactions: count + (form?.count ?? 0) }, form?.text)
      // A record without redactions is written as its original bytes.
      if (chunks.write(head, asRead && count === 0 ? trimmed(bytes) : text.trim(), tail) <= limit) return
    }
    writeStub(facts, { bytes: bytes.length, sha256: hash('sha256', bytes, 'hex'), reason: TOO_LARGE })
  }

  /**
   * Our normalized form, made from the redacted record. What a platform adds to it from other files and from
   * names of folders is redacted here.
   */
  function normalized(text: string): RedactedLine | undefined {
    if (!settings.normalized || !source.artifact) return undefined
    return redactor.redactJsonLine(JSON.stringify(records.normalize(tryParse(text), source.artifact)))
  }

  function writeStub(facts: EnvelopeFacts, stub: Envelope['stub']): void {
    counts.stubs++
    const [head, tail] = envelope({ ...facts, stub })
    chunks.write(head, 'null', tail)
  }

  function keep(id: string): void {
    if (chunks.keep(id)) onFull()
  }

  return {
    counts,
    write,
    /** Writes a whole line as a stub. `sha256`: of its bytes. */
    writeLineStub({ number: line, offset, length }: Line, sha256: string, reason: string) {
      const id = ids.next({}, Buffer.from(sha256), 0)
      const facts = { id, atMs: source.modifiedMs, line, offset, generation, redactions: 0 }
      const stub = { bytes: length, sha256, reason }
      writeStub(
        { ...facts, session: source.session, project: (source.session !== null && project) || null },
        stub,
      )
      keep(id)
      tailSent = undefined
    },
    state: (): RecordState => ({
      anchor: ids.anchor(),
      tailSent,
      project: source.session === null ? undefined : project,
    }),
    chunks: chunks.chunks,
  }
}

/** What tells a line without a newline from what it becomes. A record that changes may keep its id. */
const tailOf = ({ offset }: Line, bytes: Uint8Array): string =>
  `${offset} ${hash('sha256', bytes, 'hex').slice(0, 16)}`

/** Trims white space around a record. Some readers treat a carriage return as a line end. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let [start, end] = [0, bytes.length]
  while (start < end && bytes[start]! <= SPACE) start++
  while (end > start && bytes[end - 1]! <= SPACE) end--
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
}

/** A record and its line. */
interface LineRecord {
  line: Line
  /** The whole line. */
  bytes: Uint8Array
  /** The record as JSON. */
  raw(): string
  /** The parsed record. */
  entry?: unknown
  /** The position among several records of one line. */
  part?: number
  malformed?: true
  /** True if `raw` is the unchanged line. */
  asRead?: true
}

/** The records of a line, or the reason why it becomes a stub. */
type LineContent = { records: readonly LineRecord[] } | { stub: string }

/** A longer line that cannot be parsed becomes a stub, because its text would be in memory several times. */
const MOST_DAMAGED = 1024 * 1024

/** The records are only valid until the next line is read. An incomplete last line has none. */
export function contentOf(line: Line): LineContent {
  if (line.oversized) return { stub: 'longer than any record' }
  const bytes = line.bytes.subarray(line.start, line.end)
  let text: string | undefined
  const raw = (): string => {
    text ??= bytes.toString('utf8')
    return text
  }
  const isBounded = isWithinLimits(line.bytes, line.start, line.end)
  if (!isBounded && line.length > MOST_DAMAGED) return { stub: 'nested too deeply, or of too many values' }
  // Bytes that are not UTF-8 would not survive decoding.
  const entry = isBounded && isUtf8(bytes) ? tryParse(raw()) : undefined
  if (entry !== undefined) return { records: [{ line, bytes, raw, entry, asRead: true }] }
  const { entries, damaged } = parseLine(line.bytes, line.start, line.end)
  const isWhole = !damaged && entries.length > 0
  if (!isWhole && !line.terminated) return { records: [] }
  if (!isWhole) return { records: [{ line, bytes, raw: () => JSON.stringify(raw()), malformed: true }] }
  const part = (index: number): number | undefined => (entries.length > 1 ? index : undefined)
  return {
    records: entries.map((each, index) => ({
      line,
      bytes,
      raw: () => JSON.stringify(each),
      entry: each,
      part: part(index),
    })),
  }
}

/** Undefined if the text is not JSON. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
