import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy, isDamage, storeFault } from './faults.ts'

/**
 * Runs `work` while this is the only process that may write. The lock is the system's own on a small database beside the
 * store: it goes with the process that held it, however that ended, so nobody has to judge whether a holder is dead. Undefined
 * when another one holds it.
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

/** The same for work that takes its time: held until it is released. Undefined when another process holds it. */
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
    // There is nothing in it that could be lost.
    if (isDamage(error)) make(path, true)
    else throw storeFault(error, path)
  }
  return acquire(path)
}

const { O_RDWR, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Makes it where it is not there, and empties it where that is wanted. A link, or a file with a second name, is left alone. */
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
  Object.assign(new Error(`${path} is no lock of ours`), { code: 'ERR_NOT_OURS' })
