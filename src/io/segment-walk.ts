import { closeSync, fstatSync } from 'node:fs'
import { HEAD_BYTES, type Head, isWhole, readHead } from './frames.ts'
import { openOwnToRead, readAt } from './own-files.ts'
import type { Damage, KnownEnd, Piece, SegmentPosition } from './segment-pieces.ts'
import { nextHead, rebuildFrame, rebuildSummary } from './segment-repair.ts'

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
    ? {
        ...{ offset: position.offset + bytes, frames: position.frames + 1 },
        records: position.records + head.holds,
      }
    : {
        ...{ offset: position.offset + bytes, frames: head.frames + (head.type === 'lines' ? 1 : 0) },
        ...{ records: head.records + (head.type === 'lines' ? head.holds : 0), chain: head.seal },
      }
