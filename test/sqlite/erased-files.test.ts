import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { finish } from '../../src/model/iteration.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { demo } from '../contract/subjects.ts'
import { sharedHome } from '../records.ts'
import { keep, storedContent } from '../stores.ts'

const top = sharedHome()

it('erasing files from a store leaves the store of the other files, and no byte of the erased ones', () => {
  const path = join(top, 'store.sqlite')
  const { store } = openSqliteStore(path, 0)
  const artifacts = demo()
    .map(({ artifact }) => artifact)
    .filter(({ platform, database }) => platform === 'claude-code' && database === undefined)
  for (const artifact of artifacts) keep(store, artifact)
  finish(store.indexWords())
  const [erased, ...others] = artifacts
  const wordsOfAll = (kept: typeof artifacts): Set<string> =>
    new Set(
      kept.flatMap(
        ({ path }) =>
          readFileSync(path, 'utf8')
            .toLowerCase()
            .match(/[a-z]{5,40}/g) ?? [],
      ),
    )
  const elsewhere = wordsOfAll(others)
  const messages = store.statistics().messages
  const said = store.messages(erased!.path).flatMap(({ text }) => text?.match(/[a-z]{5,40}/gi) ?? [])
  const lonely = [...new Set(said.map((word) => word.toLowerCase()))].filter((word) => !elsewhere.has(word))
  expect(lonely.length).toBeGreaterThan(0)
  const result = store.erase([store.known().get(erased!.path)!.id])
  expect(result.messages).toBe(messages - store.statistics().messages)
  expect(result.messages).toBeGreaterThan(0)
  expect(result.words).toBeGreaterThan(0)
  expect(store.known().has(erased!.path)).toBe(false)
  const alone = openSqliteStore(join(top, 'alone.sqlite'), 0).store
  for (const artifact of others) keep(alone, artifact)
  for (const { path } of others) expect(storedContent(store, path)).toEqual(storedContent(alone, path))
  finish(alone.indexWords())
  alone.close()
  store.close()
  const bytesOf = (name: string): string => readFileSync(join(top, name), 'latin1').toLowerCase()
  const bytes = bytesOf('store.sqlite')
  const own = bytesOf('alone.sqlite')
  expect(lonely.filter((word) => bytes.includes(word) && !own.includes(word))).toEqual([])
  expect(bytes).not.toContain(erased!.sessionId)
})
