import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { finish } from '../../src/model/iteration.ts'
import type { Store } from '../../src/store/store.ts'
import { inTurns } from '../../src/surfaces/server-store.ts'
import { requestFor, takeLong, writeSession } from '../long-search.ts'
import { claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const home = mkdtempSync(join(tmpdir(), 'scrollback-turns-'))

afterAll(() => rmSync(home, { recursive: true }))

describe.each(namedEngines)('a search in steps on %s', (_, engine) => {
  let store: Store
  beforeAll(() => {
    writeSession(home)
    store = indexOn(engine, claudeAt(home))
  })
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
