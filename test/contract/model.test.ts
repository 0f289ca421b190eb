import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { figuresTwice, ODD_ZONE } from '../figures-audit.ts'
import {
  beside,
  bringUpToDate,
  claudeAt,
  faultsOf,
  freshIndex,
  hitsFor,
  integrityOf,
  toldOfAll,
  usagesOf,
  vocabularyOf,
} from '../store-audit.ts'
import { createLivingTree, type Happening, WHATS } from './living-tree.ts'

const MEMORY = '/dev/shm'
/** Each lets up to `LENGTH` things happen: some thousand in all. */
const LIVES = 90
const LENGTH = 60
/** Looking for every word takes longer than all else; it is done at the end of a life, and now and then. */
const SEARCH_EACH = 7

const happening: fc.Arbitrary<Happening | 'refresh'> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('refresh' as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom(...WHATS),
      file: fc.nat({ max: 50 }),
      other: fc.nat({ max: 50 }),
      amount: fc.nat({ max: 300 }),
    }),
  },
)

/** One life of a tree, with the store beside it. */
function live(happenings: readonly (Happening | 'refresh')[]): void {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-model-'))
  const tree = createLivingTree(join(folder, 'claude'))
  const environment = claudeAt(join(folder, 'claude'))
  const { store } = openSqliteStore(join(folder, 'store.db'), 0)
  const database = beside(store)
  /** Words that were told once, and now stand nowhere. */
  let lost = new Set<string>()
  let told = new Set<string>()
  let refreshes = 0
  let checks = 0
  const check = (searching: boolean): void => {
    bringUpToDate(store, environment)
    const fresh = freshIndex(environment, join(folder, `fresh-${checks++}.db`))
    const other = beside(fresh)
    try {
      compare(store, fresh)
      expect(usagesOf(database)).toEqual(usagesOf(other))
      expect(faultsOf(database)).toEqual({})
      // Told and kept each time, so that a change that is not noticed shows the next time.
      const [kept, anew] = figuresTwice(store, { zone: ODD_ZONE })
      expect(kept).toEqual(anew)
      const parts = vocabularyOf(database)
      expect([...vocabularyOf(other)].filter((each) => !parts.has(each))).toEqual([])
      const there = tree.words()
      lost = new Set([...lost, ...told].filter((each) => !there.has(each)))
      told = wordsTold(fresh)
      if (searching) search(store, fresh, lost)
    } finally {
      other.close()
      fresh.close()
    }
  }
  try {
    for (const each of happenings)
      if (each === 'refresh') check(refreshes++ % SEARCH_EACH === SEARCH_EACH - 1)
      else tree.happen(each)
    check(true)
    bringUpToDate(store, environment)
    compare(store, store)
    expect(integrityOf(database)).toBe('ok')
  } finally {
    database.close()
    store.close()
    rmSync(folder, { recursive: true })
  }
}

/** The text is compared first, for it is cheap. */
function compare(store: Store, fresh: Store): void {
  const [ours, theirs] = [toldOfAll(store, fresh), toldOfAll(fresh)]
  if (JSON.stringify([...ours]) !== JSON.stringify([...theirs])) expect(ours).toEqual(theirs)
  expect(pathsThere(store)).toEqual(pathsThere(fresh))
}

const pathsThere = (store: Store): string[] =>
  store
    .sessions()
    .flatMap(({ session, goneMs }) => (goneMs === undefined ? [session.path] : []))
    .sort()

const wordsTold = (store: Store): Set<string> => {
  const texts = [...toldOfAll(store).values()].flatMap(({ messages }) => messages)
  return new Set(texts.flatMap((each) => JSON.stringify(each).match(/w\d{5}x/g) ?? []))
}

/** What is there is found as a fresh index finds it, and what is there no more is found and marked. */
function search(store: Store, fresh: Store, lost: ReadonlySet<string>): void {
  for (const word of wordsTold(fresh)) {
    const [ours, theirs] = [store, fresh].map((each) =>
      hitsFor(each, word).filter(({ goneMs }) => goneMs === undefined),
    ) as [ReturnType<typeof hitsFor>, ReturnType<typeof hitsFor>]
    const textsOf = (hits: typeof ours) => hits.map(({ text, tool }) => text ?? tool?.target).sort()
    expect(textsOf(ours), `found of ${word}`).toEqual(textsOf(theirs))
    const placesOf = (hits: typeof ours) =>
      hits.flatMap(({ path, line, copies }) =>
        [{ path, line }, ...copies].map((each) => `${each.path}:${each.line}`),
      )
    const places = placesOf(ours)
    expect(
      placesOf(theirs).filter((each) => !places.includes(each)),
      `places of ${word}`,
    ).toEqual([])
  }
  for (const word of lost) {
    const hits = hitsFor(store, word)
    expect(hits.length, `${word} was told once`).toBeGreaterThan(0)
    expect(
      hits.filter(({ goneMs }) => goneMs === undefined),
      `${word} is gone`,
    ).toEqual([])
  }
}

describe('whatever happens to transcripts', () => {
  it('the store tells after a refresh what a fresh index tells, and keeps what is gone', () => {
    fc.assert(fc.property(fc.array(happening, { minLength: 20, maxLength: LENGTH, size: 'max' }), live), {
      numRuns: LIVES,
      interruptAfterTimeLimit: 40_000,
    })
  }, 300_000)
})
