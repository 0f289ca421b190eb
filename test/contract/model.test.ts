import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { createFoldedFiles } from '../../src/sync/read-increment.ts'
import { figuresTwice, ODD_ZONE } from '../figures-audit.ts'
import { shareOf } from '../share.ts'
import {
  bringUpToDate,
  claudeAt,
  contentOfAll,
  freshIndex,
  hitsFor,
  secondConnection,
  usagesOf,
  vocabularyOf,
} from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'
import { createLivingTree, type Happening, WHATS } from './living-tree.ts'

const MEMORY = '/dev/shm'
/** Each run applies up to `LENGTH` changes: a few thousand in all. */
const LIVES = shareOf(90)
const LENGTH = 60
/**
 * Searching for every word takes longer than everything else. It is done at the end of a run, and sometimes
 * in between.
 */
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

/** One run of changes of a tree, with a store that follows it. */
function live(engine: Engine, happenings: readonly (Happening | 'refresh')[]): void {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-model-'))
  const tree = createLivingTree(join(folder, 'claude'))
  const environment = claudeAt(join(folder, 'claude'))
  const store = engine.open()
  const audit = engine.audit(store)
  const folded = createFoldedFiles()
  /** Words that were indexed once and are in no file now. */
  let lost = new Set<string>()
  let indexed = new Set<string>()
  let refreshes = 0
  let checks = 0
  const check = (searching: boolean): void => {
    // Every third time, as another process would, which knows nothing of what this one has folded.
    bringUpToDate(store, environment, checks % 3 === 2 ? {} : { folded })
    const fresh = freshIndex(environment, join(folder, `fresh-${checks++}.db`))
    const other = secondConnection(fresh)
    try {
      compare(store, fresh)
      expect(audit.usages()).toEqual(usagesOf(other))
      expect(audit.faults()).toEqual({})
      // Computed and cached each time, so that the next time reveals an undetected change.
      const [cached, recomputed] = figuresTwice(store, audit, { zone: ODD_ZONE })
      expect(cached).toEqual(recomputed)
      const parts = audit.vocabulary()
      expect([...vocabularyOf(other)].filter((each) => !parts.has(each))).toEqual([])
      const there = tree.words()
      lost = new Set([...lost, ...indexed].filter((each) => !there.has(each)))
      indexed = wordsIn(fresh)
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
    expect(audit.integrity()).toBe('ok')
  } finally {
    audit.close()
    store.close()
    rmSync(folder, { recursive: true })
  }
}

/** The text is compared first because that is fast. Nothing is both in a file and cut off it. */
function compare(store: Store, fresh: Store): void {
  const [ours, theirs] = [contentOfAll(store, fresh), contentOfAll(fresh)]
  if (JSON.stringify([...ours]) !== JSON.stringify([...theirs])) expect(ours).toEqual(theirs)
  expect(pathsThere(store)).toEqual(pathsThere(fresh))
  for (const path of theirs.keys()) {
    const there = new Set(store.messages(path).map(({ message }) => message))
    const twice = store.cutMessages(path).filter(({ message }) => there.has(message))
    expect(twice, 'both in the file and cut off').toEqual([])
  }
}

const pathsThere = (store: Store): string[] =>
  store
    .sessions()
    .flatMap(({ session, goneMs }) => (goneMs === undefined ? [session.path] : []))
    .sort()

const wordsIn = (store: Store): Set<string> => {
  const texts = [...contentOfAll(store).values()].flatMap(({ messages }) => messages)
  return new Set(texts.flatMap((each) => JSON.stringify(each).match(/w\d{5}x/g) ?? []))
}

/** Existing words are found as by a fresh index, and deleted ones are found, marked if their file is gone. */
function search(store: Store, fresh: Store, lost: ReadonlySet<string>): void {
  for (const word of wordsIn(fresh)) {
    const [all, theirs] = [store, fresh].map((each) =>
      hitsFor(each, word).filter(({ goneMs }) => goneMs === undefined),
    ) as [ReturnType<typeof hitsFor>, ReturnType<typeof hitsFor>]
    // What was cut off a file is in no fresh index: a queued prompt, or the first part of a reply.
    const isCut = ({ path, message, copies }: (typeof all)[number]): boolean =>
      copies.length === 0 && store.cutMessages(path).some((each) => each.message === message)
    const ours = all.filter((each) => !isCut(each))
    const textsOf = (hits: typeof ours) => hits.map(({ text, tool }) => text ?? tool?.target).sort()
    expect(textsOf(ours), `hits of ${word}`).toEqual(textsOf(theirs))
    const locationsOf = (hits: typeof ours) =>
      hits.flatMap(({ path, line, copies }) =>
        [{ path, line }, ...copies].map((each) => `${each.path}:${each.line}`),
      )
    const locations = locationsOf(ours)
    expect(
      locationsOf(theirs).filter((each) => !locations.includes(each)),
      `locations of ${word}`,
    ).toEqual([])
  }
  for (const word of lost) {
    const hits = hitsFor(store, word)
    expect(hits.length, `${word} was indexed once`).toBeGreaterThan(0)
    // A file that was cut is still there, so only its words are gone.
    expect(
      hits.filter(({ goneMs, path }) => goneMs === undefined && !existsSync(path)),
      `${word} is gone`,
    ).toEqual([])
  }
}

describe.each(namedEngines)('on %s, after any changes of transcripts', (_, engine) => {
  it('a refreshed store has the same content as a fresh index, plus the deleted sessions', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 20, maxLength: LENGTH, size: 'max' }), (each) =>
        live(engine, each),
      ),
      {
        numRuns: Math.ceil(LIVES * engine.share),
        interruptAfterTimeLimit: 25_000,
      },
    )
  })
})
