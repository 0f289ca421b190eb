import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ScrollbackError } from '../../errors.ts'
import { ArchiveFault, LOCK, refuseForeignLock, stateOf } from '../../io/archive/directory.ts'
import { holdLock } from '../../store/sqlite/files.ts'
import { type DestinationRow, openDeliveryState } from '../delivery/state.ts'

/** A directory on this machine that `collect` delivers to. It may be missing now. */
export interface OwnArchive {
  path: string
  /** When it last got something, in ms. Null if it never did. */
  deliveredMs: number | null
  /** How many bytes of each file it has, by path. Empty unless asked for. */
  files: ReadonlyMap<string, number>
}

/** The directories on this machine that `collect` delivers to, the most recently filled first. */
export function ownArchives(dataFolder: string, needs: { files: boolean }): OwnArchive[] {
  const path = join(dataFolder, 'collect.sqlite')
  if (!existsSync(path)) return []
  const state = openDeliveryState(path)
  try {
    return state
      .destinations()
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ id, url, lastSuccessMs }) => ({
        path: url.slice('file:'.length),
        deliveredMs: lastSuccessMs,
        files: needs.files ? filesOf(id) : new Map<string, number>(),
      }))
      .sort((one, other) => (other.deliveredMs ?? 0) - (one.deliveredMs ?? 0))
  } finally {
    state.close()
  }

  function filesOf(id: DestinationRow['id']): Map<string, number> {
    const files = new Map<string, number>()
    for (const { facts, checkpoint } of state.checkpoints(id).values()) {
      const bytes = checkpoint.tailSent === undefined ? checkpoint.offset : checkpoint.size
      files.set(facts.path, Math.max(bytes, files.get(facts.path) ?? 0))
    }
    return files
  }
}

/** Whether a directory is an archive now: its disk may be missing, or something else may be mounted there. */
export function isArchive(folder: string): boolean {
  try {
    return stateOf(folder).type === 'archive'
  } catch {
    // It cannot be read.
    return false
  }
}

/**
 * Holds the lock of an archive for writing to it. Throws a `ScrollbackError` if another process holds it, or
 * if something else has its name.
 */
export function lockArchive(folder: string): { release(): void } {
  const lock = tryToLock(folder)
  if (lock) return lock
  throw new ScrollbackError(
    'unreadable',
    `Another process is writing to ${folder}.`,
    'Wait until it ends or stop it, then run the command again.',
  )
}

function tryToLock(folder: string): ReturnType<typeof holdLock> {
  try {
    refuseForeignLock(folder)
    return holdLock(join(folder, LOCK))
  } catch (error) {
    if (error instanceof ArchiveFault)
      throw new ScrollbackError('unreadable', error.message, error.wayOut, error)
    if (!(error instanceof ScrollbackError) || error.code !== 'store-unreadable') throw error
    throw new ScrollbackError(
      'unreadable',
      `The archive ${folder} cannot be written.`,
      'Run the command as a user who may write there, or name another folder.',
      error,
    )
  }
}
