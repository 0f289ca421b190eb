import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { opened } from './source.ts'

/** How long to wait for a database that another program has locked. */
export const PATIENCE_MS = 5000

/**
 * Opens a database in place. It is never copied, because it may contain secrets in other tables.
 *
 * A reader of a write-ahead database creates missing `-wal` and `-shm` files. To leave no files in a foreign
 * folder, the database is opened as immutable if the log contains no rows. Such a connection is `frozen`: it
 * takes no lock, and sees later writes partially or not at all.
 */
export function openReadOnly(
  path: string,
  patience = PATIENCE_MS,
): { database: DatabaseSync; frozen: boolean } {
  opened.listener?.(path)
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  const busy = log ? log.size > 0 || existsSync(`${path}-shm`) : existsSync(`${path}-journal`)
  if (busy) return { database: new DatabaseSync(path, { readOnly: true, timeout: patience }), frozen: false }
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return { database: new DatabaseSync(url, { readOnly: true }), frozen: true }
}

const BUSY = 5
const LOCKED = 6
/** Descriptions and remedies by SQLite's primary result codes. */
const FAULTS: Record<number, [what: string, then: string]> = {
  [BUSY]: [
    'another program has locked it for more than five seconds',
    'Run the command again when that program has finished.',
  ],
  [LOCKED]: [
    'another program has locked it for more than five seconds',
    'Run the command again when that program has finished.',
  ],
  8: ['its write-ahead log must be applied first', 'Start its program once, then run the command again.'],
  11: [
    'it is damaged',
    'What was read before is still stored. The program it belongs to may be able to repair it.',
  ],
  14: ['it cannot be opened', 'Check that you may read the file and its folder.'],
  26: ['it is not a database', 'Restore the file, or move it away.'],
}
const OTHER = 'What was read before is still stored.'

const codeOf = (error: unknown): number => ((error as { errcode?: number })?.errcode ?? 0) & 0xff

export const isLocked = (error: unknown): boolean => [BUSY, LOCKED].includes(codeOf(error))

/** Why a database cannot be read, and what to do about it. */
export function databaseFault(error: unknown): { what: string; then: string } {
  const [what, then] = FAULTS[codeOf(error)] ?? [
    error instanceof Error ? error.message : String(error),
    OTHER,
  ]
  return { what, then }
}
