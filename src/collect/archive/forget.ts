import { checkSegment } from '../../io/archive/check-segment.ts'
import { claimArchive } from '../../io/archive/claim.ts'
import { contentsOf, type ExpectedSegment } from '../../io/archive/contents.ts'
import { type Appended, dropDrafts } from '../../io/archive/rewrite.ts'
import { openWriter } from '../../io/archive/writer.ts'
import type { ForgottenSession } from '../../io/forgotten-list.ts'
import { frameOf, packFrame, unpackFrame } from '../../io/frames.ts'
import type { Envelope } from '../../model/delivery.ts'
import { envelopeOf } from './records.ts'

/** What was removed from an archive. */
export interface RemovedRecords {
  records: number
  /** How many segments were written again without them. */
  segments: number
}

export interface ForgetOptions {
  /** The sessions whose records are removed and not accepted again. */
  sessions: readonly ForgottenSession[]
  /** Whether a record is removed. */
  isRemoved(envelope: Envelope): boolean
  segmentBytes: number
  nowMs(): number
  advance?(bytes: number): void
}

/**
 * Removes records from an archive. Segments that contain some are written again without them, under their
 * names, because the order of records counts. The archive must be sound, and the caller holds its lock.
 * Whatever interrupts it, the archive is sound, and repeating it completes it. Throws file system errors.
 */
export async function forgetInArchive(folder: string, options: ForgetOptions): Promise<RemovedRecords> {
  const { sessions, isRemoved, nowMs, advance } = options
  const removed: RemovedRecords = { records: 0, segments: 0 }
  const writer = await openWriter({ ...options, folder, marker: claimArchive(folder, nowMs()) })
  try {
    dropDrafts(folder)
    writer.forget(sessions)
    // Only finished segments are replaced.
    await writer.finish()
    for (const segment of contentsOf(folder).segments) {
      const count = countIn(segment, isRemoved)
      advance?.(segment.end?.offset ?? 0)
      if (count === 0) continue
      const remaining = recordsIn(segment) - count
      const at = new Date(nowMs()).toISOString()
      const note = { name: segment.name, at, remaining, removed: count }
      writer.rewrite(note, framesWithout(segment, isRemoved))
      removed.records += count
      removed.segments++
    }
  } finally {
    await writer.close()
  }
  return removed
}

/** How many records would be removed. Changes nothing. */
export function countInArchive(folder: string, isRemoved: ForgetOptions['isRemoved']): RemovedRecords {
  const removed: RemovedRecords = { records: 0, segments: 0 }
  for (const segment of contentsOf(folder).segments) {
    const count = countIn(segment, isRemoved)
    removed.records += count
    if (count > 0) removed.segments++
  }
  return removed
}

function countIn(segment: ExpectedSegment, isRemoved: ForgetOptions['isRemoved']): number {
  let count = 0
  for (const piece of checkSegment(segment))
    if (piece.type === 'frame')
      for (const line of linesOf(piece.packed)) {
        const envelope = envelopeOf(line)
        if (envelope && isRemoved(envelope)) count++
      }
  return count
}

function recordsIn(segment: ExpectedSegment): number {
  let count = 0
  for (const piece of checkSegment(segment)) if (piece.type === 'frame') count += linesOf(piece.packed).length
  return count
}

/** The frames of a segment that remain. Those without a removed record stay as they are. */
function* framesWithout(
  segment: ExpectedSegment,
  isRemoved: ForgetOptions['isRemoved'],
): Generator<Appended> {
  for (const piece of checkSegment(segment)) {
    if (piece.type !== 'frame') continue
    const lines = linesOf(piece.packed)
    const remaining = lines.filter((line) => {
      const envelope = envelopeOf(line)
      return !envelope || !isRemoved(envelope)
    })
    const records = remaining.length
    if (records === lines.length)
      yield { frame: frameOf(piece.packed, piece.records), records: piece.records }
    else if (records > 0)
      yield { frame: packFrame(Buffer.from(`${remaining.join('\n')}\n`), records), records }
  }
}

function linesOf(packed: Uint8Array): string[] {
  const lines = unpackFrame(packed).toString('utf8').split('\n')
  lines.pop()
  return lines
}
