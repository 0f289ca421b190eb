import { hashText, IdSet } from '../../model/id-set.ts'
import { type ArchiveFaults, archiveFrames, envelopeOf, noFaults } from './records.ts'

/** What an archive holds, every frame and record looked at. */
export interface Verified extends ArchiveFaults {
  segments: number
  frames: number
  bytes: number
  records: number
  /** Of these so many by different ids: what a reader sees. */
  distinct: number
  kinds: Record<string, number>
  devices: Record<string, number>
  stubs: number
}

/** Reads all of an archive. Throws the system's error where it cannot be read. */
export function verifyArchive(folder: string, advance: (bytes: number) => void = () => {}): Verified {
  const faults = noFaults()
  const ids = new IdSet()
  const hash = { high: 0, low: 0 }
  const segments = new Set<string>()
  const counts = { frames: 0, bytes: 0, records: 0, stubs: 0 }
  const kinds: Record<string, number> = {}
  const devices: Record<string, number> = {}
  for (const { lines, place, bytes } of archiveFrames(folder, faults)) {
    segments.add(place.segment)
    counts.frames++
    counts.bytes += bytes
    advance(bytes)
    for (const line of lines) {
      const envelope = envelopeOf(line)
      if (!envelope) {
        faults.strange++
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
  return { ...faults, ...counts, segments: segments.size, distinct: ids.size, kinds, devices }
}
