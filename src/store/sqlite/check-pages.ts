import type { DatabaseSync } from 'node:sqlite'
import { isBusy, isFull, isReadOnly } from './faults.ts'

const EVERY_MS = 24 * 3_600_000
const CORRUPT = 11

/**
 * Looks at every page of the database, once a day: what lies on a page that no question reads would be found damaged when it is
 * needed, and by then the transcripts may be gone. Throws what the engine throws of a damaged database.
 */
export function checkPages(database: DatabaseSync, nowMs: number): void {
  const last = Number(database.prepare('SELECT at FROM checked').get()?.at ?? 0)
  // A clock that was set back must not put the next look off.
  if (last <= nowMs && nowMs - last < EVERY_MS) return
  const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})
  if (found !== 'ok')
    throw Object.assign(new Error(String(found)), { code: 'ERR_SQLITE_ERROR', errcode: CORRUPT })
  try {
    database.prepare('INSERT OR REPLACE INTO checked (id, at) VALUES (1, ?)').run(nowMs)
  } catch (error) {
    // Another process writes, or nothing can be written: the next command looks again.
    if (!isBusy(error) && !isFull(error) && !isReadOnly(error)) throw error
  }
}
