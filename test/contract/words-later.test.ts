import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import type { Store } from '../../src/store/store.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, hitsFor } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

const userLines = (from: number, count: number) =>
  Array.from({ length: count }, (_, number) => claude.user(from + number, `the fern w${from + number}x`))

function withoutWords(store: Store, environment: Environment): void {
  const faultOf = String
  refresh(store, { environment, now: 0, threads: () => 1, faultOf, words: false })
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
    expect([store.countMessages(path), hitsFor(store, 'fern').length]).toEqual([5, 5 - later])
    // A space is asked itself: the words that its machines have not indexed are theirs.
    if (engine.indexesLater) expect(store.unindexed()).toBe(later)
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
})
