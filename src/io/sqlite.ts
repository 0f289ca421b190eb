import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { opened } from './source.ts'

/** Nobody waits longer for a database that another program has locked. */
export const PATIENCE_MS = 5000

/**
 * Opens a database in place: it is never copied, for it may hold secrets in tables nobody asks for.
 *
 * A reader of a write-ahead database makes the files `-wal` and `-shm` where they are missing. Unless rows stand in the log alone
 * the database is then opened as immutable instead, so that nothing is left behind in a folder that is not ours; such a
 * connection is `frozen`: it takes no lock, and what is written later it does not see, or sees in part.
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
/** What the engine says of a database, by its primary codes, and what can be done about it. */
const FAULTS: Record<number, [what: string, then: string]> = {
  [BUSY]: [
    'another program has locked it for more than five seconds',
    'Ask again when that program is done.',
  ],
  [LOCKED]: [
    'another program has locked it for more than five seconds',
    'Ask again when that program is done.',
  ],
  8: ['the log beside it has to be worked off first', 'Start the program it belongs to once, and ask again.'],
  11: [
    'it is damaged',
    'What was read of it before is kept; the program it belongs to may be able to mend it.',
  ],
  14: ['it cannot be opened', 'Look whether you may read it and the folder it is in.'],
  26: ['it is no database', 'Put back what stood there, or move it away.'],
}
const OTHER = 'What was read of it before is kept.'

const codeOf = (error: unknown): number => ((error as { errcode?: number })?.errcode ?? 0) & 0xff

export const isLocked = (error: unknown): boolean => [BUSY, LOCKED].includes(codeOf(error))

/** Why a database cannot be read, in words, and what can be done about it. */
export function databaseFault(error: unknown): { what: string; then: string } {
  const [what, then] = FAULTS[codeOf(error)] ?? [
    error instanceof Error ? error.message : String(error),
    OTHER,
  ]
  return { what, then }
}
