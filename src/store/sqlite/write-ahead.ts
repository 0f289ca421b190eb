import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './faults.ts'

const LOOK_AGAIN_MS = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Lets a database be read while it is written. Of several processes that make it at the same time one may be refused at once, without
 * the engine's own patience: it asks again for that long. Throws what the engine does.
 */
export function useWriteAhead(database: DatabaseSync, patienceMs: number): void {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, LOOK_AGAIN_MS)
    }
  }
}
