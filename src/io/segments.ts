import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { listDirectory } from './directories.ts'
import { HEAD_BYTES, isWhole, readHead, unpackFrame } from './frames.ts'

/** Segments in the order in which they were written. */
const SEGMENT = /^records-\d{4}-\d{2}-\d{2}-\d{4,}\.jsonl\.zst$/

export const segmentName = (day: string, number: number): string =>
  `records-${day}-${String(number).padStart(4, '0')}.jsonl.zst`

export const segmentsIn = (folder: string): string[] =>
  listDirectory(folder)
    .entries.flatMap(({ name }) => (SEGMENT.test(name) ? name : []))
    .sort()
    .map((name) => join(folder, name))

/** One frame of a segment and where it stands; without lines where it is damaged. */
export interface Frame {
  offset: number
  bytes: number
  records: number
  lines?: Buffer
}

/** What a segment ends in: behind its last whole frame may stand the beginning of one that was never finished. */
export interface SegmentEnd {
  whole: number
  size: number
}

/**
 * The frames of a segment from a place on. A frame that is damaged within the file is handed out without lines, one that the end of the
 * file cuts off is not handed out. Throws the system's error.
 */
export function* framesOf(path: string, from = 0): Generator<Frame, SegmentEnd> {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const { size } = fstatSync(descriptor)
    let offset = from
    for (;;) {
      const head = readHead(readAt(descriptor, offset, HEAD_BYTES))
      const end = offset + HEAD_BYTES + (head?.length ?? 0)
      if (!head || end > size) return { whole: offset, size }
      const packed = readAt(descriptor, offset + HEAD_BYTES, head.length)
      const frame = { offset, bytes: end - offset, records: head.records }
      const whole = isWhole(packed, head)
      if (!whole && end === size) return { whole: offset, size }
      yield whole ? { ...frame, lines: unpackFrame(packed) } : frame
      offset = end
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Where the last whole frame ends: what stands behind it was being written when somebody stopped. */
export function endOf(path: string): SegmentEnd {
  const frames = framesOf(path)
  for (;;) {
    const step = frames.next()
    if (step.done) return step.value
  }
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let held = 0
  while (held < length) {
    const count = readSync(descriptor, bytes, held, length - held, offset + held)
    if (count === 0) break
    held += count
  }
  return bytes.subarray(0, held)
}
