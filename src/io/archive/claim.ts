import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { agrees, type DirectoryState, type KnownArchive, LOCK, stateOf } from './directory-state.ts'
import { ArchiveFault } from './fault.ts'
import { createMarker, type Marker } from './marker.ts'

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
  if (state.type === 'missing') mkdirSync(folder, { recursive: true, mode: 0o700 })
  return createMarker(folder, nowMs)
}

/** Our lock is an empty plain file. */
function refuseForeignLock(folder: string): void {
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
        `${folder} may be an archive, but its scrollback-archive.json is damaged.`,
        'Run collect with --repair and this directory.',
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
