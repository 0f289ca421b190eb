import { copyFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makeFolders, partsOfFile } from '../own-files.ts'
import { isLocked, openReadOnly } from '../sqlite.ts'

/** A column of a client's database that contains paths of directories. */
export interface PathColumn {
  table: string
  column: string
}

/** A directory that has another path now. */
interface PathChange {
  from: string
  to: string
}

/** Another program has a database open. */
export class DatabaseInUse extends Error {
  readonly code = 'ERR_DATABASE_IN_USE'
}

/** How long to wait for a program that is about to close its database, in ms. */
const PATIENCE_MS = 500

/** Copies and the files that SQLite makes next to them. */
const BESIDE = ['', '-wal', '-shm', '-journal'] as const

/** Only names of columns that are known to the code become SQL. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The directory itself or one below it. Parameters: the path, and the same with a separator. */
const fitting = (column: string): string =>
  `(${quoted(column)} = :path OR substr(${quoted(column)}, 1, length(:above)) = :above)`

/**
 * The rows with a path that is `from` or below it. Columns that a version of the client lacks are skipped.
 */
export function rowsWithPath(path: string, columns: readonly PathColumn[], from: string): number {
  const { database } = openReadOnly(path)
  try {
    return existing(database, columns).reduce((sum, { table, column }) => {
      const statement = database.prepare(
        `SELECT count(*) AS count FROM ${quoted(table)} WHERE ${fitting(column)}`,
      )
      return sum + Number(statement.get({ path: from, above: `${from}/` })!.count)
    }, 0)
  } finally {
    database.close()
  }
}

const existing = (database: DatabaseSync, columns: readonly PathColumn[]): PathColumn[] =>
  columns.filter(
    ({ table, column }) =>
      database
        .prepare('SELECT 1 FROM pragma_table_info(:table) WHERE name = :column')
        .get({ table, column }) !== undefined,
  )

/**
 * Moves everything from the write-ahead log of a database into its file, so that the file alone is the whole
 * of it. Throws `DatabaseInUse` if another program has it open.
 */
export function closeLog(path: string): void {
  const database = opened(path)
  try {
    // An exclusive lock is given to the only connection.
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
    database.exec('COMMIT')
    const { busy = 0 } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
    if (busy !== 0) throw new DatabaseInUse(`${path} is in use`)
  } catch (error) {
    if (isLocked(error)) throw new DatabaseInUse(`${path} is in use`)
    throw error
  } finally {
    database.close()
  }
}

/**
 * The bytes of a database in which a path is replaced in some columns, in one transaction. The database
 * itself is not changed: `copy`, a path in a folder of ours, has the copy, which is deleted at the end. The
 * caller has called `closeLog`.
 */
export function* changedDatabase(
  path: string,
  columns: readonly PathColumn[],
  { from, to }: PathChange,
  copy: string,
): Generator<Uint8Array> {
  makeFolders(dirname(copy))
  try {
    copyFileSync(path, copy)
    const database = opened(copy)
    try {
      database.exec('BEGIN IMMEDIATE')
      for (const { table, column } of existing(database, columns))
        database
          .prepare(
            `UPDATE ${quoted(table)} SET ${quoted(column)} = :to || substr(${quoted(column)}, length(:path) + 1) WHERE ${fitting(column)}`,
          )
          .run({ to, path: from, above: `${from}/` })
      database.exec('COMMIT')
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    } finally {
      database.close()
    }
    yield* partsOfFile(copy)
  } finally {
    for (const ending of BESIDE) rmSync(`${copy}${ending}`, { force: true })
  }
}

function opened(path: string): DatabaseSync {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  return new DatabaseSync(path, { timeout: PATIENCE_MS })
}
