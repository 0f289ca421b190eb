import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { opened } from './source.ts'

/**
 * How many rows the first of `tables` that exists holds; undefined when none does. The database is read in place,
 * never copied: it may hold secrets in tables nobody names here. Throws the engine's error when it cannot be read.
 */
export function countRows(path: string, tables: readonly string[]): number | undefined {
  const database = openReadOnly(path)
  try {
    const has = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    const table = tables.find((name) => has.get(name))
    if (table === undefined) return undefined
    return Number(database.prepare(`SELECT count(*) AS rows FROM "${table}"`).get()?.rows)
  } finally {
    database.close()
  }
}

/**
 * A reader of a write-ahead database makes the files `-wal` and `-shm` where they are missing. Then the database is
 * opened as immutable instead, so that nothing is left behind in a folder that is not ours.
 */
function openReadOnly(path: string): DatabaseSync {
  opened.listener?.(path)
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  if (existsSync(`${path}-wal`) && existsSync(`${path}-shm`))
    return new DatabaseSync(path, { readOnly: true })
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
