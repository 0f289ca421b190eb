import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createTables } from './schema.ts'
import { createTitleList, TITLES } from './search.ts'

function sessions(...rows: object[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  createTables(database)
  const insert = database.prepare('INSERT INTO session (row) VALUES (?)')
  for (const row of rows) insert.run(JSON.stringify(row))
  return database
}

it('titles are listed unless they repeat the first words', () => {
  const database = sessions(
    { title: 'Mend the fence', firstHuman: 'The fence fell over', lastActivityMs: 5 },
    { title: 'Count the eggs', firstHuman: 'Count the eggs' },
    { title: 'Count the eggs in the barn …', firstHuman: ' Count the  eggs in the barn …  and tell me' },
    { title: 'Only a title' },
    { firstHuman: 'No title' },
  )
  const titles = [...createTitleList(database, () => '')()]
  expect(titles.map(({ artifact, title, at }) => ({ artifact, title, at }))).toEqual([
    { artifact: 3, title: 'Count the eggs in the barn …', at: null },
    { artifact: 1, title: 'Mend the fence', at: 5 },
    { artifact: 4, title: 'Only a title', at: null },
  ])
})

it('titles are read from an index that covers them', () => {
  const { detail } = sessions().prepare(`EXPLAIN QUERY PLAN ${TITLES}`).get()!
  expect(detail).toMatch(/USING (?:COVERING )?INDEX session_title/)
})
