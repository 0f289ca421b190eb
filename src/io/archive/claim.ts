import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveFault } from './fault.ts'
import { createMarker, type Marker } from './marker.ts'
import { agrees, type KnownArchive, LOCK, type Standing, standingOf } from './standing.ts'

const AGAIN = '--redeliver delivers everything again that is still on this machine'

/**
 * Makes sure that a directory is an archive, and the one that is `known`; a new or empty one becomes an archive. Throws an `ArchiveFault`
 * where it is anything else, and leaves it alone, or the system's error.
 */
export function claimArchive(folder: string, nowMs: number, known?: KnownArchive): Marker {
  const standing = standingOf(folder)
  const fault = faultOf(folder, standing, known)
  if (fault) throw fault
  refuseForeignLock(folder)
  if (standing.type === 'archive') return standing
  if (standing.type === 'missing') mkdirSync(folder, { recursive: true, mode: 0o700 })
  return createMarker(folder, nowMs)
}

/** A lock of ours is a plain file with nothing in it. */
function refuseForeignLock(folder: string): void {
  const path = join(folder, LOCK)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || (stats.isFile() && stats.size === 0)) return
  throw new ArchiveFault('foreign', `${path} is no lock of ours.`, 'Move it away, if nothing else needs it.')
}

/** What keeps records from being delivered to a directory; undefined where nothing does. */
export function faultOf(folder: string, standing: Standing, known?: KnownArchive): ArchiveFault | undefined {
  switch (standing.type) {
    case 'missing':
    case 'empty':
      return known && gone(folder, standing.type)
    case 'foreign':
      return new ArchiveFault(
        'foreign',
        `${folder} is no archive of scrollback: it holds ${standing.name}.`,
        'Name an empty directory, or one that does not exist yet. Nothing in this one was touched.',
      )
    case 'unmarked':
      return new ArchiveFault(
        'unmarked',
        `${folder} may be an archive, but its scrollback-archive.json is damaged.`,
        `Repair it: scrollback collect --repair ${folder}`,
      )
    case 'first':
      return known?.id === undefined ? undefined : other(folder, 'an older one, of the first format')
    case 'archive': {
      if (!known) return undefined
      const found = agrees(folder, known)
      if (found === 'same') return undefined
      return found === 'other' ? other(folder, `one made ${standing.created}`) : older(folder)
    }
  }
}

const gone = (folder: string, type: 'missing' | 'empty'): ArchiveFault =>
  new ArchiveFault(
    'gone',
    `${folder} ${type === 'missing' ? 'is not there' : 'is empty'}, although records were delivered to it.`,
    `If its disk is not mounted, mount it. If the archive is gone for good, ${AGAIN}.`,
  )

const other = (folder: string, what: string): ArchiveFault =>
  new ArchiveFault(
    'other',
    `${folder} holds another archive than the one that was delivered to: ${what}.`,
    `Put the right one back. If this is the one to go on with, ${AGAIN}.`,
  )

const older = (folder: string): ArchiveFault =>
  new ArchiveFault(
    'older',
    `${folder} lacks records that were delivered to it: it is an older copy of the archive.`,
    `Put the newer one back. If this is the one to go on with, ${AGAIN}.`,
  )
