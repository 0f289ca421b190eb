import { createHash } from 'node:crypto'
import { closeSync, fstatSync } from 'node:fs'
import { CHECKSUM_BYTES } from '../frames.ts'
import { NotOurs, openOwnToRead, readAt } from '../own-files.ts'
import type { Piece, SegmentPosition } from '../segment-pieces.ts'
import { type SegmentEnd, walkSegment } from '../segment-walk.ts'
import type { ExpectedSegment } from './contents.ts'

/** The end of a segment. `torn` counts the bytes after its last frame that were never acknowledged. */
export interface CheckedEnd extends SegmentEnd {
  torn: number
}

const NOWHERE: CheckedEnd = {
  ...{ position: { offset: 0, frames: 0, records: 0 }, last: 0, size: 0 },
  ...{ finished: false, sound: false, torn: 0 },
}

/**
 * Walks a segment from a position on and compares it with what its archive expects. Throws the system's error
 * if the file exists but cannot be read.
 */
export function* checkSegment(
  { path, state, begin, end, listed }: ExpectedSegment,
  from: SegmentPosition = begin,
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
      yield { type: 'damage', offset: 0, bytes: 0, records: 0, what: 'the manifest does not list it' }
    if (state === 'first' && !damaged && checksumOfFile(path) !== listed?.chain)
      yield {
        type: 'damage',
        offset: 0,
        bytes: 0,
        records: null,
        what: 'it has changed since the manifest was written',
      }
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!absent && !(error instanceof NotOurs)) throw error
    const what = absent ? 'it is missing' : 'it is a link, or not a plain file'
    const records = listed?.records ?? end?.records ?? null
    yield { type: 'damage', offset: 0, bytes: listed?.bytes ?? end?.offset ?? 0, records, what }
    return NOWHERE
  }
  const torn = found.finished || state === 'left' ? 0 : Math.max(0, found.size - found.position.offset)
  return { ...found, torn }
}

const CHUNK = 1024 * 1024

/** The checksum of a whole file, in hex. */
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
