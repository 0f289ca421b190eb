import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refresh } from '../../src/collect/index/refresh.ts'
import { finish } from '../../src/model/iteration.ts'
import { parseQuery } from '../../src/search/query.ts'
import type { Store } from '../../src/store/store.ts'
import { claude, put, temporaryHome, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const NOW = Date.UTC(2026, 10, 20)

/** A message of a day, or one without a time. */
const said = (number: number, day?: string, session = 0) => ({
  ...claude.user(number, `Fern ${number}`, { sessionId: uuid(session) }),
  timestamp: day === undefined ? undefined : `${day}T10:00:00.000Z`,
})

/** Messages that match, the newest first, and their number. */
function found(store: Store, words: string): string[] {
  const query = parseQuery(words, NOW, (day) => Date.parse(day))
  const { hits, total } = store.search({ query, limit: 50, sort: 'newest', now: NOW })
  const days = Array.from(
    hits,
    ({ text, at }) =>
      `${text} ${at === undefined ? 'without a time' : new Date(at).toISOString().slice(0, 10)}`,
  )
  return [...days, `${total} in all`]
}

describe.each(namedEngines)('messages of many months in %s', (_, engine) => {
  it('are found from the newest to the oldest, each once, and counted', () => {
    const folder = join(temporaryHome(), 'claude')
    const at = (number: number): string => join(folder, 'projects/-home-ann-garden', `${uuid(number)}.jsonl`)
    const shared = [said(3, '2026-11-02'), said(4, '2025-12-31')]
    put(at(0), [said(1, '2019-02-01'), said(2), ...shared])
    // A fork with two of these messages, and its own.
    put(at(20), [...shared, said(21, '2026-10-31', 20), said(22, '2024-05-20', 20)])
    put(at(30), [said(31, '2026-08-01', 30), said(32, '2026-11-01', 30), said(33, '2027-03-01', 30)])
    const store = engine.open()
    refresh(store, { environment: claudeAt(folder), now: NOW, threads: () => 1, faultOf: String })
    finish(store.indexWords())
    expect(found(store, 'fern')).toEqual([
      ...['Fern 33 2027-03-01', 'Fern 3 2026-11-02', 'Fern 32 2026-11-01', 'Fern 21 2026-10-31'],
      ...['Fern 31 2026-08-01', 'Fern 4 2025-12-31', 'Fern 22 2024-05-20', 'Fern 1 2019-02-01'],
      ...['Fern 2 without a time', '9 in all'],
    ])
    expect(found(store, 'fern before:2026-11-02 after:2024-06-01')).toEqual([
      ...['Fern 32 2026-11-01', 'Fern 21 2026-10-31', 'Fern 31 2026-08-01', 'Fern 4 2025-12-31', '4 in all'],
    ])
    store.forget([store.known().get(at(30))!.id])
    expect(found(store, 'fern')).toEqual([
      ...['Fern 3 2026-11-02', 'Fern 21 2026-10-31', 'Fern 4 2025-12-31', 'Fern 22 2024-05-20'],
      ...['Fern 1 2019-02-01', 'Fern 2 without a time', '6 in all'],
    ])
    store.close()
  })
})
