import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/query.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, claudeAt } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const NOW = Date.UTC(2027, 0, 1)
const timestamp = '2026-11-20T08:00:00.000Z'

const found = (store: Store, query: string, sort?: 'newest'): string[] => {
  const asked = { query: parseQuery(query, 0, () => undefined), limit: 20, now: NOW }
  return Array.from(store.search({ ...asked, ...(sort && { sort }) }).hits, ({ text }) => text ?? '')
}

describe.each(namedEngines)('messages of one time on %s', (_, engine) => {
  it('are found in the order in which they were said, the last one first', () => {
    const home = temporaryHome()
    for (const session of [1, 2, 3])
      putClaude(
        home,
        uuid(session),
        Array.from({ length: 4 }, (_, index) =>
          claude.user(session * 10 + index, `The fern ${session} ${index}`, {
            sessionId: uuid(session),
            timestamp,
          }),
        ),
      )
    const environment = claudeAt(join(home, '.claude'))
    const [store, local] = [engine.open(), openSqliteStore(join(home, 'index.sqlite'), 0).store]
    for (const each of [store, local]) bringUpToDate(each, environment)
    expect(found(local, 'fern').slice(0, 2)).toEqual(['The fern 3 3', 'The fern 3 2'])
    for (const query of ['fern', 'fer', 'who:human']) {
      expect(found(store, query)).toEqual(found(local, query))
      expect(found(store, query, 'newest')).toEqual(found(local, query, 'newest'))
    }
    store.close()
    local.close()
  })
})
