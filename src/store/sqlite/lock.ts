import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy, isDamage, storeFault } from './faults.ts'

/**
 * Runs `work` while no other process may write. The lock is a transaction on a small database next to the
 * store. The system releases it when the process ends, however it ends, so there are no stale locks. Returns
 * undefined if another process holds the lock.
 */
export function withLock<Result>(path: string, work: () => Result): { result: Result } | undefined {
  const lock = acquire(path)
  if (!lock) return undefined
  try {
    return { result: work() }
  } finally {
    lock.close()
  }
}

/** The same for long work. The lock is held until `release`. Undefined if another process holds it. */
export function holdLock(path: string): { release(): void } | undefined {
  const lock = acquire(path)
  return lock && { release: () => lock.close() }
}

function acquire(path: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    make(path)
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    // The lock file contains no data that could be lost.
    if (isDamage(error)) make(path, true)
    else throw storeFault(error, path)
  }
  return acquire(path)
}

const { O_RDWR, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Creates the file if needed, and truncates it if `empty` is set. Refuses links and files with a second name.
 */
function make(path: string, empty = false): void {
  const descriptor = opened(path)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw notOurs(path)
    if (!empty) return
    if (stats.nlink > 1) throw notOurs(path)
    ftruncateSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ELOOP' || code === 'EMLINK' ? notOurs(path) : error
  }
}

const notOurs = (path: string): Error =>
  Object.assign(new Error(`${path} is not a lock file of scrollback`), { code: 'ERR_NOT_OURS' })
