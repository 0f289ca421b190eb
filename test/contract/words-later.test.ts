import { appendFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refresh } from '../../src/collect/index/refresh.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { finish } from '../../src/model/steps.ts'
import { parseQuery } from '../../src/search/parse-query.ts'
import type { Store } from '../../src/store/store.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, hitsFor } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

const userLines = (from: number, count: number) =>
  Array.from({ length: count }, (_, number) => claude.user(from + number, `the fern w${from + number}x`))

function withoutWords(store: Store, environment: Environment): void {
  const faultOf = String
  refresh(store, { environment, now: 0, threads: () => 1, faultOf, withoutWords: true })
}

const longLine = (number: number): string =>
  `${JSON.stringify(claude.user(number, `${'leaf '.repeat(8000)} z${number}longword`))}\n`

/** How many messages contain a part of a word. The vocabulary finds them. */
function partsFound(store: Store, part: string): number {
  const query = parseQuery(part, 0, () => undefined)
  return [...store.search({ query, limit: 50, enough: 50, now: 0 }).hits].length
}

/** A store with a session whose words are not indexed. */
function unindexedStore(engine: Engine) {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), userLines(1, 5))
  const environment: Environment = { home, variables: {} }
  const store = engine.open()
  withoutWords(store, environment)
  return { store, environment, path, home }
}

describe.each(namedEngines)('words on %s that may be indexed later', (_, engine) => {
  it('are not needed for sessions, messages and figures', () => {
    const { store, path } = unindexedStore(engine)
    const later = engine.indexesLater ? 5 : 0
    expect([store.unindexed(), store.countMessages(path), hitsFor(store, 'fern').length]).toEqual([
      ...[later, 5, 5 - later],
    ])
    const counts = [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })].flatMap(
      ({ messages }) => messages,
    )
    expect(counts).toMatchObject([{ who: 'human', count: 5 }])
  })

  it('are found once they are indexed, each message once', () => {
    const { store, environment, path } = unindexedStore(engine)
    append(path, claude.user(6, 'the fern w6x'))
    bringUpToDate(store, environment)
    expect([store.unindexed(), hitsFor(store, 'fern').length]).toEqual([0, 6])
    expect(hitsFor(store, 'w3x')).toHaveLength(1)
    bringUpToDate(store, environment)
    expect(hitsFor(store, 'fern')).toHaveLength(6)
  })

  it.runIf(engine.indexesLater)('are found at once where a message gets the id of a deleted one', () => {
    const { store, environment, home } = unindexedStore(engine)
    bringUpToDate(store, environment)
    store.forget([...store.known().values()].map(({ id }) => id))
    expect(hitsFor(store, 'fern')).toEqual([])
    putClaude(home, uuid(2), userLines(11, 3))
    withoutWords(store, environment)
    // Of the eight messages, five have ids that were indexed before.
    expect([store.unindexed(), hitsFor(store, 'fern').length]).toEqual([3, 5])
    bringUpToDate(store, environment)
    expect([store.unindexed(), hitsFor(store, 'fern').length]).toEqual([0, 8])
  })

  it('of a message are gone with it, indexed or not', () => {
    const { store, environment, home } = unindexedStore(engine)
    bringUpToDate(store, environment)
    putClaude(home, uuid(2), userLines(11, 3))
    withoutWords(store, environment)
    store.forget([...store.known().values()].map(({ id }) => id))
    store.indexWords().next()
    expect([store.unindexed(), hitsFor(store, 'fern')]).toEqual([0, []])
  })

  it.runIf(engine.indexesLater)(
    'may be collected by another thread before a message gets the id of a deleted one',
    () => {
      const { store, environment, path, home } = unindexedStore(engine)
      // Several transactions: a message of a file that is deleted between them has the last id.
      appendFileSync(path, Array.from({ length: 300 }, (_, number) => longLine(10 + number)).join(''))
      withoutWords(store, environment)
      const last = putClaude(home, uuid(2), [claude.user(400, 'the lastword')])
      withoutWords(store, environment)
      const work = store.indexWords({
        *collect(ranges) {
          // All of them at once, as a thread does that is ahead.
          yield* ranges.map((range) => store.wordsIn(range))
        },
      })
      work.next()
      const left = store.unindexed()
      store.forget([store.known().get(last)!.id])
      rmSync(last)
      putClaude(home, uuid(3), [claude.user(401, 'the newcomer')])
      withoutWords(store, environment)
      expect([left > 0, store.unindexed()]).toEqual([true, left])
      finish(work)
      expect([store.unindexed(), hitsFor(store, 'newcomer').length, hitsFor(store, 'lastword')]).toEqual([
        0,
        1,
        [],
      ])
      expect([partsFound(store, 'ewcome'), partsFound(store, '309longwor')]).toEqual([1, 1])
    },
  )
})
