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
  // The global `performance` would load modules that no command needs otherwise.
  const deadline = process.uptime() * 1000 + patienceMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || process.uptime() * 1000 > deadline) throw error
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}
