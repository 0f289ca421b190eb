import { cpSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { platforms } from '../../src/platforms/index.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoredMessage } from '../../src/store/stored.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, freshIndex, hitsFor } from '../store-audit.ts'
import '../third-platform/register.ts'
import { deleteSession } from './delete-session.ts'
import { namedEngines } from './engines.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const FORKED = platforms.filter(({ id }) => existsSync(join(FIXTURES, id, 'forked')))

/** Sessions and their forks in a home, of which only some are there. All of them may be put there later. */
function homeWith(platform: string, only?: readonly string[]) {
  const home = temporaryHome()
  const environment: Environment = { home, variables: {} }
  const putAll = (): void =>
    cpSync(join(FIXTURES, platform, 'forked'), home, { recursive: true, preserveTimestamps: true })
  putAll()
  const store = freshIndex(environment)
  for (const { session } of store.sessions()) if (only && !only.includes(session.id)) deleteSession(session)
  store.close()
  return { environment, putAll }
}

/** Messages and tokens by the session that they count for, and those of all. */
function countsOf(store: Store) {
  const ids = new Map(Array.from(store.known().values(), ({ id, artifact }) => [id, artifact.sessionId]))
  const all = { messages: 0, tokens: 0 }
  const sessions: Record<string, { messages: number; tokens: number }> = {}
  for (const { usage, messages } of store.figures({ zone: ODD_ZONE })) {
    for (const { artifact, input, output } of usage) add(artifact, 0, input + output)
    for (const { artifact, who, count } of messages)
      if (who === 'human' || who === 'agent') add(artifact, count, 0)
  }
  return { all, sessions }

  function add(artifact: number, messages: number, tokens: number): void {
    const id = ids.get(artifact)!
    sessions[id] ??= { messages: 0, tokens: 0 }
    const own = sessions[id]
    for (const sum of [own, all]) {
      sum.messages += messages
      sum.tokens += tokens
    }
  }
}

/** What was said in a session, with all that it copied: as it is where no other session is. */
function wordsAlone(platform: string, id: string): string[] {
  const store = freshIndex(homeWith(platform, [id]).environment)
  const words = store.sessions().flatMap(({ session: { path } }) =>
    store
      .messages(path, undefined, { usage: false })
      .filter(({ who }) => who === 'human' || who === 'agent')
      .map(({ who, text }) => `${who}: ${text}`),
  )
  store.close()
  return words
}

const subsetsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: 2 ** ids.length - 1 }, (_, bits) =>
    ids.filter((_id, index) => ((bits + 1) >> index) & 1),
  )

describe.each(namedEngines)('on %s, sessions and their forks', (_, engine) => {
  describe.each(FORKED)('of $id', ({ id: platform, identity }) => {
    const whole = freshIndex({ home: join(FIXTURES, platform, 'forked'), variables: {} })
    const ids = whole.sessions().map(({ session }) => session.id)
    const all = countsOf(whole)
    whole.close()
    const words = new Map<string, string[]>()
    const wordsOf = (id: string): string[] => {
      const known = words.get(id) ?? wordsAlone(platform, id)
      words.set(id, known)
      return known
    }
    /** Among forks, a space gives what they share to the one that arrived first. */
    const expectAll = (store: Store): void =>
      engine.isFile ? expect(countsOf(store)).toEqual(all) : expect(countsOf(store).all).toEqual(all.all)
    const said = (some: readonly string[]): number => new Set(some.flatMap(wordsOf)).size

    it.each(subsetsOf(ids))('count each message once, if only these are there: %s %s %s %s', (...given) => {
      const some = given.filter((id) => id !== undefined)
      const { environment, putAll } = homeWith(platform, some)
      const store = engine.open()
      bringUpToDate(store, environment)
      expect(countsOf(store).all.messages).toBe(said(some))
      putAll()
      bringUpToDate(store, environment)
      expectAll(store)
      const again = { environment, now: Date.now(), rebuild: true, threads: () => 1, faultOf: String }
      expect(refresh(store, again).faults).toEqual([])
      expectAll(store)
      store.close()
    })

    it.each(subsetsOf(ids))('count each once, if only these are in another root: %s %s %s %s', (...given) => {
      const here = given.filter((id) => id !== undefined)
      const there = ids.filter((id) => !here.includes(id))
      const folders = [here, there].map((some) =>
        join(homeWith(platform, some).environment.home, identity.folder),
      )
      const store = engine.open()
      bringUpToDate(store, { home: temporaryHome(), variables: {}, dirs: { [platform]: folders } })
      expect(countsOf(store).all).toEqual(all.all)
      store.close()
    })

    it.each(ids)('keep what they share when one is forgotten: %s', (forgotten) => {
      const { environment } = homeWith(platform)
      const store = engine.open()
      bringUpToDate(store, environment)
      store.forget(
        [...store.known().values()].flatMap(({ id, artifact }) =>
          artifact.sessionId === forgotten ? id : [],
        ),
      )
      expect(countsOf(store).all.messages).toBe(said(ids.filter((id) => id !== forgotten)))
      store.close()
    })
  })
})

it('files that exchange their names keep their own words, where both have the same records', () => {
  const home = temporaryHome()
  const [one, two] = [uuid(1), 'agent-a2b'].map((name, at) =>
    putClaude(home, name, [
      claude.reply(3, [text(`told ${['moss', 'fern'][at]}`)]),
      claude.user(4 + at, 'on'),
    ]),
  ) as [string, string]
  const environment = claudeAt(join(home, '.claude'))
  const store = freshIndex(environment)
  const words = (path: string) => store.messages(path).flatMap(({ text: said }) => said ?? [])
  for (const [from, to] of [
    [one, join(home, 'between')],
    [two, one],
    [join(home, 'between'), two],
  ] as const)
    renameSync(from, to)
  bringUpToDate(store, environment)
  expect([words(one), words(two)]).toEqual([
    ['told fern', 'on'],
    ['told moss', 'on'],
  ])
  store.close()
})

it('what a file had lost and has again with other words stays with its session', () => {
  const home = temporaryHome()
  const before = (word: string) => [
    claude.user(1, `said ${word}`),
    claude.reply(2, [text(`told ${word}`)]),
    claude.reply(3, [call('t1', 'Bash', { command: `run ${word}` })]),
    claude.result(4, 't1', `failed at ${word}`, true),
  ]
  const path = putClaude(home, uuid(1), before('moss'))
  const environment = claudeAt(join(home, '.claude'))
  const store = freshIndex(environment)
  for (const lines of [[claude.user(9, 'anew')], [...before('fern'), claude.user(10, 'on')]]) {
    putClaude(home, uuid(1), lines)
    bringUpToDate(store, environment)
  }
  const shown = (messages: Iterable<StoredMessage>): unknown[] =>
    Array.from(messages, (each) => each.text ?? each.tool?.target)
  const texts = (word: string): string[] => [
    `said ${word}`,
    `told ${word}`,
    `run ${word}`,
    `failed at ${word}`,
  ]
  expect(shown(store.messages(path))).toEqual([...texts('fern'), 'on'])
  expect(shown(store.cutMessages(path))).toEqual(texts('moss'))
  expect(hitsFor(store, 'moss')).toHaveLength(4)
  store.close()
})
