import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CHECKSUM_BYTES, chainBefore, HEAD_BYTES } from '../frames.ts'
import { NotOurs, openOwnToRead, openOwnToWrite, readAt, readOwn, replaceOwn } from '../own-files.ts'
import {
  type FoundMarker,
  headAt,
  isId,
  type ListedSegment,
  MANIFEST,
  MARKER,
  type Manifest,
  readManifest,
  readMarker,
  seal,
  unseal,
} from './manifest.ts'
import {
  BEGINNING,
  type KnownEnd,
  type Piece,
  type SegmentEnd,
  type SegmentPosition,
  segmentDay,
  segmentsIn,
  walkSegment,
} from './segments.ts'

/**
 * The state of a segment in its archive. `whole`, `left` and `first` are listed in the manifest. `open` is
 * the newest segment, which still grows. `stray` segments are not listed. `unlisted` segments belong to an
 * archive of the first format, which has no manifest.
 */
export interface ExpectedSegment {
  name: string
  path: string
  state: ListedSegment['state'] | 'open' | 'stray' | 'unlisted'
  /** The end up to which it must be intact. */
  end?: KnownEnd
  listed?: ListedSegment
  /** The position of its first frame. */
  begin: SegmentPosition
}

/** Another file of the archive that is not as expected. */
export interface FileFault {
  name: string
  what: string
  /** `foreign`: the file was not written by us. */
  state: 'missing' | 'damaged' | 'foreign'
}

/** An archive as described by its own files. */
export interface Contents {
  marker: FoundMarker
  /** Its id, from any file that still contains it. Undefined for the first format. */
  id?: string
  created?: string
  manifest?: Manifest
  acknowledged?: Acknowledged
  /** It is unknown how far the archive was acknowledged. */
  doubtful: boolean
  /** It has no manifest, because it is new or of the first format. */
  bare: boolean
  segments: ExpectedSegment[]
  faults: FileFault[]
}

const CHANGED = 'it is damaged'
const MISSING = 'it is missing'

/** Reads the description of an archive. Throws the system's error. */
export function contentsOf(folder: string): Contents {
  const contents = look(folder)
  // During a write, one file may be ahead of another for a moment. Read again before reporting a fault.
  const odd = contents.faults.length > 0 || contents.segments.some(({ state }) => state === 'stray')
  return odd ? look(folder) : contents
}

function look(folder: string): Contents {
  // The order matters: an archive that is being written must not look damaged.
  const there = segmentsIn(folder).map((path) => basename(path))
  const faults: FileFault[] = []
  const own = <Found>(
    name: string,
    read: (folder: string) => Found,
  ): Found | { type: 'damaged'; latest?: undefined } => {
    try {
      return read(folder)
    } catch (error) {
      if (!(error instanceof NotOurs)) throw error
      faults.push({ name, what: 'it is a link, or not a plain file', state: 'foreign' })
      return { type: 'damaged' }
    }
  }
  const acknowledged = own(ACKNOWLEDGED, readAcknowledged)
  const manifest = own(MANIFEST, readManifest)
  const marker = own(MARKER, readMarker)
  const latest = acknowledged.type === 'none' ? undefined : acknowledged.latest
  const list = manifest.type === 'valid' ? manifest.manifest : undefined
  const bare = manifest.type === 'none' && acknowledged.type === 'none'
  const first = marker.type === 'none' && bare
  const id = marker.type === 'valid' ? marker.id : (list?.archive ?? latest?.archive)
  const fault = (name: string, what: string | undefined): void => {
    // A new archive only has its marker.
    if (what === undefined || first || (bare && there.length === 0)) return
    if (faults.some((known) => known.name === name)) return
    faults.push({ name, what, state: what === MISSING ? 'missing' : 'damaged' })
  }
  const whatOf = (type: 'none' | 'damaged' | 'valid', archive: string | undefined): string | undefined => {
    if (type !== 'valid') return type === 'none' ? MISSING : CHANGED
    return archive === id ? undefined : 'it belongs to another archive'
  }
  fault(MARKER, whatOf(marker.type, id))
  fault(MANIFEST, whatOf(manifest.type, list?.archive))
  fault(ACKNOWLEDGED, whatOf(acknowledged.type, latest?.archive))
  const { replacing, segments: rewritten = [] } = list?.forgotten ?? {}
  // Replacing a segment may have been interrupted before the manifest listed the new one, and deleting one.
  if (list && replacing && isReplaced(folder, replacing))
    list.segments = list.segments.map((each) => (each.name === replacing.name ? replacing : each))
  const listed = new Map(list?.segments.map((each) => [each.name, each]))
  const deleted = new Set(rewritten.flatMap(({ name, remaining }) => (remaining === 0 ? name : [])))
  const open = latest && latest.segment !== '' && !listed.has(latest.segment) ? latest : undefined
  const names = [...new Set([...there, ...listed.keys(), ...(open ? [open.segment] : [])])]
    .filter((name) => !deleted.has(name))
    .sort()
  const doubtful = acknowledged.type !== 'valid' || manifest.type !== 'valid' || faults.length > 0
  return {
    marker,
    id,
    bare,
    faults,
    manifest: list,
    acknowledged: latest,
    created: marker.type === 'valid' ? marker.created : list?.created,
    doubtful,
    segments: names.flatMap((name): ExpectedSegment | [] => {
      const path = join(folder, name)
      const begin = first || id === undefined ? BEGINNING : { ...BEGINNING, chain: chainBefore(id, name) }
      const own = listed.get(name)
      if (own) return { name, path, begin, listed: own, state: own.state, end: endOf(own) }
      if (open?.segment === name)
        return { name, path, begin, state: 'open', end: { ...open, offset: open.bytes, last: !doubtful } }
      // A new segment without any content yet.
      if (!first && lstatSync(path, { throwIfNoEntry: false })?.size === 0) return []
      return { name, path, begin, state: first ? 'unlisted' : 'stray' }
    }),
  }
}

/** Whether the file is the new one. Its last header, which covers everything, tells. */
function isReplaced(folder: string, { name, bytes, chain }: ListedSegment): boolean {
  const head = headAt(join(folder, name), bytes - HEAD_BYTES)
  return head?.type === 'summary' && head.seal.toString('hex') === chain
}

const endOf = ({ state, bytes, frames, records, chain }: ListedSegment): KnownEnd | undefined =>
  state === 'first' ? undefined : { offset: bytes, frames, records, chain: Buffer.from(chain, 'hex') }

/**
 * How far the newest segment was acknowledged. Incomplete bytes after this position are an unfinished write;
 * before it, they are damage.
 */
interface Acknowledged {
  /** Empty before the first segment. */
  segment: string
  /** The number of bytes, frames and records. */
  bytes: number
  frames: number
  records: number
  /** The offset of its last frame. 0 if it has none. */
  last: number
  /** The checksum over everything up to this position. */
  chain: Buffer
}

const ACKNOWLEDGED = 'acknowledged'
/** Two slots, written alternately. If a write is interrupted, the other slot is still valid. */
const SLOT = 512
const SLOTS = 2
const HEX = CHECKSUM_BYTES * 2

type FoundAcknowledged =
  | { type: 'none' }
  /** `latest` is the newest readable slot. It may be outdated. */
  | { type: 'damaged'; latest?: Slot }
  | { type: 'valid'; latest: Slot }

interface Slot extends Acknowledged {
  /** The id of the archive that the file belongs to. */
  archive: string
  number: number
}

function slotText({ archive, number, chain, segment, bytes, frames, records, last }: Slot): Buffer {
  const text = seal({ archive, number, segment, bytes, frames, records, last, chain: chain.toString('hex') })
  return Buffer.from(`${text.slice(0, -1).padEnd(SLOT - 1)}\n`)
}

function slotIn(bytes: Buffer): Slot | undefined {
  const text = bytes.toString('latin1')
  const fields = unseal(`${text.trimEnd()}\n`) as (Omit<Slot, 'chain'> & { chain: string }) | undefined
  if (!fields || !new RegExp(`^[0-9a-f]{${HEX}}$`).test(fields.chain)) return undefined
  if (!isId(fields.archive)) return undefined
  if (fields.segment !== '' && !segmentDay(fields.segment)) return undefined
  const { number, bytes: end, frames, records, last } = fields
  if (![number, end, frames, records, last].every((count) => Number.isSafeInteger(count) && count >= 0))
    return undefined
  const slot = { ...fields, chain: Buffer.from(fields.chain, 'hex') }
  return slotText(slot).equals(bytes) ? slot : undefined
}

/** Throws `NotOurs` or the system's error. */
function readAcknowledged(folder: string): FoundAcknowledged {
  const content = readOwn(join(folder, ACKNOWLEDGED), SLOT * SLOTS + 1)
  if (!content) return { type: 'none' }
  const slots = Array.from({ length: SLOTS }, (_, index) =>
    slotIn(content.subarray(index * SLOT, (index + 1) * SLOT)),
  )
  const [latest] = slots.filter((slot) => slot !== undefined).sort((a, b) => b.number - a.number)
  const [first, second] = slots
  if (!first || !second || content.length !== SLOT * SLOTS) return { type: 'damaged', latest }
  // The slots are written alternately, so two slots that do not follow each other were tampered with or
  // copied.
  if (Math.abs(first.number - second.number) !== 1 || first.number % SLOTS !== 0)
    return { type: 'damaged', latest }
  return { type: 'valid', latest: latest! }
}

const isSame = (one: Acknowledged, other: Acknowledged): boolean =>
  one.segment === other.segment && one.bytes === other.bytes

/** Opens the file, recreates it if it is damaged, and stores the current position. */
export async function openAcknowledged(folder: string, archive: string, now: Acknowledged) {
  const path = join(folder, ACKNOWLEDGED)
  const found = readAcknowledged(folder)
  let number = found.type === 'valid' ? found.latest.number : SLOTS - 1
  if (found.type !== 'valid') {
    const slots = Array.from({ length: SLOTS }, (_, each) => slotText({ ...now, archive, number: each }))
    replaceOwn(path, Buffer.concat(slots))
  }
  const handle = await openAlone(path)
  /** Resolves when the position is durable. */
  const write = async (next: Acknowledged): Promise<void> => {
    const slot = slotText({ ...next, archive, number: number + 1 })
    await handle.write(slot, 0, SLOT, ((number + 1) % SLOTS) * SLOT)
    await handle.datasync()
    number++
  }
  try {
    if (found.type === 'valid' && !isSame(found.latest, now)) await write(now)
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
  return { write, close: () => handle.close() }
}

/** A snapshot of the archive may share the file through a hard link. Replace it by a file of our own. */
async function openAlone(path: string): Promise<FileHandle> {
  try {
    return await openOwnToWrite(path)
  } catch (error) {
    if (!(error instanceof NotOurs && error.shared)) throw error
    replaceOwn(path, readOwn(path, SLOT * SLOTS) ?? '')
    return openOwnToWrite(path)
  }
}

/** The end of a segment. `torn` counts the bytes after its last frame that were never acknowledged. */
export interface CheckedEnd extends SegmentEnd {
  torn: number
}

const NOWHERE: CheckedEnd = {
  position: { offset: 0, frames: 0, records: 0 },
  last: 0,
  size: 0,
  finished: false,
  sound: false,
  torn: 0,
}

/**
 * Walks a segment from a position on and compares it with what its archive expects. Throws the system's error
 * if the file exists but cannot be read.
 */
export function* checkSegment(
  { path, state, begin, end, listed }: ExpectedSegment,
  from: SegmentPosition = begin,
): Generator<Piece, CheckedEnd> {
  let found: SegmentEnd
  let damaged = false
  try {
    const pieces = walkSegment(path, from, end)
    for (;;) {
      const step = pieces.next()
      if (step.done) {
        found = step.value
        break
      }
      damaged ||= step.value.type === 'damage'
      yield step.value
    }
    if (state === 'stray') yield { ...NO_DAMAGE, records: 0, what: 'the manifest does not list it' }
    if (state === 'first' && !damaged && checksumOfFile(path) !== listed?.chain)
      yield { ...NO_DAMAGE, what: 'it has changed since the manifest was written' }
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!absent && !(error instanceof NotOurs)) throw error
    const what = absent ? 'it is missing' : 'it is a link, or not a plain file'
    const records = listed?.records ?? end?.records ?? null
    yield { type: 'damage', offset: 0, bytes: listed?.bytes ?? end?.offset ?? 0, records, what }
    return NOWHERE
  }
  const torn = found.finished || state === 'left' ? 0 : Math.max(0, found.size - found.position.offset)
  return { ...found, torn }
}

/** Damage without bytes of its own. */
const NO_DAMAGE = { type: 'damage', offset: 0, bytes: 0, records: null } as const

const CHUNK = 1024 * 1024

/** The checksum of a whole file, in hex. */
export function checksumOfFile(path: string): string {
  const descriptor = openOwnToRead(path)
  try {
    const { size } = fstatSync(descriptor)
    const sum = createHash('sha256')
    for (let at = 0; at < size; at += CHUNK) sum.update(readAt(descriptor, at, Math.min(CHUNK, size - at)))
    return sum.digest('hex').slice(0, CHECKSUM_BYTES * 2)
  } finally {
    closeSync(descriptor)
  }
}
