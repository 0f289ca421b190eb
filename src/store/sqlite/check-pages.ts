import type { DatabaseSync } from 'node:sqlite'
import { isBusy, isFull, isReadOnly } from './faults.ts'
import { prepareWrite } from './write-statement.ts'

const EVERY_MS = 24 * 3_600_000
const CORRUPT = 11

/**
 * Checks every page of the database, once a day. Damage to a page that no query reads would otherwise be
 * found when the page is needed, and the transcripts may be gone by then. Throws the engine's error.
 */
export function checkPages(database: DatabaseSync, nowMs: number): void {
  const last = Number(database.prepare('SELECT at FROM checked').get()?.at ?? 0)
  // If the clock was set back, check now instead of postponing the check.
  if (last <= nowMs && nowMs - last < EVERY_MS) return
  const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})
  if (found !== 'ok')
    throw Object.assign(new Error(String(found)), { code: 'ERR_SQLITE_ERROR', errcode: CORRUPT })
  try {
    prepareWrite(database, 'INSERT OR REPLACE INTO checked (id, at) VALUES (1, ?)').run(nowMs)
  } catch (error) {
    // Another process is writing, or nothing can be written: the next command checks again.
    if (!isBusy(error) && !isFull(error) && !isReadOnly(error)) throw error
  }
}
