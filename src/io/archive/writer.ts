import { rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForgottenSession } from '../forgotten-list.ts'
import { CHECKSUM_BYTES, chainBefore, sealFrame, summaryOf } from '../frames.ts'
import { createOwnToWrite, NotOurs, openOwnToWrite, syncFolder } from '../own-files.ts'
import type { SegmentPosition } from '../segment-pieces.ts'
import { BEGINNING } from '../segment-walk.ts'
import { segmentDay, segmentName } from '../segments.ts'
import { type AcknowledgedFile, openAcknowledged } from './acknowledged.ts'
import type { ArchivePosition } from './directory-state.ts'
import { ArchiveFault } from './fault.ts'
import { type RepairedSegment, type RewrittenSegment, writeManifest } from './manifest.ts'
import type { Marker } from './marker.ts'
import { type Appended, draftSegment } from './rewrite.ts'
import { startOf } from './start.ts'

export interface WriterOptions {
  folder: string
  marker: Marker
  /** Begin a new segment after this many bytes. */
  segmentBytes: number
  nowMs(): number
}

/** Appends to an archive. Its owner must hold the lock of the archive. */
export interface ArchiveWriter {
  /** Descriptions of damage, for users. */
  notes: readonly string[]
  /** The sessions that were forgotten here. */
  forgotten(): readonly ForgottenSession[]
  /** The position after the last acknowledged frame. Undefined before the first. */
  position(): ArchivePosition | undefined
  /** Resolves when the frames are durable and acknowledged. Frames come unsealed, each in its own memory. */
  append(frames: readonly Appended[]): Promise<void>
  /** Finishes the newest segment. The next frame begins another one. */
  finish(): Promise<void>
  /** The intact part of a damaged segment was appended again, and the segment was moved aside. */
  replaced(segment: RepairedSegment): void
  /** Notes that these sessions were forgotten, before their records are removed. */
  forget(sessions: readonly ForgottenSession[]): void
  /**
   * Replaces a finished segment by one without the records of forgotten sessions, or deletes it if it has
   * none left. Whatever interrupts it, the archive is sound.
   */
  rewrite(segment: RewrittenSegment, frames: Iterable<Appended>): void
  /** Closes open files. Acknowledged frames remain. */
  close(): Promise<void>
}

interface Segment {
  name: string
  day: string
  handle: FileHandle
  end: SegmentPosition & { chain: Buffer }
  last: number
}

/** Throws `NotOurs` or the system's error. */
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
    const { end = NOTHING, name = '', last = 0 } = segment ?? {}
    acknowledged = await openAcknowledged(folder, marker.id, {
      ...acknowledgedAt(end),
      segment: name,
      last,
    })
    if (segment) position = positionOf(segment)
  } catch (error) {
    await segment?.handle.close().catch(() => {})
    throw error
  }
  const forgotten = (): readonly ForgottenSession[] => manifest.forgotten?.sessions ?? []
  return { notes, forgotten, position: () => position, append, finish, replaced, forget, rewrite, close }

  async function append(frames: readonly Appended[]): Promise<void> {
    const day = new Date(nowMs()).toISOString().slice(0, 10)
    if (segment && (segment.end.offset >= segmentBytes || segment.day !== day)) await finish()
    segment ??= await begin(day)
    const current = segment
    let { end, last } = current
    try {
      for (const { frame, records } of frames) {
        const chain = sealFrame(frame, end)
        await writeWhole(current.handle, frame, end.offset)
        last = end.offset
        end = {
          ...{
            offset: last + frame.length,
            frames: end.frames + 1,
            records: end.records + records,
            chain,
          },
        }
      }
      await current.handle.datasync()
      await assertUnmoved(current)
    } catch (error) {
      // Remove the incomplete frame, so that the next one can follow.
      await current.handle.truncate(current.end.offset).catch(() => {})
      throw error
    }
    // Durable from here on and never removed, even if the position cannot be stored and the frames are
    // delivered again.
    segment = { ...current, end, last }
    await acknowledged!.write({ ...acknowledgedAt(end), segment: current.name, last })
    position = positionOf(segment)
  }

  async function begin(day: string): Promise<Segment> {
    const before = segmentDay(latest) ?? { day: '', number: 0 }
    // If the clock was set back, segments must still stay in order.
    const from = before.day > day ? before.day : day
    for (let number = from === before.day ? before.number + 1 : 1; ; number++) {
      const name = segmentName(from, number)
      const handle = await created(join(folder, name))
      if (!handle) continue
      try {
        syncFolder(folder)
        const end = { ...BEGINNING, chain: chainBefore(marker.id, name) }
        await acknowledged!.write({ ...acknowledgedAt(end), segment: name, last: 0 })
        latest = name
        return { name, day, handle, end, last: 0 }
      } catch (error) {
        await handle.close().catch(() => {})
        throw error
      }
    }
  }

  async function finish(): Promise<void> {
    const ended = segment
    if (!ended) return
    const { name, handle, end } = ended
    const { frames, records } = end
    const { summary, seal } = summaryOf(end)
    try {
      await writeWhole(handle, summary, end.offset)
      await handle.datasync()
      const bytes = end.offset + summary.length
      manifest.segments.push({ name, state: 'whole', bytes, frames, records, chain: seal.toString('hex') })
      try {
        writeManifest(folder, manifest)
      } catch (error) {
        manifest.segments.pop()
        throw error
      }
    } catch (error) {
      await handle.truncate(end.offset).catch(() => {})
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

  function forget(sessions: readonly ForgottenSession[]): void {
    const { segments = [], sessions: before = [] } = manifest.forgotten ?? {}
    manifest.forgotten = { sessions: [...before, ...sessions], segments }
    writeManifest(folder, manifest)
  }

  function rewrite(note: RewrittenSegment, frames: Iterable<Appended>): void {
    const { segments = [], sessions = [] } = manifest.forgotten ?? {}
    const draft = note.remaining > 0 ? draftSegment(folder, marker.id, note.name, frames) : undefined
    manifest.forgotten = { sessions, segments: [...segments, note], replacing: draft?.listed }
    if (draft) {
      writeManifest(folder, manifest)
      draft.replace()
    }
    manifest.segments = manifest.segments.flatMap((each) =>
      each.name === note.name ? (draft?.listed ?? []) : each,
    )
    manifest.forgotten.replacing = undefined
    writeManifest(folder, manifest)
    if (!draft) rmSync(join(folder, note.name), { force: true })
  }

  /** Undefined if the file has a second name, for instance in a snapshot of the archive. */
  async function reopened({ name, end, last }: NonNullable<typeof open>): Promise<Segment | undefined> {
    const handle = await openOwnToWrite(join(folder, name)).catch((error: unknown) => {
      if (error instanceof NotOurs && error.shared) return undefined
      throw error
    })
    if (!handle) return undefined
    try {
      // Remove the rest of an unfinished write.
      if ((await handle.stat()).size > end.offset) await handle.truncate(end.offset)
      // Intact frames after the acknowledged position count from now on, so they must be durable.
      await handle.datasync()
      return { name, day: segmentDay(name)!.day, handle, end, last }
    } catch (error) {
      await handle.close().catch(() => {})
      throw error
    }
  }

  function leave({ name, end }: NonNullable<typeof open>): undefined {
    const { offset, frames, records, chain } = end
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

  /**
   * Fails if the directory was moved or its disk was removed, because what is written would not be stored
   * there.
   */
  async function assertUnmoved({ name, handle }: Segment): Promise<void> {
    const path = join(folder, name)
    const [ours, there] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
    if (there?.ino === ours.ino && there.dev === ours.dev) return
    throw new ArchiveFault(
      'gone',
      `${path} was removed while it was being written.`,
      'Restore it, or run the command again.',
    )
  }

  async function close(): Promise<void> {
    await segment?.handle.close().catch(() => {})
    await acknowledged?.close().catch(() => {})
    segment = acknowledged = undefined
  }
}

const NOTHING = { ...BEGINNING, chain: Buffer.alloc(CHECKSUM_BYTES) }

const acknowledgedAt = ({ offset, frames, records, chain }: SegmentPosition & { chain: Buffer }) => ({
  ...{ bytes: offset, frames, records, chain },
})

const positionOf = ({ name, end, last }: Segment): ArchivePosition => ({
  ...{ segment: name, bytes: end.offset, last, chain: end.chain.toString('hex') },
})

/** Creates a file, or opens an empty one. Undefined if the name is taken by anything else. */
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

/** On a nearly full disk, a write may be incomplete and only report it by its length. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, offset + at)
    at += bytesWritten
  }
}
