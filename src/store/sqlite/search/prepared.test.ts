import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { prepared } from './prepared.ts'

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
