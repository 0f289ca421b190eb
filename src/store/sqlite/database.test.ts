import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { prepared, prepareWrite, translateFaults } from './database.ts'
import { createTables } from './schema.ts'

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

const translate = (error: unknown): Error => new Error(`translated: ${(error as Error).message}`)

const engine = translateFaults(
  {
    name: 'engine',
    read(): number {
      throw new Error('damaged')
    },
    *rows(): Generator<number, string> {
      yield 1
      throw new Error('damaged further back')
    },
    add: (one: number, other: number): number => one + other,
  },
  translate,
)

it('a wrapped object passes results and other members on', () => {
  expect(engine.name).toBe('engine')
  expect(engine.add(1, 2)).toBe(3)
})

it('a wrapped object translates an error of a method', () => {
  expect(() => engine.read()).toThrow('translated: damaged')
})

it('a wrapped object translates an error that occurs while rows are consumed', () => {
  const rows = engine.rows()
  expect(rows.next().value).toBe(1)
  expect(() => rows.next()).toThrow('translated: damaged further back')
})

const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => `SELECT ${at} AS n`)

it('a statement is prepared once for each connection', () => {
  const one = new DatabaseSync(':memory:')
  const other = new DatabaseSync(':memory:')
  const prepare = vi.spyOn(one, 'prepare')
  for (const text of [...numbers(20), ...numbers(20)])
    expect(prepared(one, text).get()).toEqual(prepared(other, text).get())
  expect(prepare).toHaveBeenCalledTimes(20)
})

it('a statement that was not used for long is prepared again', () => {
  const database = new DatabaseSync(':memory:')
  const prepare = vi.spyOn(database, 'prepare')
  for (const text of numbers(1000)) {
    expect(prepared(database, text).get()).toBeDefined()
    // The first stays in use.
    expect(prepared(database, 'SELECT 0 AS n').get()).toEqual({ n: 0 })
  }
  expect(prepare).toHaveBeenCalledTimes(1000)
  prepared(database, 'SELECT 1 AS n')
  expect(prepare).toHaveBeenCalledTimes(1001)
})
