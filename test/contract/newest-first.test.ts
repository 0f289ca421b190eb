import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import type { Store } from '../../src/store/store.ts'
import { type Refreshed, refresh } from '../../src/sync/refresh.ts'
import { erasHome } from '../eras-home.ts'
import { checkout } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'
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

/** A home with the demo and sessions of all eras. */
function homeOfAll(): Environment {
  const home = temporaryHome()
  for (const name of ['.claude', '.codex', '.pi', '.gemini', '.copilot', '.local'])
    cpSync(join(checkout, 'demo', name), join(home, name), { recursive: true, preserveTimestamps: true })
  erasHome(home)
  putLinked(home)
  return { home, variables: {} }
}

const SOME = 200 * 1024

const readSome = (store: Store, environment: Environment): Refreshed =>
  refresh(store, { environment, now: 0, threads: () => 1, faultOf: String, budget: SOME })

const rowsOf = (store: Store) =>
  store.sessions().toSorted((one, other) => (one.session.path < other.session.path ? -1 : 1))

describe.each(namedEngines)('a first answer on %s, of the newest sessions', (_, engine) => {
  it('has their messages, and the rest makes the same store as reading all at once', () => {
    const environment = homeOfAll()
    const [first, whole] = [engine.open(), engine.open()]
    const { count } = bringUpToDate(whole, environment)
    const all = rowsOf(whole)
    const found = readSome(first, environment)
    const newest = rowsOf(first)
    expect([newest.length + found.missing!.files, found.missing!.messages]).toEqual([count, 0])
    expect(newest.length).toBeGreaterThan(5)
    const oldestRead = Math.min(...newest.map(({ session }) => session.modifiedMs))
    const left = all.filter(({ session }) => !newest.some((row) => row.session.path === session.path))
    expect(Math.max(...left.map(({ session }) => session.modifiedMs))).toBeLessThanOrEqual(oldestRead)
    for (const { session } of newest)
      expect(first.countMessages(session.path)).toBe(whole.countMessages(session.path))
    for (let rest = found; rest.missing; ) rest = readSome(first, environment)
    bringUpToDate(first, environment)
    expect(rowsOf(first)).toEqual(all)
    const sessions = all.map(({ session }) => session)
    expect(sessions.filter(({ promptedBy }) => promptedBy).length).toBeGreaterThan(0)
    expect(sessions.find(({ id }) => id === uuid(8110))?.usage?.cost).toBe(2)
    expect(first.statistics()).toEqual({ ...whole.statistics(), storeBytes: expect.any(Number) })
    expect(first.unindexed()).toBe(0)
  })
})
