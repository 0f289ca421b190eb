import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseQuery } from '../../src/search/parse-query.ts'
import { claude, put, sharedHome, text, uuid } from '../records.ts'
import { claudeAt, freshIndex } from '../store-audit.ts'

const folder = sharedHome()

/** More than the newest that are always ranked, and few enough to rank all. */
const MATCHES = 590
const NOW = Date.UTC(2026, 0, 2)

it('ranks some hundred matches, however old they are', () => {
  const lines = Array.from({ length: MATCHES }, (_, number) => ({
    ...claude.reply(number, [
      text(number === 0 ? 'fern fern fern' : `one more fern in row ${number} of the garden`),
    ]),
    parentUuid: number > 0 ? uuid(number - 1) : null,
    timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  }))
  put(join(folder, 'projects/-srv-garden', `${uuid(90_000)}.jsonl`), lines)
  const store = freshIndex(claudeAt(folder), join(folder, 'store.sqlite'))
  const query = parseQuery('fern', NOW, () => undefined)
  const { hits, total } = store.search({ query, limit: 20, enough: 20, now: NOW })
  expect(total).toBe(MATCHES)
  expect([...hits][0]?.text).toBe('fern fern fern')
  store.close()
})
