import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isLocked, openReadOnly, PATIENCE_MS } from '../io/sqlite.ts'
import { CONNECTION_STATEMENTS, SCHEMA_STATEMENTS } from './database-statements.ts'

/** A database of a client, open for reading, and its schema. */
export interface Connection {
  database: DatabaseSync
  /** The existing columns, by table. */
  tables: ReadonlyMap<string, ReadonlySet<string>>
}

interface Held extends Connection {
  /** Opened as immutable: does not see later writes, and may be wrong if there are any. */
  frozen: boolean
  /** The state of the files when the database was opened. */
  state: string
  /** The number of current readers. All of them see the same snapshot. */
  holders: number
}

/** How often a question is asked again if the database was written to meanwhile. */
const TRIES = 3

/**
 * The connections of a platform, which stay open between sessions. `columns`: the statement for the columns
 * of the tables that it reads; see `columnsOf`.
 */
export function createConnections(columns: string) {
  const open = new Map<string, Held>()
  /** When a database was last found locked, so that consecutive reads wait only once. */
  const lockedAt = new Map<string, number>()

  function connectionTo(path: string): Held {
    const known = open.get(path)
    if (known && (known.holders > 0 || known.state === stateOf(path, known.frozen))) return known
    known?.database.close()
    const patience = Date.now() - (lockedAt.get(path) ?? 0) < PATIENCE_MS ? 0 : PATIENCE_MS
    const before = stateOf(path, true)
    const { database, frozen } = openReadOnly(path, patience)
    const state = frozen ? before : stateOf(path, false)
    const connection: Held = { database, tables: new Map(), frozen, state, holders: 0 }
    open.set(path, connection)
    return connection
  }

  /**
   * Opens a snapshot of a database until it is released. Later writes are not visible in it. Throws engine
   * errors if the database cannot be read or is locked for more than five seconds. `release` throws if what
   * was read may be inconsistent.
   */
  function hold(path: string): { connection: Connection; release(): void } {
    const connection = connectionTo(path)
    if (connection.holders === 0)
      try {
        connection.database.exec(CONNECTION_STATEMENTS.begin)
        connection.tables = tablesOf(connection.database, columns)
      } catch (error) {
        open.delete(path)
        connection.database.close()
        if (isLocked(error)) lockedAt.set(path, Date.now())
        throw error
      }
    connection.holders++
    let held = true
    const release = (): void => {
      if (!held) return
      held = false
      if (--connection.holders === 0) connection.database.exec(CONNECTION_STATEMENTS.end)
      if (connection.frozen && connection.state !== stateOf(path, true)) throw changed()
    }
    return { connection, release }
  }

  /** Asks a question on one snapshot of a database. */
  function ask<Answer>(path: string, question: (connection: Connection) => Answer): Answer {
    for (let left = TRIES; ; left--) {
      const { connection, release } = hold(path)
      try {
        try {
          return question(connection)
        } finally {
          release()
        }
      } catch (error) {
        if (left === 1 || (error as NodeJS.ErrnoException).code !== CHANGED) throw error
      }
    }
  }

  function closeConnections(): void {
    for (const [path, { database, holders }] of open) {
      if (holders > 0) continue
      database.close()
      open.delete(path)
    }
  }

  return { hold, ask, closeConnections }
}

const CHANGED = 'ERR_WRITTEN_MEANWHILE'
const changed = (): Error => Object.assign(new Error('it was written while it was read'), { code: CHANGED })

/** The columns that exist of the tables that a statement names. */
export function tablesOf(database: DatabaseSync, statement: string): Connection['tables'] {
  const tables = new Map<string, Set<string>>()
  for (const { name, column } of database.prepare(statement).all())
    tables.set(String(name), (tables.get(String(name)) ?? new Set()).add(String(column)))
  return tables
}

/** Whether a table exists with these columns. */
export const hasColumns = (
  { tables }: Pick<Connection, 'tables'>,
  table: string,
  ...names: readonly string[]
): boolean => names.every((name) => tables.get(table)?.has(name))

/**
 * Names under which a later version may keep sessions: those of today with a number, and other usual ones.
 */
const LATER =
  /^(?:sessions?|messages?|parts?|turns?|threads?|conversations?|transcripts?)(?:_[a-z_]+?)?_?v?\d+$|^(?:messages|parts|session_parts?|turns?|threads?|transcripts?)$/i

/**
 * What a database contains that this version does not know, in words: tables that may have sessions, beside
 * those of a known version, and a later schema than `schema`. Undefined if there is nothing like that.
 */
export function unknownIn(
  { database }: Connection,
  { known, schema = Number.POSITIVE_INFINITY }: { known: readonly string[]; schema?: number },
): string | undefined {
  const names = database
    .prepare(SCHEMA_STATEMENTS.names)
    .all()
    .map(({ name }) => String(name))
  const later = names.filter((name) => LATER.test(name) && !known.includes(name))
  const version = Number(database.prepare(SCHEMA_STATEMENTS.version).get()?.version)
  const words = [
    ...(later.length > 0 ? [`tables that this version does not know (${later.join(', ')})`] : []),
    ...(version > schema ? [`schema ${version}, and this version knows those up to ${schema}`] : []),
  ]
  if (words.length === 0) return undefined
  return `a database with ${words.join(', and ')}: sessions may be missing. A newer client needs a newer scrollback.`
}

/**
 * Identifies the file. For an immutable connection it also changes with every commit or checkpoint, in the
 * database and its logs.
 */
function stateOf(path: string, whole: boolean): string {
  return (whole ? ['', '-wal', '-journal'] : [''])
    .map((part) => {
      const stats = statSync(path + part, { throwIfNoEntry: false })
      if (!stats) return ''
      return `${stats.dev}:${stats.ino}${whole ? ` ${stats.size} ${stats.mtimeMs}` : ''}`
    })
    .join(' ')
}
