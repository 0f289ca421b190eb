import { closeSync, fsyncSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForgottenSession } from '../forgotten-list.ts'
import { CHECKSUM_BYTES, chainBefore, sealFrame, summaryOf } from '../frames.ts'
import {
  createOwn,
  createOwnToWrite,
  draftOf,
  makeFolders,
  NotOurs,
  openOwnToWrite,
  syncFolder,
  writeAt,
} from '../own-files.ts'
import {
  type CheckedEnd,
  type Contents,
  checkSegment,
  checksumOfFile,
  contentsOf,
  type ExpectedSegment,
  openAcknowledged,
} from './contents.ts'
import { ArchiveFault, type ArchivePosition } from './directory.ts'
import {
  headAt,
  isOfFirstFormat,
  type ListedSegment,
  MARKER,
  type Manifest,
  type Marker,
  type RepairedSegment,
  type RewrittenSegment,
  writeManifest,
} from './manifest.ts'
import { BEGINNING, type SegmentPosition, segmentDay, segmentName } from './segments.ts'

interface WriterOptions {
  folder: string
  marker: Marker
  /** Begin a new segment after this many bytes. */
  segmentBytes: number
  nowMs(): number
}

/** Appends to an archive. */
export type ArchiveWriter = Awaited<ReturnType<typeof openWriter>>

interface Segment {
  name: string
  day: string
  handle: FileHandle
  end: SegmentPosition & { chain: Buffer }
  last: number
}

/**
 * Opens an archive to append to it. The caller must hold the lock of the archive. Throws `NotOurs` or the
 * system's error.
 */
export async function openWriter({ folder, marker, segmentBytes, nowMs }: WriterOptions) {
  const { manifest, open, latest: found, notes } = startOf(folder, marker)
  let latest = found
  let segment: Segment | undefined
  let acknowledged: Awaited<ReturnType<typeof openAcknowledged>> | undefined
  let position: ArchivePosition | undefined
  /** Whether the last frames are durable, but could not be acknowledged. */
  let isBehind = false
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
  return {
    /** Descriptions of damage, for users. */
    notes: notes as readonly string[],
    /** The sessions that were forgotten here. */
    forgotten: (): readonly ForgottenSession[] => manifest.forgotten?.sessions ?? [],
    /** The position after the last acknowledged frame. Undefined before the first. */
    position: () => position,
    append,
    has,
    finish,
    replaced,
    forget,
    rewrite,
    close,
  }

  /** Resolves when the frames are durable and acknowledged. Frames come unsealed, each in its own memory. */
  async function append(frames: readonly Appended[]): Promise<void> {
    const day = new Date(nowMs()).toISOString().slice(0, 10)
    if (segment && (segment.end.offset >= segmentBytes || segment.day !== day)) await finish()
    segment ??= await begin(day)
    const current = segment
    let { end, last } = current
    for (const { frame, records, announce } of frames) {
      const chain = sealFrame(frame, end)
      last = end.offset
      end = after(end, frame, records, chain)
      announce?.(positionOf({ ...current, end, last }))
    }
    try {
      let at = current.end.offset
      for (const { frame } of frames) {
        await writeWhole(current.handle, frame, at)
        at += frame.length
      }
      await current.handle.datasync()
      await assertUnmoved(current)
    } catch (error) {
      // Remove the incomplete frame, so that the next one can follow.
      await current.handle.truncate(current.end.offset).catch(() => {})
      throw error
    }
    // Durable from here on and never removed, even if the position cannot be stored.
    segment = { ...current, end, last }
    isBehind = true
    await acknowledge(segment)
  }

  async function acknowledge({ name, end, last, ...rest }: Segment): Promise<void> {
    await acknowledged!.write({ ...acknowledgedAt(end), segment: name, last })
    position = positionOf({ name, end, last, ...rest })
    isBehind = false
  }

  /** Whether the frame that ends at a position is durable and acknowledged. */
  async function has({ segment: name, bytes, last, chain }: ArchivePosition): Promise<boolean> {
    if (segment && isBehind) await acknowledge(segment)
    const listed = manifest.segments.find((each) => each.name === name)
    const end = name === segment?.name ? segment.end.offset : listed && !listed.damaged ? listed.bytes : 0
    if (bytes > end) return false
    const head = headAt(join(folder, name), last)
    return head?.type === 'lines' && head.seal.toString('hex') === chain
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

  /** Finishes the newest segment. The next frame begins another one. */
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
    isBehind = false
    await handle.close().catch(() => {})
  }

  /** The intact part of a damaged segment was appended again, and the segment was moved aside. */
  function replaced(segment: RepairedSegment): void {
    manifest.segments = manifest.segments.filter(({ name }) => name !== segment.name)
    manifest.repaired.push(segment)
    writeManifest(folder, manifest)
  }

  /** Notes that these sessions were forgotten, before their records are removed. */
  function forget(sessions: readonly ForgottenSession[]): void {
    const { segments = [], sessions: before = [] } = manifest.forgotten ?? {}
    manifest.forgotten = { sessions: [...before, ...sessions], segments }
    writeManifest(folder, manifest)
  }

  /**
   * Replaces a finished segment by one without the records of forgotten sessions, or deletes it if it has
   * none left. Whatever interrupts it, the archive is sound.
   */
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
    const listed = { name, bytes: offset, frames, records, chain: chain.toString('hex') }
    manifest.segments.push({ ...listed, state: 'left' })
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

  /** Closes open files. Acknowledged frames remain. */
  async function close(): Promise<void> {
    await segment?.handle.close().catch(() => {})
    await acknowledged?.close().catch(() => {})
    segment = acknowledged = undefined
  }
}

/** The position after a frame. */
const after = (
  { offset, frames, records: before }: SegmentPosition,
  frame: Uint8Array,
  records: number,
  chain: Buffer,
) => {
  return { offset: offset + frame.length, frames: frames + 1, records: before + records, chain }
}

const NOTHING = { ...BEGINNING, chain: Buffer.alloc(CHECKSUM_BYTES) }

const acknowledgedAt = ({ offset, frames, records, chain }: SegmentPosition & { chain: Buffer }) => ({
  bytes: offset,
  frames,
  records,
  chain,
})

const positionOf = ({ name, end, last }: Segment): ArchivePosition => ({
  segment: name,
  bytes: end.offset,
  last,
  chain: end.chain.toString('hex'),
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

/** The folder for damaged files of an archive. */
const DAMAGED = 'damaged'

/** Where appending to an archive continues. */
interface Start {
  manifest: Manifest
  /** The newest segment, if it can be appended to. Bytes after `end` were never acknowledged. */
  open?: { name: string; end: SegmentPosition & { chain: Buffer }; last: number }
  /** The newest existing segment. */
  latest: string
  /** Descriptions of damage, for users. */
  notes: string[]
}

/**
 * Checks an archive before anything is appended: the newest segment bit by bit, the others by existence and
 * length. Damage is left as it is and listed, and appending continues in a new segment.
 */
function startOf(folder: string, marker: Marker): Start {
  const contents = contentsOf(folder)
  const known = contents.manifest?.archive === marker.id ? contents.manifest : undefined
  const manifest: Manifest = {
    archive: marker.id,
    created: marker.created,
    repaired: known?.repaired ?? [],
    segments: [...(known?.segments ?? [])],
    ...(known?.forgotten && { forgotten: known.forgotten }),
  }
  const foreign = contents.faults.find(({ state }) => state === 'foreign')
  if (foreign) throw new NotOurs(`${join(folder, foreign.name)}: ${foreign.what}`)
  const start: Start = { manifest, latest: latestOf(contents), notes: [] }
  // Segments of the first format are kept and listed.
  const adopting = contents.bare && contents.segments.every(isOfFirstFormat)
  for (const { name, what, state } of adopting ? [] : contents.faults) {
    start.notes.push(`${join(folder, name)}: ${what}`)
    if (state === 'damaged' && name !== MARKER) moveAside(folder, name)
  }
  for (const segment of contents.segments)
    if (segment.listed) checkListed(segment, segment.listed, start)
    else lookAtOther(segment, contents, start)
  if (start.notes.length > 0)
    start.notes.push(
      `${folder} is damaged. New records go into another segment. collect verify shows the damage, collect repair recovers the intact records.`,
    )
  manifest.segments.sort((a, b) => (a.name < b.name ? -1 : 1))
  if (!known || manifest.segments.length !== known.segments.length) writeManifest(folder, manifest)
  return start
}

const latestOf = ({ segments, acknowledged }: Contents): string =>
  [...segments.map(({ name }) => name), acknowledged?.segment ?? ''].sort().at(-1) ?? ''

/** Checks existence and length. `collect verify` checks every bit. */
function checkListed({ path, state }: ExpectedSegment, listed: ListedSegment, { notes }: Start): void {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) notes.push(`${path} is missing`)
  else if (state === 'left' ? size < listed.bytes : size !== listed.bytes)
    notes.push(`${path} has ${size} bytes instead of ${listed.bytes}`)
  else if (listed.damaged) notes.push(`${path} is damaged`)
}

function lookAtOther(segment: ExpectedSegment, contents: Contents, start: Start): void {
  const { name, path, state } = segment
  const { notes, manifest } = start
  let damage: string | undefined
  const pieces = checkSegment(state === 'stray' ? { ...segment, state: 'unlisted' } : segment)
  let step = pieces.next()
  for (; !step.done; step = pieces.next())
    if (step.value.type === 'damage')
      damage ??= `${path} is damaged at byte ${step.value.offset}: ${step.value.what}`
  const end = step.value
  const { chain } = end.position
  if (damage !== undefined) notes.push(damage)
  else if (state === 'stray' && contents.manifest) notes.push(`${path}: the manifest did not name it`)
  if (state === 'open' && end.sound && !end.finished && chain && !contents.doubtful)
    start.open = { name, end: { ...end.position, chain }, last: end.last }
  else manifest.segments.push(listedAs(segment, end, damage !== undefined, contents.doubtful))
}

function listedAs(
  segment: ExpectedSegment,
  end: CheckedEnd,
  damaged: boolean,
  doubtful: boolean,
): ListedSegment {
  const { name, path } = segment
  const { frames, records } = end.position
  if (isOfFirstFormat(segment))
    return {
      name,
      state: 'first',
      ...(damaged && { damaged }),
      bytes: end.size,
      frames,
      records,
      chain: checksumOfFile(path),
    }
  const { offset, chain, ...counts } = damaged && segment.end ? segment.end : end.position
  // It is unknown whether the trailing bytes were acknowledged, so they count as damage.
  const lost = damaged || (doubtful && end.torn > 0)
  return {
    name,
    state: end.finished && !lost ? 'whole' : 'left',
    ...(lost ? { damaged: true } : {}),
    bytes: lost && !segment.end ? end.size : offset,
    frames: counts.frames,
    records: counts.records,
    chain: chain?.toString('hex') ?? '',
  }
}

/** Moves a file to the folder for damaged files, under an unused name. */
export function moveAside(folder: string, name: string): string {
  const target = join(folder, DAMAGED)
  makeFolders(target)
  if (!lstatSync(target).isDirectory()) throw new Error(`${target} is not a directory`)
  let moved = join(target, name)
  for (let number = 2; lstatSync(moved, { throwIfNoEntry: false }); number++)
    moved = join(target, `${name}.${number}`)
  renameSync(join(folder, name), moved)
  return moved
}

/** A frame with the number of its records. It is unsealed, in memory of its own. */
export interface Appended {
  frame: Uint8Array
  records: number
  /** Called with the position after it, before it is written. If it throws, nothing is. */
  announce?(position: ArchivePosition): void
}

/** Writes a finished segment with these frames, durably and under another name. Throws the system's error. */
function draftSegment(folder: string, archive: string, name: string, frames: Iterable<Appended>) {
  const path = join(folder, name)
  const draft = draftOf(path)
  const descriptor = createOwn(draft)
  try {
    let end = { ...BEGINNING, chain: chainBefore(archive, name) }
    for (const { frame, records } of frames) {
      const chain = sealFrame(frame, end)
      writeAt(descriptor, frame, end.offset)
      end = after(end, frame, records, chain)
    }
    const { summary, seal } = summaryOf(end)
    writeAt(descriptor, summary, end.offset)
    fsyncSync(descriptor)
    const { frames: count, records } = end
    const bytes = end.offset + summary.length
    const listed: ListedSegment = {
      name,
      state: 'whole',
      bytes,
      frames: count,
      records,
      chain: seal.toString('hex'),
    }
    return {
      /** How the manifest lists it. */
      listed,
      /** Replaces the segment. Durable when it returns. */
      replace() {
        renameSync(draft, path)
        syncFolder(folder)
      },
    }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Deletes the drafts that an interruption left. */
export function dropDrafts(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^records-[\d-]+\.jsonl\.zst\.[0-9a-f]{12}\.part$/.test(name)) rmSync(join(folder, name))
}
