import { existsSync } from 'node:fs'
import { checkSegment, contentsOf, type ExpectedSegment } from '../../io/archive/contents.ts'
import { claimArchive } from '../../io/archive/directory.ts'
import {
  createMarker,
  MARKER,
  type Marker,
  type RepairedSegment,
  restoreMarker,
} from '../../io/archive/manifest.ts'
import type { Piece } from '../../io/archive/segments.ts'
import {
  type Appended,
  type ArchiveWriter,
  dropDrafts,
  moveAside,
  openWriter,
} from '../../io/archive/writer.ts'
import type { ForgottenSession } from '../../io/forgotten-list.ts'
import { frameOf, packFrame, unpackFrame } from '../../io/frames.ts'
import type { Envelope } from '../../model/delivery.ts'
import { envelopeOf } from './records.ts'

/** What was removed from an archive. */
interface RemovedRecords {
  records: number
  /** How many segments were written again without them. */
  segments: number
}

interface ForgetOptions {
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

/** The result of a repair. */
export interface Repaired {
  /** The archive's own files that were damaged and have been written again. */
  files: string[]
  segments: RepairedSegment[]
  /** Damaged originals, which are preserved. */
  kept: string[]
}

interface RepairOptions {
  segmentBytes: number
  nowMs(): number
}

/**
 * Recovers the intact frames of damaged segments into new ones and moves the originals aside. The caller
 * holds the archive's lock. Throws file system errors.
 */
export async function repairArchive(folder: string, options: RepairOptions): Promise<Repaired> {
  const before = contentsOf(folder)
  const repaired: Repaired = {
    files: before.faults.map(({ name, what }) => `${name}: ${what}`),
    segments: [],
    kept: [],
  }
  const marker = markerOf(folder, options, repaired)
  // Opening the archive rebuilds what can be derived from the segments and lists the damaged ones.
  const writer = await openWriter({ ...options, folder, marker })
  try {
    const damaged = contentsOf(folder).segments.filter((segment) => isDamaged(segment))
    for (const segment of damaged) await recover(segment, folder, writer, options, repaired)
  } finally {
    await writer.close()
  }
  return repaired
}

/** Rebuilds the marker from the other files. */
function markerOf(folder: string, { nowMs }: RepairOptions, repaired: Repaired): Marker {
  const { marker, id, created } = contentsOf(folder)
  if (marker.type === 'valid') return marker
  if (id === undefined && marker.type === 'none') return createMarker(folder, nowMs())
  if (marker.type === 'damaged') repaired.kept.push(moveAside(folder, MARKER))
  if (id === undefined) return createMarker(folder, nowMs())
  const restored = { id, created: created ?? new Date(nowMs()).toISOString() }
  restoreMarker(folder, restored)
  return restored
}

function isDamaged(segment: ExpectedSegment): boolean {
  for (const piece of checkSegment(segment)) if (piece.type === 'damage') return true
  return false
}

/**
 * Repeating it is harmless: frames written before an interruption are then in the archive twice, under the
 * same ids.
 */
async function recover(
  segment: ExpectedSegment,
  folder: string,
  writer: ArchiveWriter,
  { nowMs }: RepairOptions,
  repaired: Repaired,
): Promise<void> {
  const { name, path, listed, end } = segment
  let recovered = 0
  let lost: number | null = 0
  for (const piece of checkSegment(segment)) {
    if (piece.type === 'damage') lost = lost === null || piece.records === null ? null : lost + piece.records
    else if (piece.type === 'frame') recovered += await append(piece, writer)
  }
  const expected = listed?.records ?? end?.records
  if (expected !== undefined && listed?.state !== 'first') lost = Math.max(0, expected - recovered)
  await writer.finish()
  const note: RepairedSegment = { name, at: new Date(nowMs()).toISOString(), recovered, lost }
  if (existsSync(path)) repaired.kept.push(moveAside(folder, name))
  writer.replaced(note)
  repaired.segments.push(note)
}

async function append(piece: Piece & { type: 'frame' }, writer: ArchiveWriter): Promise<number> {
  await writer.append([{ frame: frameOf(piece.packed, piece.records), records: piece.records }])
  return piece.records
}
