import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { opened } from '../../src/io/source.ts'
import type { Artifact, Environment } from '../../src/model/artifact.ts'
import { closeConnections } from '../../src/platforms/openclaw/database/connection.ts'
import { discover } from '../../src/platforms/openclaw/discover.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { readIncrement } from '../../src/sync/read-increment.ts'
import { type AgentDatabase, agentDatabase } from '../agent-databases.ts'
import { type SchemaVersion, VERSIONS } from '../agent-schemas.ts'
import { openclaw, put, temporaryHome } from '../records.ts'
import {
  bringUpToDate,
  contentOfAll,
  freshIndex,
  hitsFor,
  secondConnection,
  usagesOf,
} from '../store-audit.ts'
import { keep, storedContent } from '../stores.ts'
import { type Engine, namedEngines, type StoreAudit } from './engines.ts'

afterEach(() => {
  opened.listener = undefined
  closeConnections()
})

const talk = (from: number, count: number, words = 'water the moss') =>
  Array.from({ length: count }, (_, index) =>
    (from + index) % 3 === 0
      ? openclaw.reply(from + index, [{ type: 'text', text: `Done with ${from + index}.` }])
      : openclaw.user(from + index, `${words} w${from + index}x`),
  )
const whole = (count: number) => [openclaw.header('moss'), ...talk(1, count)]
const environmentOf = (state: string): Environment => ({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [], openclaw: [state] },
})
const only = (state: string, sessionId = 'moss'): Artifact =>
  discover(
    { platform: 'openclaw', path: state, reason: 'test', found: true },
    environmentOf(state),
  ).artifacts.find((artifact) => artifact.sessionId === sessionId)!

/** A database, and a store that is refreshed from it. */
function indexedDatabase(engine: Engine, version: SchemaVersion, count = 40) {
  const home = temporaryHome()
  const state = join(home, '.openclaw')
  const made = agentDatabase(state, version)
  made.session('moss', whole(count))
  const store = engine.open()
  const refresh = () => bringUpToDate(store, environmentOf(state))
  expect(refresh().faults).toEqual([])
  return { made, state, store, refresh, audit: engine.audit(store) }
}

/** The content of the store is the same as that of a fresh one. */
function expectFresh(store: Store, audit: StoreAudit, state: string): void {
  const fresh = freshIndex(environmentOf(state), join(temporaryHome(), 'fresh.sqlite'))
  expect(contentOfAll(store, fresh)).toEqual(contentOfAll(fresh))
  const theirs = secondConnection(fresh)
  expect(audit.usages()).toEqual(usagesOf(theirs))
  expect(audit.faults()).toEqual({})
  for (const each of [theirs, fresh]) each.close()
}

describe.each(namedEngines)('on %s, an increment of a database', (_, engine) => {
  it.each([14, 19, 22, 23] as const)(
    'is the only part that is written, whatever its size: schema %i',
    (version) => {
      const state = temporaryHome()
      const made = agentDatabase(state, version)
      made.session('moss', whole(5000))
      const store = engine.open()
      keep(store, only(state))
      made.append('moss', talk(5001, 100))
      const artifact = only(state)
      const known = store.known().get(artifact.path)!
      const { increment, bytesRead } = readIncrement({ artifact, base: known })
      expect(increment).toMatchObject({ fresh: false, fromLine: 5002, more: false })
      expect(increment.messages.length).toBeLessThanOrEqual(101)
      // Compressing existing rows changes no content.
      if (version >= 23) made.pack('moss')
      expect(keep(store, only(state))).toBe(bytesRead)
      expect(storedContent(store, artifact.path).messages).toHaveLength(5100)
      made.close()
      store.close()
    },
  )

  it.each(VERSIONS)(
    'is empty if nothing was written: the database is opened once per check, and no row is written: schema %i',
    (version) => {
      const { made, store, refresh, audit } = indexedDatabase(engine, version)
      for (const idle of [made, undefined]) {
        const paths: string[] = []
        refresh()
        const written = store.othersWrote()
        opened.listener = (path) => paths.push(path)
        for (let again = 0; again < 3; again++)
          expect(refresh()).toMatchObject({ read: 0, unchanged: 1, faults: [] })
        opened.listener = undefined
        expect(paths).toEqual([made.path, made.path, made.path])
        expect(store.othersWrote()).toEqual(written)
        idle?.close()
      }
      store.close()
      audit.close()
    },
  )

  it("begins no generation if only the session's name, status or time changed", () => {
    const { made, store, refresh, state } = indexedDatabase(engine, 23, 3000)
    made.database.exec('UPDATE session_windows SET updated_at = updated_at + 1000')
    const path = only(state).path
    const before = store.known().get(path)!.checkpoint.generation
    refresh()
    expect(store.known().get(path)!.checkpoint.generation).toBe(before)
    made.close()
    store.close()
  })
})

const CHANGES: Record<string, (made: AgentDatabase) => void> = {
  'rows were appended': (made) => made.append('moss', talk(41, 7)),
  'rows were appended after a gap': (made) => made.append('moss', talk(41, 7), 5),
  'a row was changed': (made) => made.rewrite('moss', 20, openclaw.user(20, 'water the fern')),
  'a row was changed, with the same length': (made) =>
    made.rewrite('moss', 20, openclaw.user(20, 'water the moss w99x')),
  'a row in the middle was changed, and rows were appended': (made) => {
    made.rewrite('moss', 20, openclaw.user(20, 'water the fern'))
    made.append('moss', talk(41, 20))
  },
  'the last rows were deleted': (made) => made.cut('moss', 30),
  'the last rows were replaced by as many others': (made) => {
    made.cut('moss', 30)
    made.append('moss', talk(230, 11))
  },
  'all rows were deleted': (made) => made.cut('moss', 0),
  'the session was removed': (made) => made.drop('moss'),
  'another session was added': (made) =>
    made.session('fern', [openclaw.header('fern'), ...talk(300, 5)], { key: 'agent:main:fern' }),
  'the key has another session': (made) => made.session('fern', [openclaw.header('fern'), ...talk(300, 5)]),
  'the session was renamed': (made) =>
    made.database.exec(
      `UPDATE ${made.version === 4 ? 'sessions' : 'session_windows'} SET display_name = 'Ferns'`,
    ),
  'it was vacuumed': (made) => made.database.exec('VACUUM'),
  'the write-ahead log was merged': (made) => made.database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
  'the file was replaced': (made) => {
    made.append('moss', talk(41, 7))
    made.replace()
  },
}
const PACKED: Record<string, (made: AgentDatabase) => void> = {
  'rows were compressed': (made) => made.pack('moss'),
  'the session was moved to a cold file': (made) => made.freeze('moss', 'file'),
  'the session was moved to a cold row': (made) => made.freeze('moss', 'sqlite'),
  'the session was reset': (made) => {
    made.archive('moss', 'reset')
    made.append('moss', [openclaw.header('moss'), ...talk(100, 4)])
  },
  'the session was reset and has another id': (made) => {
    made.archive('moss', 'reset', 'identity')
    made.session('fern', [openclaw.header('fern'), ...talk(300, 5)])
  },
  'the session was deleted': (made) => made.archive('moss', 'deleted'),
}

describe.each(namedEngines)(
  'on %s, a store has the same content as a fresh one after this change:',
  (_, engine) => {
    const cases = VERSIONS.flatMap((version) =>
      Object.entries({ ...CHANGES, ...(version === 23 ? PACKED : {}) }).map(
        ([name, change]) => [name, version, change] as const,
      ),
    )
    it.each(cases)('%s: schema %i', (_, version, change) => {
      const { made, state, store, refresh, audit } = indexedDatabase(engine, version)
      change(made)
      expect(refresh().faults).toEqual([])
      expectFresh(store, audit, state)
      made.append('moss', made.has('moss') ? talk(500, 3) : [])
      expect(refresh().faults).toEqual([])
      expectFresh(store, audit, state)
      made.close()
      expect(refresh().faults).toEqual([])
      expectFresh(store, audit, state)
      store.close()
      audit.close()
    })

    it('the state directory is renamed', () => {
      const { made, store, state, audit } = indexedDatabase(engine, 23, 2000)
      made.close()
      const other = made.rename(`${state}-old`)
      const { moved, faults } = bringUpToDate(store, environmentOf(other))
      expect({ moved, faults }).toEqual({ moved: 1, faults: [] })
      expectFresh(store, audit, other)
      store.close()
      audit.close()
    })
  },
)

describe.each(namedEngines)('on %s, a session of a database', (_, engine) => {
  it.each([4, 23] as const)(
    'has the same content whether it is read in two parts or at once, for any split: schema %i',
    (version) => {
      const lines = whole(25)
      const state = temporaryHome()
      const made = agentDatabase(state, version)
      for (let cut = 1; cut < lines.length; cut++) {
        const id = `moss-${cut}`
        made.session(id, lines.slice(0, cut), { key: `agent:main:${cut}` })
        if (version === 23 && cut % 2 === 0) made.pack(id)
        const store = engine.open()
        keep(store, only(state, id))
        made.append(id, lines.slice(cut))
        keep(store, only(state, id))
        const other = engine.open()
        const artifact = only(state, id)
        keep(other, artifact)
        expect(storedContent(store, artifact.path)).toEqual(storedContent(other, artifact.path))
        store.close()
        other.close()
      }
      made.close()
    },
  )
})

describe.each(namedEngines)(
  'on %s, a session that is in a database and in the files of its migration',
  (_, engine) => {
    it('is found once, with both locations', () => {
      const state = temporaryHome()
      const framed = (frame: string) =>
        openclaw.user(20, `${frame}\n\`\`\`json\n{"label":"Ann"}\n\`\`\`\n\nwater w20x`)
      const lines = whole(12)
      const archive = join(state, 'agents/main/session-sqlite-import-archive')
      const path = put(join(archive, 'agent-main-main.moss.jsonl.imported-1795000000000'), [
        ...lines,
        framed('Sender (untrusted metadata):'),
      ])
      const made = agentDatabase(state, 23)
      // The migration writes the prompts of people in another frame; ids and times remain.
      made.session('moss', [...lines, framed('Sender: ⟦openclaw:ctx⟧'), ...talk(13, 3)])
      const store = engine.open()
      bringUpToDate(store, environmentOf(state))
      expect(store.statistics()).toMatchObject({ messages: 16, occurrences: 29 })
      for (const word of ['w5x', 'w20x'])
        expect(
          hitsFor(store, word).map((hit) => [hit.path, ...hit.copies.map((copy) => copy.path)].sort()),
        ).toEqual([[`${made.path}#moss`, path].sort()])
      const audit = engine.audit(store)
      expect(audit.faults()).toEqual({})
      made.close()
      store.close()
      audit.close()
    })
  },
)

const iterate = StatementSync.prototype.iterate
afterEach(() => {
  StatementSync.prototype.iterate = iterate
  closeConnections()
})

const talkOfDatabaseWork = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => openclaw.user(from + index, `water w${from + index}x`))

/** Counts the rows of records that are read during some work. Only those are read one by one. */
function rowsAskedFor(what: () => void): number {
  let rows = 0
  StatementSync.prototype.iterate = function* (this: StatementSync, ...values: never[]) {
    for (const row of iterate.apply(this, values as unknown as Parameters<typeof iterate>)) {
      rows++
      yield row
    }
  } as typeof iterate
  what()
  StatementSync.prototype.iterate = iterate
  return rows
}

/** The rows and bytes that are read after a change in a database whose session has this many records. */
function workFor(records: number, packed: boolean, happens: (made: AgentDatabase) => void) {
  const home = temporaryHome()
  const state = join(home, '.openclaw')
  const environment: Environment = {
    home: '/nowhere',
    variables: {},
    dirs: { 'claude-code': [], openclaw: [state] },
  }
  const made = agentDatabase(state, 23)
  made.database.exec('BEGIN')
  made.session('moss', [openclaw.header('moss'), ...talkOfDatabaseWork(1, records)])
  made.session('fern', [openclaw.header('fern'), ...talkOfDatabaseWork(100_000, 50)], {
    key: 'agent:main:fern',
  })
  if (packed) made.pack('moss')
  made.database.exec('COMMIT')
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  const all = rowsAskedFor(() => bringUpToDate(store, environment))
  expect(all).toBeGreaterThan(records)
  happens(made)
  let bytes = 0
  const rows = rowsAskedFor(() => {
    bytes = bringUpToDate(store, environment).bytes
  })
  const { messages } = store.statistics()
  store.close()
  made.close()
  return { rows, bytes, added: messages - records - 50 }
}

describe('reading a hundred new rows', () => {
  it.each([false, true])('reads their session, and no other; compressed: %s', (packed) => {
    const { rows, bytes, added } = workFor(1000, packed, (made) =>
      made.append('moss', talkOfDatabaseWork(50_000, 100)),
    )
    expect(added).toBe(100)
    // 4 KiB of both ends are checked, before and after: about twenty rows each time. The new messages are read
    // once more for the search index.
    expect(rows).toBeLessThan(1100 + 350)
    expect(bytes).toBeLessThan(1100 * 250)
  })

  it('reads none if there are none', () => {
    expect(workFor(1000, false, () => {})).toEqual({ rows: 0, bytes: 0, added: 0 })
  })

  it('reads only one session if only its time changed', () => {
    const { rows } = workFor(1000, false, (made) => made.touch('moss'))
    expect(rows).toBeLessThan(1000 + 150)
  })
})
