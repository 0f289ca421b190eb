import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { databaseFault, isLocked, openReadOnly, PATIENCE_MS } from '../../../io/sqlite.ts'
import { STATEMENTS } from './statements.ts'

/** A database of an agent, open for reading, and what its schema has. */
export interface Connection {
  database: DatabaseSync
  /** By table, the columns there are. */
  tables: ReadonlyMap<string, ReadonlySet<string>>
}

interface Held extends Connection {
  /** Sees nothing that is written from now on, and may be wrong where something is. */
  frozen: boolean
  /** What the files were when it was opened. */
  state: string
  /** Who reads from it now: all of them see the same moment. */
  holders: number
}

/** They stay open from one session to the next. */
const open = new Map<string, Held>()
/** When a database was last found locked: in a row, it is waited for once. */
const lockedAt = new Map<string, number>()
/** So often a question is asked again that somebody wrote into. */
const TRIES = 3

/**
 * Holds a database as it is in this moment, until it is released: whatever is written meanwhile is seen later. Throws the engine's
 * error where it cannot be read, or is locked for longer than five seconds; on release, where what was read may be wrong.
 */
export function hold(path: string): { connection: Connection; release(): void } {
  const connection = connectionTo(path)
  if (connection.holders === 0)
    try {
      connection.database.exec(STATEMENTS.begin)
      connection.tables = tablesOf(connection.database)
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
    if (--connection.holders === 0) connection.database.exec(STATEMENTS.end)
    if (connection.frozen && connection.state !== stateOf(path, true)) throw changed()
  }
  return { connection, release }
}

/** An answer from one moment of a database. */
export function ask<Answer>(path: string, question: (connection: Connection) => Answer): Answer {
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

const CHANGED = 'ERR_WRITTEN_MEANWHILE'
const changed = (): Error => Object.assign(new Error('it was written while it was read'), { code: CHANGED })

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

function tablesOf(database: DatabaseSync): Connection['tables'] {
  const tables = new Map<string, Set<string>>()
  for (const { name, column } of database.prepare(STATEMENTS.columns).all()) {
    const columns = tables.get(String(name))
    if (columns) columns.add(String(column))
    else tables.set(String(name), new Set([String(column)]))
  }
  return tables
}

export function closeConnections(): void {
  for (const [path, { database, holders }] of open) {
    if (holders > 0) continue
    database.close()
    open.delete(path)
  }
}

/** Which file it is; for a frozen connection also what any commit or checkpoint changes, of it and of the logs beside it. */
function stateOf(path: string, whole: boolean): string {
  return (whole ? ['', '-wal', '-journal'] : [''])
    .map((part) => {
      const stats = statSync(path + part, { throwIfNoEntry: false })
      if (!stats) return ''
      return `${stats.dev}:${stats.ino}${whole ? ` ${stats.size} ${stats.mtimeMs}` : ''}`
    })
    .join(' ')
}

/** Why a database cannot be read, in words. */
export const reasonOf = (error: unknown): string => databaseFault(error).what
