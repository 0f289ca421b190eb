import { closeSync, fstatSync } from 'node:fs'
import { HEAD_BYTES, type Head, isWhole, readHead } from './frames.ts'
import { openOwnToRead, readAt } from './own-files.ts'
import { nextHead, rebuildFrame, rebuildSummary } from './segment-repair.ts'

/** A place in a segment: what comes before it. */
export interface SegmentPlace {
  offset: number
  frames: number
  records: number
  /** The checksum of everything before it; absent where nobody knows it. */
  chain?: Buffer | undefined
}

/** Up to where a segment is known to have been written. */
export interface KnownEnd extends SegmentPlace {
  chain: Buffer
  /** Nothing behind it was acknowledged: what is not whole there is a write that was never finished. */
  last?: boolean
}

export type Piece =
  /** `behind`: where reading may go on. */
  | { type: 'frame'; offset: number; bytes: number; records: number; packed: Buffer; behind: SegmentPlace }
  | { type: 'summary'; offset: number; bytes: number }
  | Damage

/** `records` are missing because of it; null where nobody knows how many. */
export interface Damage {
  type: 'damage'
  offset: number
  bytes: number
  records: number | null
  what: string
}

export interface SegmentEnd {
  /** Behind the last piece that is whole, or that is known to be damaged. */
  place: SegmentPlace
  /** Where the last whole frame begins; 0 where there is none. */
  last: number
  /** Bytes of the file. What it has behind `place` is no frame: a write that was never finished, or damage where it was acknowledged. */
  size: number
  /** It ends in a summary: nothing may be appended. */
  finished: boolean
  /** Nothing of it is of the first format, and nothing was damaged. */
  sound: boolean
}

export const BEGINNING: SegmentPlace = { offset: 0, frames: 0, records: 0 }

const CONTENT = 'a bit of a frame is wrong'
const HEAD = 'a bit of the head of a frame is wrong'
const STRANGE = 'there is no frame where one was'
const ORDER = 'frames are missing, or are not in their order'
const CUT = 'its end is missing'
const BEHIND = 'something was added behind the end'

/**
 * Everything a segment holds, in order. Where a bit is wrong, reading goes on at the next whole frame. A frame of which only the head is
 * wrong is put together again: its content has a checksum of its own, and the frame behind it tells whether it is the right one. Throws
 * the system's error.
 */
export function* walkSegment(
  path: string,
  from: SegmentPlace = BEGINNING,
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
  from: SegmentPlace,
  end: KnownEnd | undefined,
): Generator<Piece, SegmentEnd> {
  let place = from
  let last = 0
  let finished = false
  let sound = true
  const damage = (piece: Omit<Damage, 'type'>): Damage => {
    sound = false
    return { type: 'damage', ...piece }
  }
  /** Whether the known end, once it is reached, is the one that was acknowledged. */
  const misses = ({ offset, chain }: SegmentPlace): boolean =>
    end !== undefined &&
    (offset > end.offset || (offset === end.offset && chain !== undefined && !chain.equals(end.chain)))
  let reached = false
  for (;;) {
    if (end && !reached && place.offset >= end.offset) {
      reached = true
      if (misses(place)) yield damage({ offset: place.offset, bytes: 0, records: null, what: ORDER })
    }
    if (place.offset >= size || finished) break
    const { offset } = place
    const found = look(descriptor, offset, size)
    if (reached && end?.last && !isNext(found, place)) break
    if (found.type === 'none') {
      const next = nextHead(descriptor, offset + 1, size)
      const until = Math.min(next?.offset ?? size, end && end.offset > offset ? end.offset : size)
      const summary = end && until === end.offset && rebuildSummary(place, end)
      const frame = summary ? undefined : rebuildFrame(descriptor, place, until)
      if (summary || frame) yield damage({ offset, bytes: until - offset, records: 0, what: HEAD })
      if (summary) {
        yield { type: 'summary', offset, bytes: until - offset }
        place = summary
        finished = true
      } else if (frame) {
        yield frame
        place = frame.behind
        last = offset
      } else if (next) {
        const records =
          next.place && next.place.records >= place.records ? next.place.records - place.records : null
        yield damage({ offset, bytes: next.offset - offset, records, what: STRANGE })
        place = { ...(next.place ?? { ...place, chain: undefined }), offset: next.offset }
      } else break
      continue
    }
    const { head } = found
    if (head.type === 'first') sound = false
    else if (!follows(head, place)) {
      const records = head.records > place.records ? head.records - place.records : null
      yield damage({ offset, bytes: 0, records, what: ORDER })
    }
    place = behind(place, head, found.bytes)
    if (found.type === 'summary') {
      yield { type: 'summary', offset, bytes: head.bytes }
      finished = true
    } else if (found.type === 'frame') {
      const { bytes, records, packed } = found
      yield { type: 'frame', offset, bytes, records, packed, behind: place }
      last = offset
    } else yield damage({ offset, bytes: found.bytes, records: found.records, what: CONTENT })
  }
  if (finished && place.offset < size) {
    yield damage({ offset: place.offset, bytes: size - place.offset, records: null, what: BEHIND })
    place = { ...place, offset: size }
  } else if (end && !reached) {
    const { offset } = place
    const records = Math.max(0, end.records - place.records)
    const what = size < end.offset ? CUT : STRANGE
    yield damage({ offset, bytes: end.offset - offset, records, what })
    place = { ...end, offset: Math.max(size, end.offset) }
  }
  return { place, last, size, finished, sound }
}

type Found =
  | { type: 'none' }
  | { type: 'summary'; head: Head; bytes: number }
  | { type: 'damaged'; head: Head; bytes: number; records: number }
  | { type: 'frame'; head: Head; bytes: number; records: number; packed: Buffer }

/** What begins at an offset. */
function look(descriptor: number, offset: number, size: number): Found {
  const head = readHead(readAt(descriptor, offset, HEAD_BYTES))
  if (!head) return { type: 'none' }
  if (head.type === 'summary') return { type: 'summary', head, bytes: head.bytes }
  const bytes = head.bytes + head.length
  if (offset + bytes > size) return { type: 'none' }
  const packed = readAt(descriptor, offset + head.bytes, head.length)
  const found = { head, bytes, records: head.holds }
  if (isWhole(packed, head)) return { type: 'frame', ...found, packed }
  // The head of the first format does not prove itself: what it says counts where the next one begins there.
  if (
    head.type === 'first' &&
    offset + bytes < size &&
    !readHead(readAt(descriptor, offset + bytes, HEAD_BYTES))
  )
    return { type: 'none' }
  return { type: 'damaged', ...found }
}

/** Whether it is whole, and what comes next. */
const isNext = (found: Found, place: SegmentPlace): boolean =>
  (found.type === 'frame' || found.type === 'summary') &&
  found.head.type !== 'first' &&
  follows(found.head, place)

const follows = (head: Exclude<Head, { type: 'first' }>, { chain, frames, records }: SegmentPlace): boolean =>
  (chain === undefined || chain.equals(head.chain)) && frames === head.frames && records === head.records

const behind = (place: SegmentPlace, head: Head, bytes: number): SegmentPlace =>
  head.type === 'first'
    ? {
        ...{ offset: place.offset + bytes, frames: place.frames + 1 },
        records: place.records + head.holds,
      }
    : {
        ...{ offset: place.offset + bytes, frames: head.frames + (head.type === 'lines' ? 1 : 0) },
        ...{ records: head.records + (head.type === 'lines' ? head.holds : 0), chain: head.seal },
      }
