import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { createTables } from './schema.ts'
import { prepareWrite } from './write-statement.ts'

describe('a write statement of the store', () => {
  const database = new DatabaseSync(':memory:')
  createTables(database)
  const run = (sql: string, ...values: SQLInputValue[]) => prepareWrite(database, sql).run(...values)

  it('can delete several messages from the index on every version of Node', () => {
    // All three are in one segment of FTS5, so only the first DELETE also writes the record with id 10.
    database.exec('BEGIN')
    for (const id of [1, 2, 3])
      run('INSERT INTO spoken (rowid, text, facet) VALUES (?, ?, ?)', id, 'moss', 'w0')
    database.exec('COMMIT')
    for (const id of [1, 2, 3]) run('DELETE FROM spoken WHERE rowid = ?', id)
    const rowId = database.prepare('SELECT last_insert_rowid() > ? AS large')
    expect(rowId.get(Number.MAX_SAFE_INTEGER)).toEqual({ large: 1 })
  })

  it('can update another table afterwards', () => {
    expect(run('UPDATE tool SET name = ?', 'Write')).toMatchObject({ changes: 0n })
  })

  it('returns the id of the row that it inserted', () => {
    expect(run('INSERT INTO tool (name) VALUES (?)', 'Grep')).toEqual({ changes: 1n, lastInsertRowid: 1n })
  })

  it('is prepared by prepareWrite wherever the store changes rows', () => {
    const folder = import.meta.dirname
    const writes = /\.prepare\(\s*(['"`])(?:INSERT|UPDATE|DELETE|REPLACE)(?:(?!\1).)*\1/gs
    const others = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').match(writes) ?? [])
      .filter((statement) => !statement.includes('RETURNING'))
    expect(others).toEqual([])
  })
})
