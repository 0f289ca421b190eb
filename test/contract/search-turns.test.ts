import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { finish } from '../../src/model/steps.ts'
import { parseQuery } from '../../src/search/parse-query.ts'
import type { SearchRequest } from '../../src/store/search.ts'
import type { Store } from '../../src/store/store.ts'
import { inTurns } from '../../src/surfaces/turns.ts'
import { claude, put, uuid } from '../records.ts'
import { claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const MESSAGES = 12_000

const home = mkdtempSync(join(tmpdir(), 'scrollback-turns-'))

function writeSession(): void {
  const textOf = (number: number): string => `Number ${number} of many: tall_three_tree ${'leaf '.repeat(60)}`
  put(
    join(home, 'projects/-home-ann-garden', `${uuid(0)}.jsonl`),
    Array.from({ length: MESSAGES }, (_, number) => claude.user(number + 1, textOf(number))),
  )
}
afterAll(() => rmSync(home, { recursive: true }))

const requestFor = (query: string): SearchRequest => ({
  query: parseQuery(query, 0, () => undefined),
  ...{ limit: 10_000, enough: 5, now: 0 },
})

/** Counts the messages that are read from now on. */
function countRows(): { read: number } {
  const counted = { read: 0 }
  const { all, iterate } = StatementSync.prototype
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...given) {
    const rows = all.apply(this, given)
    counted.read += rows.length
    return rows
  })
  vi.spyOn(StatementSync.prototype, 'iterate').mockImplementation(function (this: StatementSync, ...given) {
    return iterate.apply(this, given).map((row) => {
      counted.read++
      return row
    })
  })
  return counted
}

/** From now on, every step takes long, however fast the machine is. */
function takeLong(): void {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
}

describe.each(namedEngines)('a search in steps on %s', (name, engine) => {
  let store: Store
  beforeAll(() => {
    writeSession()
    store = indexOn(engine, claudeAt(home))
  }, 120_000)
  afterAll(() => store.close())

  it.each(['many', 'all_three_tre', 'lea OR many'])(
    'for %s returns the same as one at once',
    async (query) => {
      const { hits, sessions, ...rest } = finish(store.searchInSteps(requestFor(query)))
      const inTime = await inTurns(store.searchInSteps(requestFor(query)))
      expect(inTime).toMatchObject(rest)
      expect(inTime.sessions()).toEqual(sessions())
      expect(Iterator.from(inTime.hits).take(20).toArray()).toEqual(Iterator.from(hits).take(20).toArray())
      expect(rest.total).toBeGreaterThan(1000)
    },
  )

  const isCounted = name === 'SQLite'
  it.runIf(isCounted).each(['many', 'all_three_tre'])(
    'for %s reads no more after it is cancelled',
    async (query) => {
      const counted = countRows()
      try {
        finish(store.searchInSteps(requestFor(query)))
        const whole = counted.read
        counted.read = 0
        takeLong()
        const stop = new AbortController()
        const search = inTurns(store.searchInSteps(requestFor(query)), stop.signal)
        stop.abort(new Error('enough'))
        await expect(search).rejects.toThrow('enough')
        const { read } = counted
        expect(read).toBeLessThan(whole / 2)
        await pass(20)
        expect(counted.read).toBe(read)
      } finally {
        vi.restoreAllMocks()
      }
      expect(store.search(requestFor('many')).total).toBeGreaterThan(1000)
    },
  )

  it('lets other work run between the steps', async () => {
    let turns = 0
    const other = (): void => {
      turns++
      next = setImmediate(other)
    }
    let next = setImmediate(other)
    takeLong()
    try {
      await inTurns(store.searchInSteps(requestFor('many')))
    } finally {
      vi.restoreAllMocks()
      clearImmediate(next)
    }
    expect(turns).toBeGreaterThan(1)
  })
})
