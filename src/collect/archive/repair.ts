import { existsSync } from 'node:fs'
import { checkSegment } from '../../io/archive/check-segment.ts'
import { contentsOf, type ExpectedSegment } from '../../io/archive/contents.ts'
import type { RepairedSegment } from '../../io/archive/manifest.ts'
import { createMarker, MARKER, type Marker, restoreMarker } from '../../io/archive/marker.ts'
import { moveAside } from '../../io/archive/start.ts'
import { type ArchiveWriter, openWriter } from '../../io/archive/writer.ts'
import { frameOf } from '../../io/frames.ts'
import type { Piece } from '../../io/segment-pieces.ts'

/** The result of a repair. */
export interface Repaired {
  /** The archive's own files that were damaged and have been written again. */
  files: string[]
  segments: RepairedSegment[]
  /** Damaged originals, which are preserved. */
  kept: string[]
}

export interface RepairOptions {
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
    ...{ files: before.faults.map(({ name, what }) => `${name}: ${what}`), segments: [], kept: [] },
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
