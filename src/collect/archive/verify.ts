import { contentsOf } from '../../io/archive/contents.ts'
import type { RepairedSegment } from '../../io/archive/manifest.ts'
import { hashText } from '../../model/hash.ts'
import { IdSet } from '../../model/id-set.ts'
import { type ArchiveFaults, addStrange, archiveFrames, envelopeOf, NO_RECORD, noFaults } from './records.ts'

/** The contents of an archive, with every frame and record checked. */
export interface Verified extends ArchiveFaults {
  /** Absent in archives of the first format. */
  id?: string | undefined
  /** What earlier repairs recovered, and what they did not. */
  repaired: RepairedSegment[]
  segments: number
  frames: number
  bytes: number
  records: number
  /** Records with different ids, which is what a reader sees. */
  distinct: number
  kinds: Record<string, number>
  devices: Record<string, number>
  stubs: number
}

/** Whether nothing is damaged. */
export const isSound = ({ files, damaged, strange }: ArchiveFaults): boolean =>
  files.length === 0 && damaged.length === 0 && strange === 0

/** Reads a whole archive. Throws file system errors. */
export function verifyArchive(folder: string, advance: (bytes: number) => void = () => {}): Verified {
  const faults = noFaults()
  const ids = new IdSet()
  const hash = { high: 0, low: 0 }
  const segments = new Set<string>()
  const counts = { frames: 0, bytes: 0, records: 0, stubs: 0 }
  const kinds: Record<string, number> = {}
  const devices: Record<string, number> = {}
  const contents = contentsOf(folder)
  for (const { name } of contents.segments) segments.add(name)
  for (const { lines, segment, offset, bytes } of archiveFrames(folder, faults, { contents })) {
    counts.frames++
    counts.bytes += bytes
    advance(bytes)
    for (const [index, line] of lines.entries()) {
      const envelope = envelopeOf(line)
      if (!envelope) {
        addStrange(faults, { segment, offset, line: index + 1, reason: NO_RECORD })
        continue
      }
      counts.records++
      hashText(envelope.id, hash)
      if (!ids.add(hash)) continue
      kinds[envelope.kind] = (kinds[envelope.kind] ?? 0) + 1
      devices[envelope.device] = (devices[envelope.device] ?? 0) + 1
      if (envelope.stub) counts.stubs++
    }
  }
  return {
    ...{ id: contents.id, repaired: contents.manifest?.repaired ?? [] },
    ...faults,
    ...counts,
    segments: segments.size,
    distinct: ids.size,
    kinds,
    devices,
  }
}
