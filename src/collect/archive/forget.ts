import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkSegment } from '../../io/archive/check-segment.ts'
import { claimArchive } from '../../io/archive/claim.ts'
import { contentsOf, type ExpectedSegment } from '../../io/archive/contents.ts'
import { type ArchiveWriter, openWriter } from '../../io/archive/writer.ts'
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
 * Removes records from an archive: segments that contain some are written again without them and deleted. The
 * archive must be sound, and the caller holds its lock. Whatever interrupts it, repeating it completes it;
 * records that are kept may then be in the archive twice, under the same ids. Throws file system errors.
 */
export async function forgetInArchive(folder: string, options: ForgetOptions): Promise<RemovedRecords> {
  const { sessions, isRemoved, nowMs, advance } = options
  const removed: RemovedRecords = { records: 0, segments: 0 }
  const writer = await openWriter({ ...options, folder, marker: claimArchive(folder, nowMs()) })
  try {
    writer.forget(sessions)
    // What follows is appended to a segment of its own.
    await writer.finish()
    for (const { name } of contentsOf(folder).manifest?.forgotten?.segments ?? [])
      rmSync(join(folder, name), { force: true })
    for (const segment of contentsOf(folder).segments) {
      const count = countIn(segment, isRemoved)
      advance?.(segment.end?.offset ?? 0)
      if (count === 0) continue
      const kept = await copyWithout(segment, isRemoved, writer)
      await writer.finish()
      const at = new Date(nowMs()).toISOString()
      writer.rewritten({ name: segment.name, at, kept, removed: count })
      rmSync(segment.path, { force: true })
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

/** Appends a segment again. Returns the number of its records that remain. */
async function copyWithout(
  segment: ExpectedSegment,
  isRemoved: ForgetOptions['isRemoved'],
  writer: ArchiveWriter,
): Promise<number> {
  let kept = 0
  for (const piece of checkSegment(segment)) {
    if (piece.type !== 'frame') continue
    const lines = linesOf(piece.packed)
    const remaining = lines.filter((line) => {
      const envelope = envelopeOf(line)
      return !envelope || !isRemoved(envelope)
    })
    const records = remaining.length
    if (records === 0) continue
    const isWhole = records === lines.length
    const frame = isWhole
      ? frameOf(piece.packed, piece.records)
      : packFrame(Buffer.from(`${remaining.join('\n')}\n`), records)
    await writer.append([{ frame, records: isWhole ? piece.records : records }])
    kept += records
  }
  return kept
}

function linesOf(packed: Uint8Array): string[] {
  const lines = unpackFrame(packed).toString('utf8').split('\n')
  lines.pop()
  return lines
}
