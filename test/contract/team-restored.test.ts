import { cpSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { SpaceAddress } from '../../src/store/team.ts'
import { differences } from '../clickhouse/audit.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, hitsFor } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'
import { machineStore, send } from './space.ts'

const OAK = { device: 'oak' }
const LATER_MS = 3_600_000

afterEach(() => void vi.useRealTimers())

/** A machine whose store can be another one, and a space. */
function machine() {
  const home = temporaryHome()
  const space = emptyServer()
  const read = (store: Store): void =>
    void bringUpToDate(store, {
      home: '/nowhere',
      variables: {},
      dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
    })
  const collect = (store: Store) => {
    read(store)
    return send(store, space, { ...OAK, now: Date.now() })
  }
  const session = (number: number, ...words: string[]): string =>
    putClaude(
      home,
      uuid(number),
      words.map((word, index) => claude.user(number * 100 + index, word, { sessionId: uuid(number) })),
    )
  return { home, space, read, collect, session }
}

/** The words of each session of a space, and how many hits a word has there. */
function reading(space: SpaceAddress) {
  const store = openClickHouseStore({ ...space, device: 'nobody' })
  const sessions = store.sessions().map(({ session }) => session.id)
  return {
    sessions: sessions.sort(),
    hits: (word: string) => hitsFor(store, word).map(({ session, copies }) => [session, copies.length]),
    close: () => store.close(),
  }
}

/** A copy of the file of a store, opened. */
function restored(from: string): Store {
  const folder = temporaryHome()
  cpSync(from, join(folder, 'index.sqlite'))
  return openSqliteStore(join(folder, 'index.sqlite'), 0).store
}

describe.runIf(hasServer)('a machine whose store is another one', () => {
  it('sends no words of one session as those of another from a store that was restored', () => {
    const { space, collect, session } = machine()
    const store = machineStore()
    session(1, 'Water the fern')
    collect(store)
    store.close()
    const backup = restored(store.path)
    const lost = openSqliteStore(store.path, 0).store
    session(2, 'Salary one', 'Salary two', 'Salary three')
    collect(lost)
    const path = session(3, 'Notes')
    utimesSync(path, new Date(0), new Date(0))
    collect(backup)
    const found = reading(space)
    expect(found.sessions).toEqual([uuid(1), uuid(2), uuid(3)])
    expect(new Set(found.hits('salary').map(([id]) => id))).toEqual(new Set([uuid(2)]))
    found.close()
    expect(differences(backup, space, 'oak')).toEqual({})
    for (const each of [lost, backup]) each.close()
  })

  it('removes what an earlier store has sent, once it is forgotten', () => {
    const { space, read, collect, session } = machine()
    const store = machineStore()
    session(1, 'Water the fern')
    session(2, 'Salary one')
    collect(store)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATER_MS })
    const again = machineStore()
    collect(again)
    const path = [...again.known().keys()].find((each) => each.includes(uuid(2)))!
    rmSync(path)
    again.erase([again.known().get(path)!.id])
    read(again)
    expect(collect(again)).toMatchObject({ removed: 1 })
    const found = reading(space)
    expect(found.sessions).toEqual([uuid(1)])
    expect(found.hits('salary')).toEqual([])
    expect(found.hits('fern')).toEqual([[uuid(1), 0]])
    found.close()
    for (const each of [store, again]) each.close()
  })

  it('shows no earlier text of a document that an earlier store has sent', () => {
    const { home, space, collect } = machine()
    put(join(home, '.openclaw/openclaw.json'), '{}')
    const write = (text: string): string => put(join(home, '.openclaw/workspace/MEMORY.md'), text)
    const store = machineStore()
    for (const text of ['The heron nests.', 'The heron is gone.\n\nThe moss is dry.']) {
      write(`# Memory\n\n- ${text}\n`)
      collect(store)
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATER_MS })
    write('# Memory\n\n- The hedge is cut.\n')
    const again = machineStore()
    collect(again)
    const opened = openClickHouseStore({ ...space, device: 'nobody' })
    const [document, ...others] = opened.documents()
    expect(others).toEqual([])
    expect(document!.versions.map(({ number }) => opened.documentText(document!.id, number))).toEqual([
      expect.stringContaining('hedge'),
    ])
    opened.close()
    for (const each of [store, again]) each.close()
  })

  it('sends a session that got the id of a forgotten one as a new one', () => {
    const { space, collect, session } = machine()
    const store = machineStore()
    session(1, 'Water the fern')
    const path = session(2, 'Salary one')
    collect(store)
    store.erase([store.known().get(path)!.id])
    rmSync(path)
    session(3, 'Notes')
    expect(collect(store)).toMatchObject({ messages: 1, removed: 1 })
    const found = reading(space)
    expect(found.sessions).toEqual([uuid(1), uuid(3)])
    found.close()
    expect(differences(store, space, 'oak')).toEqual({})
    store.close()
  })
})
