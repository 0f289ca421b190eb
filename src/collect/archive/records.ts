import { type CheckedEnd, checkSegment } from '../../io/archive/check-segment.ts'
import { type Contents, contentsOf, type FileFault } from '../../io/archive/contents.ts'
import { unpackFrame } from '../../io/frames.ts'
import type { Damage, SegmentPlace } from '../../io/segment-walk.ts'
import type { Envelope } from '../../model/delivery.ts'
import { asObject, type JsonObject } from '../../model/json.ts'
import { append } from '../../model/lists.ts'

/** Where in an archive reading may go on: behind a frame of a segment. */
interface ArchivePlace {
  segment: string
  place: SegmentPlace
}

/** A line that is no record, or one that cannot be laid out. */
export interface StrangeLine {
  segment: string
  /** Where its frame begins, in bytes, and the line in it from 1. */
  offset: number
  line: number
  reason: string
}

export interface ArchiveFaults {
  /** Files of the archive beside its segments that are not as they have to be. */
  files: FileFault[]
  /** What of the segments is damaged. */
  damaged: (Omit<Damage, 'type'> & { segment: string })[]
  /** Bytes behind the last whole frame that were never acknowledged: a write that was never finished. */
  torn: { segment: string; bytes: number }[]
  /** How many lines could not be used, and the first of them. */
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

/** How many are reported with their place. */
const MOST_TOLD = 20

export function addStrange(faults: ArchiveFaults, line: StrangeLine): void {
  faults.strange++
  if (faults.strangeLines.length < MOST_TOLD) faults.strangeLines.push(line)
}

/** One frame of an archive as its lines. */
export interface ArchiveFrame {
  segment: string
  offset: number
  bytes: number
  lines: string[]
  behind: SegmentPlace
}

export interface ReadOptions {
  contents?: Contents
  /** Reads on from here. */
  after?: ArchivePlace | undefined
  /** How many bytes a frame of so many may unpack to; a larger one is damage. */
  room?: (bytes: number) => number
  /** Told of where each segment ended. */
  ended?: (segment: string, end: CheckedEnd) => void
}

/** The frames of an archive in the order in which they were written. What cannot be read is added to `faults`, and reading goes on behind it. */
export function* archiveFrames(
  folder: string,
  faults: ArchiveFaults,
  { contents = contentsOf(folder), after, room, ended }: ReadOptions = {},
): Generator<ArchiveFrame> {
  append(faults.files, contents.faults)
  for (const each of contents.segments) {
    const segment = each.name
    if (after && segment < after.segment) continue
    const pieces = checkSegment(each, segment === after?.segment ? after.place : each.begin)
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
      if (text) yield { segment, offset, bytes, lines: text, behind: piece.behind }
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

const TEXTS = ['id', 'kind', 'platform', 'device', 'path'] as const
const COUNTS = ['line', 'generation'] as const

const isEnvelope = (fields: JsonObject): boolean =>
  fields.v === 1 &&
  TEXTS.every((name) => typeof fields[name] === 'string') &&
  COUNTS.every((name) => Number.isSafeInteger(fields[name]) && Number(fields[name]) >= 1) &&
  (fields.deviceId === undefined || typeof fields.deviceId === 'string') &&
  (fields.session === null || typeof fields.session === 'string')

export const NO_RECORD = 'it is no record'

/** A line as an envelope; undefined for what is none. */
export function envelopeOf(line: string): Envelope | undefined {
  try {
    const fields = asObject(JSON.parse(line))
    return fields && isEnvelope(fields) ? (fields as unknown as Envelope) : undefined
  } catch {
    return undefined
  }
}
