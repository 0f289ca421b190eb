import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Runs `work` while this is the only process that may write. The lock is the system's own on a small database beside the
 * store: it goes with the process that held it, however that ended, so nobody has to judge whether a holder is dead. Undefined
 * when another one holds it.
 */
export function withLock<Result>(path: string, work: () => Result): { result: Result } | undefined {
  closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    try {
      lock.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      if (/locked|busy/i.test((error as Error).message)) return undefined
      throw error
    }
    return { result: work() }
  } finally {
    lock.close()
  }
}
