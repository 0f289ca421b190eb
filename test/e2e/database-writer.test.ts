import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { temporaryHome } from '../records.ts'
import { bringUpToDate, contentOfAll, faultsOf, freshIndex, secondConnection } from '../store-audit.ts'

const writer = resolve(import.meta.dirname, '../database-writer.ts')
const ROUNDS = 400

it.each([1, 2])(
  'a database that another process writes to all the time loses and duplicates nothing, however often it is read meanwhile: %i',
  async (seed) => {
    const home = temporaryHome()
    const state = join(home, '.openclaw')
    const child = spawn(process.execPath, [writer, state, String(ROUNDS), String(seed)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout!.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    await once(child.stdout!, 'data')
    const environment: Environment = {
      home: '/nowhere',
      variables: {},
      dirs: { 'claude-code': [], openclaw: [state] },
    }
    const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
    let refreshes = 0
    const ended = once(child, 'close')
    while (child.exitCode === null) {
      bringUpToDate(store, environment)
      refreshes++
      // Lets the event arrive that the other has ended.
      await new Promise(setImmediate)
    }
    expect(await ended).toEqual([0, null])
    expect(refreshes).toBeGreaterThan(3)
    expect(bringUpToDate(store, environment)).toMatchObject({ faults: [], notices: [] })
    const counts: Record<string, number> = JSON.parse(output.slice('begun\n'.length))
    const messages = Object.fromEntries(
      store.sessions().map(({ session }) => [session.id, store.messages(session.path).length]),
    )
    expect(messages).toEqual(counts)
    const fresh = freshIndex(environment, join(home, 'fresh.sqlite'))
    expect(contentOfAll(store, fresh)).toEqual(contentOfAll(fresh))
    const database = secondConnection(store)
    expect(faultsOf(database)).toEqual({})
    for (const each of [database, store, fresh]) each.close()
  },
)
