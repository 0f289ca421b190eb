import type { FileHandle } from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUM_BYTES, chainBefore, sealFrame, summaryOf } from '../frames.ts'
import { createOwnToWrite, NotOurs, openOwnToWrite, syncFolder } from '../own-files.ts'
import { BEGINNING, type SegmentPlace } from '../segment-walk.ts'
import { segmentDay, segmentName } from '../segments.ts'
import { type AcknowledgedFile, openAcknowledged } from './acknowledged.ts'
import { ArchiveFault } from './fault.ts'
import { type RepairedSegment, writeManifest } from './manifest.ts'
import type { Marker } from './marker.ts'
import type { ArchivePosition } from './standing.ts'
import { startOf } from './start.ts'

export interface WriterOptions {
  folder: string
  marker: Marker
  /** The next segment begins behind so many bytes. */
  segmentBytes: number
  nowMs(): number
}

/** Appends to an archive. One at a time: whoever opens it holds its lock. */
export interface ArchiveWriter {
  /** What is damaged in it, for people. */
  notes: readonly string[]
  /** Behind what was acknowledged last; undefined before anything was. */
  position(): ArchivePosition | undefined
  /** Resolves when they are durable, and so is the note that they are. Frames come unsealed, each in memory of its own. */
  append(frames: readonly Appended[]): Promise<void>
  /** Ends the newest segment, so that the next frame begins another one. */
  finish(): Promise<void>
  /** What is whole of a damaged segment was appended, and it was moved aside: the archive consists of it no more. */
  replaced(segment: RepairedSegment): void
  /** Lets go of what is open; what was acknowledged stays. */
  close(): Promise<void>
}

export interface Appended {
  frame: Uint8Array
  records: number
}

interface Segment {
  name: string
  day: string
  handle: FileHandle
  place: SegmentPlace & { chain: Buffer }
  last: number
}

/** Throws the system's error, or `NotOurs`. */
export async function openWriter({
  folder,
  marker,
  segmentBytes,
  nowMs,
}: WriterOptions): Promise<ArchiveWriter> {
  const { manifest, open, latest: found, notes } = startOf(folder, marker)
  let latest = found
  let segment: Segment | undefined
  let acknowledged: AcknowledgedFile | undefined
  let position: ArchivePosition | undefined
  if (open) segment = (await reopened(open)) ?? leave(open)
  try {
    const { place = NOTHING, name = '', last = 0 } = segment ?? {}
    acknowledged = await openAcknowledged(folder, marker.id, {
      ...acknowledgedAt(place),
      segment: name,
      last,
    })
    if (segment) position = positionOf(segment)
  } catch (error) {
    await segment?.handle.close().catch(() => {})
    throw error
  }
  return { notes, position: () => position, append, finish, replaced, close }

  async function append(frames: readonly Appended[]): Promise<void> {
    const day = new Date(nowMs()).toISOString().slice(0, 10)
    if (segment && (segment.place.offset >= segmentBytes || segment.day !== day)) await finish()
    segment ??= await begin(day)
    const current = segment
    let { place, last } = current
    try {
      for (const { frame, records } of frames) {
        const chain = sealFrame(frame, place)
        await writeWhole(current.handle, frame, place.offset)
        last = place.offset
        place = {
          ...{
            offset: last + frame.length,
            frames: place.frames + 1,
            records: place.records + records,
            chain,
          },
        }
      }
      await current.handle.datasync()
      await staysInPlace(current)
    } catch (error) {
      // Half a frame would be in the way of the next one.
      await current.handle.truncate(current.place.offset).catch(() => {})
      throw error
    }
    // Durable from here on, and never taken back, even where that cannot be noted and they come once more.
    segment = { ...current, place, last }
    await acknowledged!.write({ ...acknowledgedAt(place), segment: current.name, last })
    position = positionOf(segment)
  }

  async function begin(day: string): Promise<Segment> {
    const before = segmentDay(latest) ?? { day: '', number: 0 }
    // A clock that was set back must not bring the order out.
    const from = before.day > day ? before.day : day
    for (let number = from === before.day ? before.number + 1 : 1; ; number++) {
      const name = segmentName(from, number)
      const handle = await created(join(folder, name))
      if (!handle) continue
      try {
        syncFolder(folder)
        const place = { ...BEGINNING, chain: chainBefore(marker.id, name) }
        await acknowledged!.write({ ...acknowledgedAt(place), segment: name, last: 0 })
        latest = name
        return { name, day, handle, place, last: 0 }
      } catch (error) {
        await handle.close().catch(() => {})
        throw error
      }
    }
  }

  async function finish(): Promise<void> {
    const ended = segment
    if (!ended) return
    const { name, handle, place } = ended
    const { frames, records } = place
    const { summary, seal } = summaryOf(place)
    try {
      await writeWhole(handle, summary, place.offset)
      await handle.datasync()
      const bytes = place.offset + summary.length
      manifest.segments.push({ name, state: 'whole', bytes, frames, records, chain: seal.toString('hex') })
      try {
        writeManifest(folder, manifest)
      } catch (error) {
        manifest.segments.pop()
        throw error
      }
    } catch (error) {
      await handle.truncate(place.offset).catch(() => {})
      throw error
    }
    segment = undefined
    await handle.close().catch(() => {})
  }

  function replaced(segment: RepairedSegment): void {
    manifest.segments = manifest.segments.filter(({ name }) => name !== segment.name)
    manifest.repaired.push(segment)
    writeManifest(folder, manifest)
  }

  /** Undefined where what is appended would be appended to another name too, such as a snapshot of the archive. */
  async function reopened({ name, place, last }: NonNullable<typeof open>): Promise<Segment | undefined> {
    const handle = await openOwnToWrite(join(folder, name)).catch((error: unknown) => {
      if (error instanceof NotOurs && error.shared) return undefined
      throw error
    })
    if (!handle) return undefined
    try {
      // What a write that was never finished left behind.
      if ((await handle.stat()).size > place.offset) await handle.truncate(place.offset)
      // What is whole behind what was acknowledged counts from here on, so it has to be durable.
      await handle.datasync()
      return { name, day: segmentDay(name)!.day, handle, place, last }
    } catch (error) {
      await handle.close().catch(() => {})
      throw error
    }
  }

  function leave({ name, place }: NonNullable<typeof open>): undefined {
    const { offset, frames, records, chain } = place
    manifest.segments.push({
      name,
      state: 'left',
      bytes: offset,
      frames,
      records,
      chain: chain.toString('hex'),
    })
    writeManifest(folder, manifest)
  }

  /** A directory that was moved away or whose disk was taken out must not seem to keep what is written. */
  async function staysInPlace({ name, handle }: Segment): Promise<void> {
    const path = join(folder, name)
    const [ours, there] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
    if (there?.ino === ours.ino && there.dev === ours.dev) return
    throw new ArchiveFault(
      'gone',
      `${path} was taken away while it was written to.`,
      'Put it back, or run it again.',
    )
  }

  async function close(): Promise<void> {
    await segment?.handle.close().catch(() => {})
    await acknowledged?.close().catch(() => {})
    segment = acknowledged = undefined
  }
}

const NOTHING = { ...BEGINNING, chain: Buffer.alloc(CHECKSUM_BYTES) }

const acknowledgedAt = ({ offset, frames, records, chain }: SegmentPlace & { chain: Buffer }) => ({
  ...{ bytes: offset, frames, records, chain },
})

const positionOf = ({ name, place, last }: Segment): ArchivePosition => ({
  ...{ segment: name, bytes: place.offset, last, chain: place.chain.toString('hex') },
})

/** A new file, or one that nothing was written to; undefined where anything else has the name. */
async function created(path: string): Promise<FileHandle | undefined> {
  try {
    return await createOwnToWrite(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const handle = await openOwnToWrite(path).catch(() => undefined)
  if (handle && (await handle.stat()).size === 0) return handle
  await handle?.close()
  return undefined
}

/** A disk that is nearly full takes a part, and says so only by how much it took. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, offset + at)
    at += bytesWritten
  }
}
