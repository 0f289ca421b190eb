import { closeSync, openSync, truncateSync } from 'node:fs'
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
    closeSync(openSync(path, 'a', 0o600))
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    // There is nothing in it that could be lost.
    if (isDamage(error)) truncateSync(path)
    else throw storeFault(error, path)
  }
  return acquire(path)
}
