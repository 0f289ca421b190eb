import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './faults.ts'

const RETRY_MS = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Enables write-ahead logging, so that the database can be read while it is written. If several processes
 * create it at once, SQLite may refuse one of them without waiting. This function retries for `patienceMs`,
 * then throws SQLite's error.
 */
export function useWriteAhead(database: DatabaseSync, patienceMs: number): void {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}
