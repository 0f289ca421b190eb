import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openReadOnly } from '../../../io/sqlite.ts'
import { STATEMENTS } from './statements.ts'

/** A database of an agent, open for reading, and what its schema has. */
export interface Connection {
  database: DatabaseSync
  /** By table, the columns there are. */
  tables: ReadonlyMap<string, ReadonlySet<string>>
}

/** They stay open from one session to the next, and are let go of together. */
const open = new Map<string, Connection & { state?: string }>()
const outdated: DatabaseSync[] = []

/** Throws the engine's error where it cannot be opened, or is locked for longer than five seconds. */
export function connectionTo(path: string): Connection {
  const known = open.get(path)
  if (known && (known.state === undefined || known.state === stateOf(path))) return known
  if (known) outdated.push(known.database)
  const state = stateOf(path)
  const { database, frozen } = openReadOnly(path)
  try {
    const tables = tablesOf(database)
    const connection = { database, tables, ...(frozen ? { state } : {}) }
    open.set(path, connection)
    return connection
  } catch (error) {
    database.close()
    throw error
  }
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
  for (const { database } of open.values()) database.close()
  for (const database of outdated) database.close()
  open.clear()
  outdated.length = 0
}

/** Size, time and number of the database and of the log beside it: what a commit or a checkpoint changes. */
function stateOf(path: string): string {
  return ['', '-wal']
    .map((part) => {
      const stats = statSync(path + part, { throwIfNoEntry: false })
      return stats ? `${stats.size} ${stats.mtimeMs} ${stats.ino}` : ''
    })
    .join(' ')
}

/** Why a database cannot be read, in words. */
export function reasonOf(error: unknown): string {
  const { errcode = 0 } = error as { errcode?: number }
  const known: Record<number, string> = {
    5: 'another program has locked it for more than five seconds',
    6: 'another program has locked it for more than five seconds',
    11: 'it is damaged',
    14: 'it cannot be opened',
    26: 'it is no database',
  }
  return known[errcode & 0xff] ?? (error instanceof Error ? error.message : String(error))
}
