import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Session } from '../../src/model/session.ts'

/** Deletes a session as its client does: its file, or its rows in a database. */
export function deleteSession({ path, id }: Pick<Session, 'path' | 'id'>): void {
  const [file] = path.split('#') as [string]
  if (file === path) rmSync(path)
  else deleteRows(file, id)
}

const TABLES = [
  ['part', 'session_id'],
  ['message', 'session_id'],
  ['session_message', 'session_id'],
  ['session', 'id'],
  ['session_v2', 'id'],
] as const

/** Deletes a session from a database of OpenCode. */
export function deleteRows(file: string, id: string): void {
  const database = new DatabaseSync(file)
  const names = new Set(
    database
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  )
  for (const [table, column] of TABLES)
    if (names.has(table)) database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(id)
  database.close()
}
