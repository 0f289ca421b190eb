import { appendFileSync, cpSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../src/collect/index/plan.ts'
import { type Refreshed, refresh } from '../../src/collect/index/refresh.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { isSessionOnly } from '../../src/store/increment.ts'
import type { Store } from '../../src/store/store.ts'
import { erasHome } from '../eras-home.ts'
import { checkout, run } from '../program.ts'
import { call, claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const PROMPT = 'Count the ferns in the north bed'

/** Sessions that say something about others: a prompt that an agent sent, a fork with its sums, and a script. */
function putLinked(home: string): void {
  putOpenclaw(home, 'sender.jsonl', [
    openclaw.header('sender'),
    openclaw.user(1, 'Have it counted'),
    openclaw.reply(2, [call('c1', 'exec', { command: `claude -p "${PROMPT}" --model haiku` })]),
  ])
  putClaude(home, uuid(8000), [claude.user(3, PROMPT, { sessionId: uuid(8000), version: '2.0.60' })])
  const stated = (dollars: number, sessionId: string) => ({
    ...{ type: 'cost-state', sessionId, startTime: 1795311546110, totalCostUSD: dollars },
    modelUsage: { 'claude-sonnet-4-6': { inputTokens: dollars * 100, costUSD: dollars } },
  })
  const begun = (sessionId: string) => [
    claude.user(8101, 'Paint the door', { sessionId }),
    claude.reply(8102, [text('Which colour?')], { sessionId }),
  ]
  putClaude(home, uuid(8100), [...begun(uuid(8100)), stated(1, uuid(8100))])
  const fork = uuid(8110)
  putClaude(home, fork, [
    ...begun(fork),
    claude.user(8111, 'Blue', { sessionId: fork }),
    claude.reply(8112, [text('Done.')], { sessionId: fork }),
    stated(3, fork),
  ])
  for (let number = 0; number < 6; number++)
    putClaude(home, uuid(8200 + number), [
      claude.user(8200 + number * 60, `Review the file src/bed-${number}.ts and list what is wrong with it`),
      claude.reply(8201 + number * 60, [text('Nothing.')]),
    ])
}

/**
 * A home with the demo and sessions of all eras, between an old transcript that takes as long as may be waited
 * for, and a new one that takes longer.
 */
function homeWithLongTranscripts() {
  const home = temporaryHome()
  for (const name of ['.claude', '.codex', '.pi', '.gemini', '.copilot', '.local'])
    cpSync(join(checkout, 'demo', name), join(home, name), { recursive: true, preserveTimestamps: true })
  erasHome(home)
  putLinked(home)
  const [old, long] = [LONG - 1, LONG + 1].map((bytes, index) => {
    const path = putClaude(home, uuid(9000 + index), [], '-home-ann-old')
    const line = JSON.stringify(claude.user(9000 + index, 'Count the ferns'))
    put(path, `${line}\n${' '.repeat(bytes - line.length - 2)}\n`)
    return path
  })
  utimesSync(old!, 1, 1)
  return { home, old: old!, long: long!, environment: { home, variables: {} } satisfies Environment }
}

const forSessions = (store: Store, environment: Environment): Refreshed =>
  refresh(store, { environment, now: 0, threads: () => 1, faultOf: String, upTo: 'sessions' })

/** The paths of which only sessions are stored. */
const listed = (store: Store): string[] =>
  [...store.known().values()].flatMap(({ checkpoint, artifact }) =>
    isSessionOnly(checkpoint) ? artifact.path : [],
  )

const rowsOf = (store: Store) =>
  store.sessions().toSorted((one, other) => (one.session.path < other.session.path ? -1 : 1))

describe.each(namedEngines)('a list of sessions on %s, before their messages are read', (_, engine) => {
  it('is that of all messages, and reading them later changes nothing else', () => {
    const { environment, old } = homeWithLongTranscripts()
    const [first, whole] = [engine.open(), engine.open()]
    bringUpToDate(whole, environment)
    const found = forSessions(first, environment)
    expect(found.pending).toMatchObject({ areListed: true })
    expect(listed(first).length).toBeGreaterThan(20)
    expect(listed(first)).not.toContain(old)
    expect(rowsOf(first)).toEqual(rowsOf(whole))
    const sessions = rowsOf(whole).map(({ session }) => session)
    expect(sessions.filter(({ promptedBy }) => promptedBy).length).toBeGreaterThan(0)
    expect(sessions.find(({ id }) => id === uuid(8110))?.usage?.cost).toBe(2)
    bringUpToDate(first, environment)
    expect(listed(first)).toEqual([])
    expect(rowsOf(first)).toEqual(rowsOf(whole))
    expect(first.statistics()).toEqual({ ...whole.statistics(), storeBytes: expect.any(Number) })
  })

  it('is read again only where a file has changed, and gets the messages of the oldest with each turn', () => {
    const { environment, long } = homeWithLongTranscripts()
    const store = engine.open()
    forSessions(store, environment)
    const before = listed(store)
    // All that were left take little time, except one.
    expect(forSessions(store, environment)).toMatchObject({ read: before.length - 1 })
    expect(listed(store)).toEqual([long])
    expect(forSessions(store, environment)).toMatchObject({ read: 0, bytes: 0, pending: { files: 1 } })
    appendFileSync(long, `${JSON.stringify(claude.user(9002, 'Count the mosses'))}\n`)
    expect(forSessions(store, environment)).toMatchObject({ read: 1 })
    expect(rowsOf(store).find(({ session }) => session.path === long)?.session.human).toBe(2)
  })
})

describe('the first command', () => {
  it('reads the messages of the session that is asked for, and a search those of all', () => {
    const { home } = homeWithLongTranscripts()
    const id = '640ab4c7'
    expect(run(['read', id], home).stdout).toContain('A customer must never pay twice')
    expect(run(['search', 'customer', 'never', 'pay', 'twice'], home).stdout).toContain(id)
  })
})
