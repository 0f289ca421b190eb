import { createHash } from 'node:crypto'
import { closeSync, fstatSync } from 'node:fs'
import { CHECKSUM_BYTES } from '../frames.ts'
import { NotOurs, openOwnToRead, readAt } from '../own-files.ts'
import { type Piece, type SegmentEnd, type SegmentPlace, walkSegment } from '../segment-walk.ts'
import type { ExpectedSegment } from './contents.ts'

/** What a segment ended in: bytes behind its last frame that were never acknowledged are a write that was never finished. */
export interface CheckedEnd extends SegmentEnd {
  torn: number
}

const NOWHERE: CheckedEnd = {
  ...{ place: { offset: 0, frames: 0, records: 0 }, last: 0, size: 0 },
  ...{ finished: false, sound: false, torn: 0 },
}

/**
 * Everything a segment holds, from a place on, held against what its archive says of it. Throws the system's error where it cannot be
 * read, unless it is not there.
 */
export function* checkSegment(
  { path, state, begin, end, listed }: ExpectedSegment,
  from: SegmentPlace = begin,
): Generator<Piece, CheckedEnd> {
  let found: SegmentEnd
  let damaged = false
  try {
    const pieces = walkSegment(path, from, end)
    for (;;) {
      const step = pieces.next()
      if (step.done) {
        found = step.value
        break
      }
      damaged ||= step.value.type === 'damage'
      yield step.value
    }
    if (state === 'stray')
      yield { type: 'damage', offset: 0, bytes: 0, records: 0, what: 'the manifest does not name it' }
    if (state === 'first' && !damaged && checksumOfFile(path) !== listed?.chain)
      yield {
        type: 'damage',
        offset: 0,
        bytes: 0,
        records: null,
        what: 'it is not as it was when the manifest was made',
      }
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!absent && !(error instanceof NotOurs)) throw error
    const what = absent ? 'it is missing' : 'it is a link, or no plain file'
    const records = listed?.records ?? end?.records ?? null
    yield { type: 'damage', offset: 0, bytes: listed?.bytes ?? end?.offset ?? 0, records, what }
    return NOWHERE
  }
  const torn = found.finished || state === 'left' ? 0 : Math.max(0, found.size - found.place.offset)
  return { ...found, torn }
}

const CHUNK = 1024 * 1024

/** Of all bytes of a file, in hex. */
export function checksumOfFile(path: string): string {
  const descriptor = openOwnToRead(path)
  try {
    const { size } = fstatSync(descriptor)
    const sum = createHash('sha256')
    for (let at = 0; at < size; at += CHUNK) sum.update(readAt(descriptor, at, Math.min(CHUNK, size - at)))
    return sum.digest('hex').slice(0, CHECKSUM_BYTES * 2)
  } finally {
    closeSync(descriptor)
  }
}
