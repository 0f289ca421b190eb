import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import type { Session } from '../../src/model/session.ts'
import { platforms } from '../../src/platforms/index.ts'
import type { Store } from '../../src/store/store.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { type OpenCodeMessage, type OpenCodeSession, opencodeDatabase, text } from '../opencode-databases.ts'
import { temporaryHome } from '../records.ts'
import { bringUpToDate, freshIndex } from '../store-audit.ts'
import { deleteRows, deleteSession } from './delete-session.ts'
import { namedEngines } from './engines.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const FORKED = platforms.map(({ id }) => id).filter((id) => existsSync(join(FIXTURES, id, 'forked')))

/** What all sessions of a store used, and how much was said in them. */
function sumsOf(store: Store) {
  const sums = { input: 0, output: 0, human: 0, agent: 0 }
  for (const { usage, messages } of store.figures({ zone: ODD_ZONE })) {
    for (const { input, output } of usage) {
      sums.input += input
      sums.output += output
    }
    for (const { who, count } of messages) if (who === 'human' || who === 'agent') sums[who] += count
  }
  return sums
}

const rowsOf = (store: Store) =>
  store
    .sessions()
    .map(({ session: { id, human, agentMessages, usage } }) => ({ id, human, agentMessages, usage }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))

/** The sessions that others are forks of. */
function originalsIn(store: Store): Session[] {
  const sessions = store.sessions().map(({ session }) => session)
  return sessions.filter(({ id }) =>
    sessions.some(({ kind, parentSessionId }) => kind !== 'subagent' && parentSessionId === id),
  )
}

/** Reads everything again, as after an update. */
const readAgain = (store: Store, environment: Environment): void =>
  expect(
    refresh(store, { environment, now: Date.now(), rebuild: true, threads: () => 1, faultOf: String }).faults,
  ).toEqual([])

describe.each(namedEngines)('on %s, a fork whose original its client deletes', (_, engine) => {
  it.each(FORKED)('counts what it copied as little as before: fixtures of %s', (platform) => {
    const home = temporaryHome()
    cpSync(join(FIXTURES, platform, 'forked'), home, { recursive: true })
    const environment: Environment = { home, variables: {} }
    const store = engine.open()
    bringUpToDate(store, environment)
    const before = [sumsOf(store), rowsOf(store)]
    for (const original of originalsIn(store)) deleteSession(original)
    readAgain(store, environment)
    expect([sumsOf(store), rowsOf(store)]).toEqual(before)
    readAgain(store, environment)
    expect([sumsOf(store), rowsOf(store)]).toEqual(before)
    store.close()
  })

  it.each([1, 2])(
    'still does when it goes on, and shows the copies once the original is forgotten: tables of version %i',
    (version) => {
      const home = temporaryHome()
      const path = join(home, '.local/share/opencode/opencode.db')
      const environment: Environment = { home, variables: {} }
      const { database, session, close } = opencodeDatabase(path)
      const add =
        version === 2
          ? versionTwo(database)
          : (each: OpenCodeSession, _original?: string): void => {
              deleteRows(path, each.id)
              session(each)
            }
      const copied = (letter: string): OpenCodeMessage[] => [
        { id: `msg_${letter}1`, at: 10_000, parts: [text('Which pot is free?')] },
        { id: `msg_${letter}2`, at: 20_000, role: 'assistant', parts: [text('The blue one.')] },
      ]
      add({ id: 'ses_original', at: 1000, messages: copied('a') })
      const own: OpenCodeMessage = { id: 'msg_b3', at: 120_000, parts: [text('And the red one?')] }
      add({ id: 'ses_fork', at: 100_000, messages: [...copied('b'), own] }, 'ses_original')
      const store = engine.open()
      bringUpToDate(store, environment)
      const before = sumsOf(store)
      expect(before).toMatchObject({ human: 2, agent: 1, output: 5 })
      deleteRows(path, 'ses_original')
      bringUpToDate(store, environment)
      expect(sumsOf(store)).toEqual(before)
      const more: OpenCodeMessage = { id: 'msg_b4', at: 130_000, parts: [text('Glue it.')] }
      add({ id: 'ses_fork', at: 100_000, messages: [...copied('b'), own, more] }, 'ses_original')
      bringUpToDate(store, environment)
      expect(sumsOf(store)).toEqual({ ...before, human: 3 })
      const known = store.known().get(`${path}#ses_original`)!
      store.forget([known.id])
      bringUpToDate(store, environment)
      expect(sumsOf(store)).toEqual({ ...before, human: 3 })
      const fresh = freshIndex(environment)
      expect(rowsOf(store)).toEqual(rowsOf(fresh))
      for (const each of [fresh, store]) each.close()
      close()
    },
  )
})

/** Adds the tables of version 2. Returns what adds a session, or replaces one. */
function versionTwo(database: DatabaseSync) {
  database.exec(`CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, fork_session_id text, directory text,
      title text, version text, revert text, time_created integer, time_updated integer);
    CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer,
      time_updated integer, data text)`)
  return (
    { id, at, messages }: { id: string; at: number; messages: OpenCodeMessage[] },
    fork?: string,
  ): void => {
    const last = messages.at(-1)!.at
    database
      .prepare('INSERT OR REPLACE INTO session_v2 VALUES (?, NULL, ?, ?, ?, ?, NULL, ?, ?)')
      .run(id, fork ?? null, '/home/ann/garden', 'Pots', '2.0.12', at, last)
    for (const [index, { id: message, at: written, role = 'user', parts }] of messages.entries()) {
      const time = { created: written }
      const data =
        role === 'user'
          ? { text: (parts[0] as { text: string }).text, time }
          : { content: parts, time, tokens: { input: 10, output: 5, cache: { read: 0, write: 0 } } }
      database
        .prepare('INSERT OR REPLACE INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(message, id, role, index + 1, written, written, JSON.stringify(data))
    }
  }
}
