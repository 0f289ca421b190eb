import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { closeConnections } from '../../src/platforms/openclaw/database/connection.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { type AgentDatabase, agentDatabase } from '../agent-databases.ts'
import { openclaw, temporaryHome } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'

const iterate = StatementSync.prototype.iterate
afterEach(() => {
  StatementSync.prototype.iterate = iterate
  closeConnections()
})

const talk = (from: number, count: number) =>
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
  made.session('moss', [openclaw.header('moss'), ...talk(1, records)])
  made.session('fern', [openclaw.header('fern'), ...talk(100_000, 50)], { key: 'agent:main:fern' })
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
    const { rows, bytes, added } = workFor(1000, packed, (made) => made.append('moss', talk(50_000, 100)))
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
