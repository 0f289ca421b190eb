import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { listDirectory } from '../directories.ts'
import { makeFolders, NotOurs, readOwn } from '../own-files.ts'
import { type Contents, contentsOf } from './contents.ts'
import { createMarker, headAt, isMarkerDraft, isOfFirstFormat, type Marker, readMarker } from './manifest.ts'
import { segmentDay } from './segments.ts'

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
type DirectoryState =
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
  // Its other files say which archive it is.
  if (contentsOf(folder).id !== undefined) return { type: 'unmarked' }
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
  // No frame precedes the beginning of a segment: the first one may have followed since.
  if (position.bytes === 0) return 'same'
  const head = headAt(segment.path, position.last)
  // A copy to which something else was delivered has different frames from there on.
  return head?.type === 'lines' && head.seal.toString('hex') !== position.chain ? 'older' : 'same'
}

const AGAIN = 'use --redeliver: it delivers everything that is still on this machine again'

/**
 * Ensures that a directory is an archive, and the `known` one if given. Turns a new or empty directory into
 * an archive. Throws an `ArchiveFault` for any other directory and changes nothing in it, or throws the
 * system's error.
 */
export function claimArchive(folder: string, nowMs: number, known?: KnownArchive): Marker {
  const state = stateOf(folder)
  const fault = faultOf(folder, state, known)
  if (fault) throw fault
  refuseForeignLock(folder)
  if (state.type === 'archive') return state
  if (state.type === 'missing') makeFolders(folder)
  return createMarker(folder, nowMs)
}

/** Our lock is an empty plain file. Throws an `ArchiveFault` for anything else. */
export function refuseForeignLock(folder: string): void {
  const path = join(folder, LOCK)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || (stats.isFile() && stats.size === 0)) return
  throw new ArchiveFault(
    'foreign',
    `${path} is not a lock file of scrollback.`,
    'Move it away if nothing else needs it.',
  )
}

/** Why records cannot be delivered to a directory. Undefined if they can. */
export function faultOf(
  folder: string,
  state: DirectoryState,
  known?: KnownArchive,
): ArchiveFault | undefined {
  switch (state.type) {
    case 'missing':
    case 'empty':
      return known && gone(folder, state.type)
    case 'foreign':
      return new ArchiveFault(
        'foreign',
        `${folder} is not an archive of scrollback: it contains ${state.name}.`,
        'Use an empty directory, or one that does not exist yet. Nothing in this one was changed.',
      )
    case 'unmarked':
      return new ArchiveFault(
        'unmarked',
        `${folder} may be an archive, but its scrollback-archive.json is damaged or missing.`,
        'Run: scrollback collect repair <this directory>',
      )
    case 'first':
      return known?.id === undefined ? undefined : other(folder, 'an older one, of the first format')
    case 'archive': {
      if (!known) return undefined
      const found = agrees(folder, known)
      if (found === 'same') return undefined
      return found === 'other' ? other(folder, `one made ${state.created}`) : older(folder)
    }
  }
}

const gone = (folder: string, type: 'missing' | 'empty'): ArchiveFault =>
  new ArchiveFault(
    'gone',
    `${folder} ${type === 'missing' ? 'does not exist' : 'is empty'}, although records were delivered to it.`,
    `If its disk is not mounted, mount it. If the archive is lost, ${AGAIN}.`,
  )

const other = (folder: string, what: string): ArchiveFault =>
  new ArchiveFault(
    'other',
    `${folder} contains a different archive than before: ${what}.`,
    `Restore the right one. To continue with this one, ${AGAIN}.`,
  )

const older = (folder: string): ArchiveFault =>
  new ArchiveFault(
    'older',
    `${folder} lacks records that were delivered before: it is an older copy of the archive.`,
    `Restore the newer one. To continue with this one, ${AGAIN}.`,
  )

/** Why a directory cannot be written to. */
type ArchiveProblem = 'foreign' | 'gone' | 'other' | 'older' | 'unmarked'

/** An error with a remedy. Nothing was changed. */
export class ArchiveFault extends Error {
  readonly problem: ArchiveProblem
  readonly wayOut: string

  constructor(problem: ArchiveProblem, message: string, wayOut: string) {
    super(message)
    this.name = 'ArchiveFault'
    this.problem = problem
    this.wayOut = wayOut
  }
}
