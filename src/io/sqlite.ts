import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { opened } from './source.ts'

/** Nobody waits longer for a database that another program has locked. */
const PATIENCE_MS = 5000

/**
 * Opens a database in place: it is never copied, for it may hold secrets in tables nobody asks for.
 *
 * A reader of a write-ahead database makes the files `-wal` and `-shm` where they are missing. Unless rows stand in the log alone
 * the database is then opened as immutable instead, so that nothing is left behind in a folder that is not ours; such a
 * connection is `frozen`: what is written later it does not see.
 */
export function openReadOnly(path: string): { database: DatabaseSync; frozen: boolean } {
  opened.listener?.(path)
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log && (log.size > 0 || existsSync(`${path}-shm`)))
    return { database: new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS }), frozen: false }
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return { database: new DatabaseSync(url, { readOnly: true }), frozen: true }
}
