import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { isTraditional } from '../../../search/characters.ts'
import { tokensOf } from '../../../search/words.ts'
import { migrate } from '../migrate.ts'
import { MIGRATIONS } from '../schema.ts'
import { indexAgain } from './index-again.ts'

it('an upgraded store finds traditional Chinese by a simplified query', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database, MIGRATIONS)
  for (const [id, text] of [
    [1, '登錄頁面'],
    [2, 'a plain one'],
  ] as const) {
    database
      .prepare(
        'INSERT INTO message (id, record, digest, artifact, line, who, text) VALUES (?, ?, 0, 1, 1, 0, ?)',
      )
      .run(id, id, text)
    database.prepare('INSERT INTO spoken (rowid, text, facet) VALUES (?, ?, ?)').run(id, text, 'w0 a1')
  }
  const find = (word: string) =>
    database
      .prepare('SELECT rowid AS id FROM spoken WHERE spoken MATCH ?')
      .all(`{text} : "${tokensOf(word).join(' ')}"`)
      .map(({ id }) => id)
  expect(find('登录页面')).toEqual([])
  indexAgain(database, isTraditional)
  expect(find('登录页面')).toEqual([1])
  expect(find('plain')).toEqual([2])
})
