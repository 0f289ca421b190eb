import { closeSync, fstatSync } from 'node:fs'
import { join } from 'node:path'
import { listDirectory } from '../directories.ts'
import {
  FIRST_HEAD_BYTES,
  frameOf,
  HEAD_BEGINNING,
  HEAD_BYTES,
  type Head,
  isWhole,
  readHead,
  sealFrame,
  summaryOf,
} from '../frames.ts'
import { openOwnToRead, readAt } from '../own-files.ts'
import { unpackZstd } from '../zstd.ts'

export interface SegmentEnd {
  /** The position after the last piece that is intact or known to be damaged. */
  position: SegmentPosition
  /** The offset of the last intact frame. 0 if there is none. */
  last: number
  /**
   * The size of the file. Bytes after `place` are an unfinished write, or damage if they were acknowledged.
   */
  size: number
  /** It ends in a summary, so nothing may be appended. */
  finished: boolean
  /** It contains no damage and nothing of the first format. */
  sound: boolean
}

export const BEGINNING: SegmentPosition = { offset: 0, frames: 0, records: 0 }

const CONTENT = 'a frame is damaged'
const HEAD = 'the header of a frame is damaged'
const STRANGE = 'a frame is missing'
const ORDER = 'frames are missing or out of order'
const CUT = 'its end is missing'
const BEHIND = 'bytes were added after the end'

/**
 * Walks the frames of a segment in order. After damage, it continues at the next intact frame. If only a
 * header is damaged, it is rebuilt: the content has its own checksum, and the next frame confirms the result.
 * Throws the system's error.
 */
export function* walkSegment(
  path: string,
  from: SegmentPosition = BEGINNING,
  end?: KnownEnd,
): Generator<Piece, SegmentEnd> {
  const descriptor = openOwnToRead(path)
  try {
    return yield* walk(descriptor, fstatSync(descriptor).size, from, end)
  } finally {
    closeSync(descriptor)
  }
}

function* walk(
  descriptor: number,
  size: number,
  from: SegmentPosition,
  end: KnownEnd | undefined,
): Generator<Piece, SegmentEnd> {
  let position = from
  let last = 0
  let finished = false
  let sound = true
  const damage = (piece: Omit<Damage, 'type'>): Damage => {
    sound = false
    return { type: 'damage', ...piece }
  }
  /** Whether the position of the known end was reached without matching its checksum. */
  const misses = ({ offset, chain }: SegmentPosition): boolean =>
    end !== undefined &&
    (offset > end.offset || (offset === end.offset && chain !== undefined && !chain.equals(end.chain)))
  let reached = false
  for (;;) {
    if (end && !reached && position.offset >= end.offset) {
      reached = true
      if (misses(position)) yield damage({ offset: position.offset, bytes: 0, records: null, what: ORDER })
    }
    if (position.offset >= size || finished) break
    const { offset } = position
    const found = look(descriptor, offset, size)
    if (reached && end?.last && !isNext(found, position)) break
    if (found.type === 'none') {
      const next = nextHead(descriptor, offset + 1, size)
      const until = Math.min(next?.offset ?? size, end && end.offset > offset ? end.offset : size)
      const summary = end && until === end.offset && rebuildSummary(position, end)
      const frame = summary ? undefined : rebuildFrame(descriptor, position, until)
      if (summary || frame) yield damage({ offset, bytes: until - offset, records: 0, what: HEAD })
      if (summary) {
        yield { type: 'summary', offset, bytes: until - offset }
        position = summary
        finished = true
      } else if (frame) {
        yield frame
        position = frame.behind
        last = offset
      } else if (next) {
        const records =
          next.position && next.position.records >= position.records
            ? next.position.records - position.records
            : null
        yield damage({ offset, bytes: next.offset - offset, records, what: STRANGE })
        position = { ...(next.position ?? { ...position, chain: undefined }), offset: next.offset }
      } else break
      continue
    }
    const { head } = found
    if (head.type === 'first') sound = false
    else if (!follows(head, position)) {
      const records = head.records > position.records ? head.records - position.records : null
      yield damage({ offset, bytes: 0, records, what: ORDER })
    }
    position = behind(position, head, found.bytes)
    if (found.type === 'summary') {
      yield { type: 'summary', offset, bytes: head.bytes }
      finished = true
    } else if (found.type === 'frame') {
      const { bytes, records, packed } = found
      yield { type: 'frame', offset, bytes, records, packed, behind: position }
      last = offset
    } else yield damage({ offset, bytes: found.bytes, records: found.records, what: CONTENT })
  }
  if (finished && position.offset < size) {
    yield damage({ offset: position.offset, bytes: size - position.offset, records: null, what: BEHIND })
    position = { ...position, offset: size }
  } else if (end && !reached) {
    const { offset } = position
    const records = Math.max(0, end.records - position.records)
    const what = size < end.offset ? CUT : STRANGE
    yield damage({ offset, bytes: end.offset - offset, records, what })
    position = { ...end, offset: Math.max(size, end.offset) }
  }
  return { position, last, size, finished, sound }
}

type Found =
  | { type: 'none' }
  | { type: 'summary'; head: Head; bytes: number }
  | { type: 'damaged'; head: Head; bytes: number; records: number }
  | { type: 'frame'; head: Head; bytes: number; records: number; packed: Buffer }

/** What is at an offset. */
function look(descriptor: number, offset: number, size: number): Found {
  const head = readHead(readAt(descriptor, offset, HEAD_BYTES))
  if (!head) return { type: 'none' }
  if (head.type === 'summary') return { type: 'summary', head, bytes: head.bytes }
  const bytes = head.bytes + head.length
  if (offset + bytes > size) return { type: 'none' }
  const packed = readAt(descriptor, offset + head.bytes, head.length)
  const found = { head, bytes, records: head.holds }
  if (isWhole(packed, head)) return { type: 'frame', ...found, packed }
  // A header of the first format has no checksum. It only counts if another header follows its frame.
  if (
    head.type === 'first' &&
    offset + bytes < size &&
    !readHead(readAt(descriptor, offset + bytes, HEAD_BYTES))
  )
    return { type: 'none' }
  return { type: 'damaged', ...found }
}

/** Whether the frame is intact and follows the given position. */
const isNext = (found: Found, position: SegmentPosition): boolean =>
  (found.type === 'frame' || found.type === 'summary') &&
  found.head.type !== 'first' &&
  follows(found.head, position)

const follows = (
  head: Exclude<Head, { type: 'first' }>,
  { chain, frames, records }: SegmentPosition,
): boolean =>
  (chain === undefined || chain.equals(head.chain)) && frames === head.frames && records === head.records

const behind = (position: SegmentPosition, head: Head, bytes: number): SegmentPosition =>
  head.type === 'first'
    ? { offset: position.offset + bytes, frames: position.frames + 1, records: position.records + head.holds }
    : {
        offset: position.offset + bytes,
        frames: head.frames + (head.type === 'lines' ? 1 : 0),
        records: head.records + (head.type === 'lines' ? head.holds : 0),
        chain: head.seal,
      }

const CHUNK = 1024 * 1024
/**
 * A header of the first format is only verified by reading its whole frame. This limits how many bytes are
 * read for that, as a multiple of the file size.
 */
const MOST_LOOKED_AT = 8
/** The limit for unpacking a frame with a damaged header: a number of bytes plus a multiple of its size. */
const ALWAYS_UNPACKED = 64 * 1024 * 1024
const MOST_TIMES = 200
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const NEWLINE = 10

/** The next valid header, and its position according to itself. */
function nextHead(
  descriptor: number,
  from: number,
  size: number,
): { offset: number; position?: SegmentPosition } | undefined {
  let lookedAt = 0
  for (let at = from; at < size; at += CHUNK) {
    // Chunks overlap, so that no header is split.
    const bytes = readAt(descriptor, at, CHUNK + HEAD_BEGINNING.length - 1)
    for (
      let found = bytes.indexOf(HEAD_BEGINNING);
      found >= 0;
      found = bytes.indexOf(HEAD_BEGINNING, found + 1)
    ) {
      const offset = at + found
      const head = readHead(readAt(descriptor, offset, HEAD_BYTES))
      if (!head) continue
      if (head.type !== 'first') {
        const { frames, records, chain } = head
        return { offset, position: { offset, frames, records, chain } }
      }
      lookedAt += head.length
      if (lookedAt > MOST_LOOKED_AT * size) continue
      if (isWhole(readAt(descriptor, offset + head.bytes, head.length), head)) return { offset }
    }
  }
  return undefined
}

/**
 * Rebuilds the damaged header of a frame that ends before `until`. Undefined if its content is damaged too.
 */
function rebuildFrame(
  descriptor: number,
  position: SegmentPosition,
  until: number,
): (Piece & { type: 'frame' }) | undefined {
  const { offset } = position
  for (const headBytes of [HEAD_BYTES, FIRST_HEAD_BYTES]) {
    if (!readAt(descriptor, offset + headBytes, ZSTD.length).equals(ZSTD)) continue
    const packed = readAt(descriptor, offset + headBytes, until - offset - headBytes)
    const records = recordsIn(packed)
    if (records === undefined) continue
    const next = { offset: until, frames: position.frames + 1, records: position.records + records }
    const { chain } = position
    const sealed =
      headBytes === HEAD_BYTES && chain && sealFrame(frameOf(packed, records), { ...position, chain })
    const behind = { ...next, chain: sealed || undefined }
    return { type: 'frame', offset, bytes: until - offset, records, packed, behind }
  }
  return undefined
}

/** The number of lines in a frame. Undefined if it is damaged or not one frame. */
function recordsIn(packed: Buffer): number | undefined {
  try {
    const { bytes: lines, frames } = unpackZstd(packed, ALWAYS_UNPACKED + packed.length * MOST_TIMES)
    if (frames > 1) return undefined
    let records = 0
    for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) records++
    return records
  } catch {
    return undefined
  }
}

/** The position after a damaged summary, if a summary must be here. */
function rebuildSummary(
  { offset, chain, ...position }: SegmentPosition,
  end: KnownEnd,
): SegmentPosition | undefined {
  if (!chain || end.offset - offset !== HEAD_BYTES) return undefined
  return summaryOf({ ...position, chain }).seal.equals(end.chain) ? end : undefined
}

/** A position in a segment: what precedes it. */
export interface SegmentPosition {
  offset: number
  frames: number
  records: number
  /** The checksum of everything before it. Absent if unknown. */
  chain?: Buffer | undefined
}

/** The position up to which a segment is known to have been written. */
export interface KnownEnd extends SegmentPosition {
  chain: Buffer
  /** Nothing after it was acknowledged, so incomplete bytes there are an unfinished write. */
  last?: boolean
}

export type Piece =
  /** `behind`: the position after the frame. */
  | { type: 'frame'; offset: number; bytes: number; records: number; packed: Buffer; behind: SegmentPosition }
  | { type: 'summary'; offset: number; bytes: number }
  | Damage

/** `records` is the number of missing records. Null if unknown. */
export interface Damage {
  type: 'damage'
  offset: number
  bytes: number
  records: number | null
  what: string
}

/** Names sort in the order in which the segments were written. */
const SEGMENT = /^records-(\d{4}-\d{2}-\d{2})-(\d{4,})\.jsonl\.zst$/

export const segmentName = (day: string, number: number): string =>
  `records-${day}-${String(number).padStart(4, '0')}.jsonl.zst`

/** The day and number in the name of a segment. Undefined for any other name. */
export function segmentDay(name: string): { day: string; number: number } | undefined {
  const [, day, number] = SEGMENT.exec(name) ?? []
  return day === undefined ? undefined : { day, number: Number(number) }
}

export const segmentsIn = (folder: string): string[] =>
  listDirectory(folder)
    .entries.flatMap(({ name }) => (SEGMENT.test(name) ? name : []))
    .sort()
    .map((name) => join(folder, name))
