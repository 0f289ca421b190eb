import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { listDirectory } from '../directories.ts'
import { NotOurs, readOwn } from '../own-files.ts'
import { segmentDay } from '../segments.ts'
import { type Contents, contentsOf } from './contents.ts'
import { headAt, isOfFirstFormat } from './first-format.ts'
import { isMarkerDraft, readMarker } from './marker.ts'

/** What the collector knows of an archive from earlier deliveries. */
export interface KnownArchive {
  /** Absent if the deliveries predate archive ids. */
  id?: string | undefined
  position?: ArchivePosition | undefined
}

/** The position after the last acknowledged frame. */
export interface ArchivePosition {
  segment: string
  bytes: number
  /** The offset of the last frame. */
  last: number
  /** Its checksum, in hex. */
  chain: string
}

/** The state of a directory before a delivery. */
export type DirectoryState =
  | { type: 'missing' }
  | { type: 'empty' }
  /** It contains a file that is not ours. */
  | { type: 'foreign'; name: string }
  /** An archive of the first format, which had no marker. */
  | { type: 'first' }
  | { type: 'unmarked' }
  | { type: 'archive'; id: string; created: string }

/** Names that operating systems create in directories. */
const SYSTEM = new Set(['lost+found', '.DS_Store'])
const FIRST_README = 'README.txt'
const FIRST_ABOUT = `This directory holds records as JSON lines in segments of zstd frames: "zstd -dc records-*.jsonl.zst" shows them all.
A record may stand in it more than once; its "id" tells. "scrollback collect --verify <this directory>" checks every frame and record.
`
export const LOCK = '.lock'
/** Left by a killed process. */
const LOCK_JOURNAL = '.lock-journal'
const LARGEST_JOURNAL = 4096

/** Throws the system's error if the directory cannot be read. */
export function stateOf(folder: string): DirectoryState {
  const { entries, error } = listDirectory(folder)
  if (error === 'ENOENT') return { type: 'missing' }
  if (error !== undefined) throw Object.assign(new Error(`${folder}: ${error}`), { code: error })
  const marker = markerIn(folder)
  if (marker.type === 'valid') return { type: 'archive', id: marker.id, created: marker.created }
  if (marker.type === 'damaged') return { type: 'unmarked' }
  const names = entries.map(({ name }) => name).filter((name) => !SYSTEM.has(name) && !isMarkerDraft(name))
  if (names.length === 0) return { type: 'empty' }
  const strange = names.find((name) => !isFileOfFirstFormat(folder, name))
  return strange === undefined ? { type: 'first' } : { type: 'foreign', name: strange }
}

function markerIn(folder: string): ReturnType<typeof readMarker> {
  try {
    return readMarker(folder)
  } catch (error) {
    // A link of that name says nothing about the directory.
    if (error instanceof NotOurs) return { type: 'none' }
    throw error
  }
}

function isFileOfFirstFormat(folder: string, name: string): boolean {
  const path = join(folder, name)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return false
  if (name === LOCK) return stats.size === 0
  if (name === LOCK_JOURNAL) return stats.size <= LARGEST_JOURNAL
  if (name === FIRST_README) return readOwn(path, FIRST_ABOUT.length + 1)?.toString('latin1') === FIRST_ABOUT
  if (!segmentDay(name)) return false
  return stats.size === 0 || isOfFirstFormat({ path })
}

/** Whether an archive is the known one and contains everything it acknowledged. Does not check for damage. */
export function agrees(
  folder: string,
  known: KnownArchive,
  contents: Contents = contentsOf(folder),
): 'same' | 'other' | 'older' {
  if (known.id !== undefined && contents.id !== known.id) return 'other'
  const { position } = known
  if (!position || contents.doubtful) return 'same'
  const { repaired = [], forgotten } = contents.manifest ?? {}
  const isReplaced = [repaired, forgotten?.segments ?? []].some((list) =>
    list.some(({ name }) => name === position.segment),
  )
  if (isReplaced) return 'same'
  const segment = contents.segments.find(({ name }) => name === position.segment)
  const reached = segment?.listed?.bytes ?? segment?.end?.offset
  if (segment === undefined || reached === undefined || reached < position.bytes) return 'older'
  const head = headAt(segment.path, position.last)
  // A copy to which something else was delivered has different frames from there on.
  return head?.type === 'lines' && head.seal.toString('hex') !== position.chain ? 'older' : 'same'
}
