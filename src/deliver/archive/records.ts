import {
  type CheckedEnd,
  type Contents,
  checkSegment,
  contentsOf,
  type FileFault,
} from '../../io/archive/contents.ts'
import type { RepairedSegment } from '../../io/archive/manifest.ts'
import type { Damage, SegmentPosition } from '../../io/archive/segments.ts'
import { unpackFrame } from '../../io/frames.ts'
import type { Envelope } from '../../model/delivery.ts'
import { hashText, IdSet } from '../../model/hash.ts'
import { append } from '../../model/iteration.ts'
import { asObject, type JsonObject } from '../../model/json.ts'

/** Where reading an archive can resume: after a frame of a segment. */
interface ArchivePosition {
  segment: string
  position: SegmentPosition
}

/** A line that is not a record, or one that cannot be unpacked. */
interface StrangeLine {
  segment: string
  /** The offset of its frame in bytes, and the line within the frame, from 1. */
  offset: number
  line: number
  reason: string
}

export interface ArchiveFaults {
  /** Faults in files of the archive other than segments. */
  files: FileFault[]
  /** Damaged parts of segments. */
  damaged: (Omit<Damage, 'type'> & { segment: string })[]
  /** Bytes after the last whole frame, from a write that was neither finished nor acknowledged. */
  torn: { segment: string; bytes: number }[]
  /** The number of lines that could not be used, and the first of them. */
  strange: number
  strangeLines: StrangeLine[]
}

export const noFaults = (): ArchiveFaults => ({
  files: [],
  damaged: [],
  torn: [],
  strange: 0,
  strangeLines: [],
})

/** Number of lines that are reported with their position. */
const MOST_REPORTED = 20

export function addStrange(faults: ArchiveFaults, line: StrangeLine): void {
  faults.strange++
  if (faults.strangeLines.length < MOST_REPORTED) faults.strangeLines.push(line)
}

/** The lines of one frame. */
interface ArchiveFrame {
  segment: string
  offset: number
  bytes: number
  lines: string[]
  end: SegmentPosition
}

interface ReadOptions {
  contents?: Contents
  /** Resume here. */
  after?: ArchivePosition | undefined
  /** The number of bytes that a frame of this size may unpack to. A larger one is damaged. */
  room?: (bytes: number) => number
  /** Receives the end of each segment. */
  ended?: (segment: string, end: CheckedEnd) => void
}

/**
 * Yields the frames of an archive in the order of writing. Damage is added to `faults`, and reading continues
 * after it.
 */
export function* archiveFrames(
  folder: string,
  faults: ArchiveFaults,
  { contents = contentsOf(folder), after, room, ended }: ReadOptions = {},
): Generator<ArchiveFrame> {
  append(faults.files, contents.faults)
  for (const each of contents.segments) {
    const segment = each.name
    if (after && segment < after.segment) continue
    const pieces = checkSegment(each, segment === after?.segment ? after.position : each.begin)
    for (;;) {
      const step = pieces.next()
      if (step.done) {
        if (step.value.torn > 0) faults.torn.push({ segment, bytes: step.value.torn })
        ended?.(segment, step.value)
        break
      }
      const piece = step.value
      const { offset, bytes } = piece
      if (piece.type === 'damage') {
        faults.damaged.push({ segment, offset, bytes, records: piece.records, what: piece.what })
        continue
      }
      if (piece.type === 'summary') continue
      const text = linesOf(piece.packed, room?.(bytes))
      if (text) yield { segment, offset, bytes, lines: text, end: piece.behind }
      else
        faults.damaged.push({
          segment,
          offset,
          bytes,
          records: piece.records,
          what: 'it does not unpack, or to too much',
        })
    }
  }
}

function linesOf(packed: Buffer, most: number | undefined): string[] | undefined {
  try {
    const lines = unpackFrame(packed, most).toString('utf8').split('\n')
    lines.pop()
    return lines
  } catch {
    return undefined
  }
}

const TEXTS = ['id', 'at', 'kind', 'platform', 'device', 'agent', 'path'] as const
const COUNTS = ['line', 'generation'] as const
const isText = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isEnvelope = (fields: JsonObject): boolean =>
  fields.v === 1 &&
  TEXTS.every((name) => isText(fields[name])) &&
  COUNTS.every((name) => isCount(fields[name]) && Number(fields[name]) >= 1) &&
  isCount(fields.offset) &&
  isCount(fields.redactions) &&
  (fields.part === undefined || isCount(fields.part)) &&
  (fields.malformed === undefined || fields.malformed === true) &&
  (fields.stub === undefined || isStub(asObject(fields.stub), fields.raw)) &&
  (fields.deviceId === undefined || isText(fields.deviceId)) &&
  (fields.session === null || isText(fields.session))

const isStub = (stub: JsonObject | undefined, raw: unknown): boolean =>
  stub !== undefined && raw === null && isCount(stub.bytes) && isText(stub.sha256) && isText(stub.reason)

export const NO_RECORD = 'it is no record'

/** Parses a line as an envelope. Undefined if it is none. */
export function envelopeOf(line: string): Envelope | undefined {
  try {
    const fields = asObject(JSON.parse(line))
    return fields && isEnvelope(fields) ? (fields as unknown as Envelope) : undefined
  } catch {
    return undefined
  }
}

/** The contents of an archive, with every frame and record checked. */
interface Verified extends ArchiveFaults {
  /** Absent in archives of the first format. */
  id?: string | undefined
  /** What earlier repairs recovered, and what they did not. */
  repaired: RepairedSegment[]
  segments: number
  frames: number
  bytes: number
  records: number
  /** Records with different ids, which is what a reader sees. */
  distinct: number
  kinds: Record<string, number>
  devices: Record<string, number>
  stubs: number
}

/** Whether nothing is damaged. */
export const isSound = ({ files, damaged, strange }: ArchiveFaults): boolean =>
  files.length === 0 && damaged.length === 0 && strange === 0

/** Reads a whole archive. Throws file system errors. */
export function verifyArchive(folder: string, advance: (bytes: number) => void = () => {}): Verified {
  const faults = noFaults()
  const ids = new IdSet()
  const hash = { high: 0, low: 0 }
  const segments = new Set<string>()
  const counts = { frames: 0, bytes: 0, records: 0, stubs: 0 }
  const kinds: Record<string, number> = {}
  const devices: Record<string, number> = {}
  const contents = contentsOf(folder)
  for (const { name } of contents.segments) segments.add(name)
  for (const { lines, segment, offset, bytes } of archiveFrames(folder, faults, { contents })) {
    counts.frames++
    counts.bytes += bytes
    advance(bytes)
    for (const [index, line] of lines.entries()) {
      const envelope = envelopeOf(line)
      if (!envelope) {
        addStrange(faults, { segment, offset, line: index + 1, reason: NO_RECORD })
        continue
      }
      counts.records++
      hashText(envelope.id, hash)
      if (!ids.add(hash)) continue
      kinds[envelope.kind] = (kinds[envelope.kind] ?? 0) + 1
      devices[envelope.device] = (devices[envelope.device] ?? 0) + 1
      if (envelope.stub) counts.stubs++
    }
  }
  return {
    id: contents.id,
    repaired: contents.manifest?.repaired ?? [],
    ...faults,
    ...counts,
    segments: segments.size,
    distinct: ids.size,
    kinds,
    devices,
  }
}
