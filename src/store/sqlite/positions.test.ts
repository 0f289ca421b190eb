import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { call, claude, put, temporaryHome, text, uuid } from '../../../test/records.ts'
import { bringUpToDate, claudeAt, secondConnection } from '../../../test/store-audit.ts'
import { parseQuery, type Query } from '../../search/query.ts'
import { openSqliteStore } from './open.ts'
import { createPositions } from './positions.ts'

const WORDS = ['fern', 'ferns', 'Farn', 'moss', 'tierThree', 'src/pot.ts', 'the', 'of', 'f', '登录页面']

const lines = Array.from({ length: 60 }, (_, number) => {
  const words = WORDS.filter((_, word) => (number * (word + 3) + (number >> 2)) % (word + 2) === 0).join(' ')
  const id = number + 1
  return [
    claude.user(id, `${words}?`),
    claude.reply(id, [call(`t${id}`, 'Read', { file_path: `/home/ann/${words.slice(0, 9)}` })]),
    claude.result(id, `t${id - 1}`, 'no such fern', true),
    claude.reply(id, [text(words)]),
  ][number % 4]!
})

const part = fc.constantFrom(
  ...[...WORDS, 'f*', 'fe*', 'o', 'ern', 'ier_th', 'pot.ts', '登录', '登', '"the of"', '-fern', '-"of the"'],
  ...[
    'or',
    'who:human',
    '-who:agent',
    'tool:read',
    '-tool:read',
    'file:pot',
    'file:fe',
    'file:ts',
    'file:ann/f',
    'file:/',
    '-file:fern',
    '-file:/',
    'file:登',
    'is:error',
    '-is:error',
  ],
  ...['has:question', 'after:2026-11-01T10:20', 'before:2026-11-01T10:40'],
)

it('the texts of a session and the index have the same matches at the same positions', () => {
  const home = temporaryHome()
  const path = put(join(home, 'claude/projects/-home-ann-garden', `${uuid(0)}.jsonl`), lines)
  put(join(home, 'claude/projects/-home-ann-garden', `${uuid(900)}.jsonl`), lines.slice(20, 40))
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  bringUpToDate(store, claudeAt(join(home, 'claude')))
  const database = secondConnection(store)
  const inTexts = createPositions(database).positions
  const inIndex = createPositions(database, 0).positions
  const parse = (asked: string): Query => parseQuery(asked, 0, Date.parse)
  let most = 0
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const found = inTexts(path, parse(parts.join(' ')))
      expect(found, parts.join(' ')).toEqual(inIndex(path, parse(parts.join(' '))))
      most = Math.max(most, found.length)
    }),
    { numRuns: 500 },
  )
  expect(most).toBeGreaterThan(20)
  database.close()
  store.close()
})
