import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type SchemaVersion, schemaOf } from './agent-schemas.ts'

/** A row as it is written: a number, and text or a frame, of any type. */
export interface LooseRow {
  seq: SQLInputValue
  text?: SQLInputValue
  packed?: SQLInputValue
}

/** An agent's database that does not check its content, as after damage or changes by other programs. */
export function looseDatabase(state: string, version: SchemaVersion) {
  const path = join(state, 'agents/main/agent/openclaw-agent.sqlite')
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const schema = schemaOf(version)
    .replaceAll(') STRICT;', ');')
    // All of them, including session ids, times and frames.
    .replaceAll(/(?<! IS) NOT NULL/g, '')
  database.exec(`PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF; ${schema}`)
  const packed = version >= 23
  const insert = database.prepare(
    packed
      ? 'INSERT OR IGNORE INTO transcript_events (session_id, seq, event_json, event_zstd, created_at) VALUES (?, ?, ?, ?, 0)'
      : 'INSERT OR IGNORE INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, 0)',
  )
  const table = version === 4 ? 'sessions' : 'session_windows'
  const begin = database.prepare(
    `INSERT INTO ${table} (session_id, session_key, created_at, updated_at, display_name) VALUES (?, ?, ?, ?, ?)`,
  )
  return {
    path,
    database,
    /** The number of its rows. A number that occurs twice counts once. */
    session(id: string, rows: readonly LooseRow[], about: Record<string, SQLInputValue> = {}): number {
      const { key = `agent:main:${id}`, created = 1, updated = 2, name = null } = about
      begin.run(id, key, created, updated, name)
      let count = 0
      for (const { seq, text = null, packed: frame = null } of rows)
        count += Number(insert.run(...[id, seq, text, ...(packed ? [frame] : [])]).changes)
      return count
    },
    close: (): void => database.close(),
  }
}
