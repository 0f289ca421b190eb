import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { closeConnections } from '../../src/platforms/openclaw/database/connection.ts'
import type { SearchHit } from '../../src/store/search.ts'
import type { Store } from '../../src/store/store.ts'
import { agentDatabase } from '../agent-databases.ts'
import { type SchemaVersion, VERSIONS } from '../agent-schemas.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { openclaw } from '../records.ts'
import { shareOf } from '../share.ts'
import {
  bringUpToDate,
  contentOfAll,
  freshIndex,
  hitsFor,
  secondConnection,
  usagesOf,
} from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

const MEMORY = '/dev/shm'
/** Each run applies up to `LENGTH` changes: a few hundred in all, for every schema. */
const LIVES = shareOf(12)
const LENGTH = 60
const MOST_SESSIONS = 5

const WHATS = [
  'appends',
  'appends',
  'appends',
  'appends after a gap',
  'rewrites',
  'rewrites and grows',
  'loses its end',
  'loses its end and grows',
  'is gone',
  'is touched',
  'gets another window',
  'vacuums',
  'works off its log',
  'closes',
  'is another file',
] as const
const PACKED = ['packs', 'is reset', 'is deleted', 'freezes', 'freezes into a row'] as const

interface Happening {
  what: (typeof WHATS)[number] | (typeof PACKED)[number] | 'refresh'
  session: number
  amount: number
}

const happeningOf = (version: SchemaVersion): fc.Arbitrary<Happening> =>
  fc.record({
    what: fc.oneof(
      { weight: 2, arbitrary: fc.constant('refresh' as const) },
      { weight: 4, arbitrary: fc.constantFrom(...WHATS, ...(version >= 23 ? PACKED : [])) },
    ),
    session: fc.nat({ max: 20 }),
    amount: fc.nat({ max: 60 }),
  })

/** An agent's database whose sessions change. Every word in it is in one record only. */
function livingDatabase(state: string, version: SchemaVersion) {
  const made = agentDatabase(state, version)
  let numbers = 0
  let names = 0
  /** Sessions whose records are in the table of all records. */
  const there: string[] = []
  const turn = (): object => {
    const number = ++numbers
    const word = `w${String(number).padStart(5, '0')}x`
    return number % 3 === 0
      ? openclaw.reply(number, [{ type: 'text', text: `told ${word} ${'at length '.repeat(number % 70)}` }])
      : openclaw.user(number, `said ${word}`)
  }
  const turns = (count: number): object[] => Array.from({ length: count }, turn)
  const start = (key: string, amount: number): void => {
    const id = `session-${++names}`
    made.session(id, [openclaw.header(id), ...turns(1 + amount)], { key })
    there.push(id)
  }
  const rows = (id: string): number =>
    Number(
      made.database.prepare('SELECT max(seq) AS last FROM transcript_events WHERE session_id = ?').get(id)
        ?.last ?? -1,
    ) + 1
  const leave = (id: string): void => void there.splice(there.indexOf(id), 1)
  const happen: Record<Exclude<Happening['what'], 'refresh'>, (id: string, amount: number) => void> = {
    appends: (id, amount) => made.append(id, turns(1 + (amount % 9))),
    'appends after a gap': (id, amount) => made.append(id, turns(1 + (amount % 3)), 1 + (amount % 4)),
    rewrites: (id, amount) => made.rewrite(id, amount % Math.max(1, rows(id)), turn()),
    'rewrites and grows'(id, amount) {
      made.rewrite(id, amount % Math.max(1, rows(id)), turn())
      made.append(id, turns(1 + (amount % 20)))
    },
    'loses its end': (id, amount) => made.cut(id, amount % (rows(id) + 1)),
    'loses its end and grows'(id, amount) {
      const length = rows(id)
      made.cut(id, amount % (length + 1))
      made.append(id, turns(1 + (amount % 5) + (amount % 2 === 0 ? length : 0)))
    },
    'is gone'(id) {
      made.drop(id)
      leave(id)
    },
    'is touched': (id) => made.touch(id),
    'gets another window': (_, amount) => start(`agent:main:${amount % 4}`, amount % 5),
    vacuums: () => made.database.exec('VACUUM'),
    'works off its log': () => made.database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    closes: () => made.reopen(),
    'is another file': () => made.replace(),
    packs: (id) => made.pack(id),
    'is reset': (id, amount) => {
      made.archive(id, 'reset', amount % 2 === 0 ? 'zstd' : 'identity')
      if (amount % 3 === 0) made.append(id, turns(2))
    },
    'is deleted'(id) {
      made.archive(id, 'deleted')
      leave(id)
    },
    freezes(id) {
      if (rows(id) === 0) return
      made.freeze(id, 'file')
      leave(id)
    },
    'freezes into a row'(id) {
      if (rows(id) === 0) return
      made.freeze(id, 'sqlite')
      leave(id)
    },
  }
  return {
    close: made.close,
    happen({ what, session, amount }: Happening): void {
      if (there.length === 0 || (there.length < MOST_SESSIONS && amount % 5 === 0))
        start(`agent:main:${session % 4}`, amount)
      if (what !== 'refresh') happen[what](there[session % there.length]!, amount)
    },
  }
}

const wordsIn = (text: string | null | undefined): string[] => text?.match(/w\d{5}x/g) ?? []

/**
 * Whatever was deleted from the database, rewritten or moved within it: every record that was ever read is in
 * the store once, counts once, and is found where a citation of it says.
 */
function expectAllOf(seen: ReadonlySet<string>, store: Store): void {
  const held = store.sessions().map(({ session, goneMs }) => {
    const { path, human, agentMessages } = session
    const items = [...store.cutMessages(path), ...store.messages(path)]
    const words = items.flatMap(({ text }) => wordsIn(text))
    expect(human + agentMessages).toBe(words.length)
    return { words, isGone: goneMs !== undefined }
  })
  const [gone, there] = [true, false].map((which) =>
    held.flatMap(({ words, isGone }) => (isGone === which ? words : [])),
  ) as [string[], string[]]
  // All records of a session that is gone may be in an archive of it.
  expect([...there, ...gone.filter((word) => !there.includes(word))].sort()).toEqual([...seen].sort())
  const counted = Array.from(store.figures({ zone: ODD_ZONE })).flatMap(({ messages }) => messages)
  expect(
    counted.reduce((sum, { who, count }) => sum + (who === 'human' || who === 'agent' ? count : 0), 0),
  ).toBe(seen.size)
  for (const word of seen) {
    const hits = hitsFor(store, word)
    expect(hits).toHaveLength(1)
    const [{ path, line }] = hits as [SearchHit]
    expect(store.messages(path, { line, count: 1 }).flatMap(({ text }) => wordsIn(text))).toEqual([word])
  }
}

/** One run of changes of a database, with a store that follows it. */
function live(engine: Engine, version: SchemaVersion, happenings: readonly Happening[]): void {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-database-'))
  const state = join(folder, '.openclaw')
  const living = livingDatabase(state, version)
  const environment: Environment = {
    home: '/nowhere',
    variables: {},
    dirs: { 'claude-code': [], openclaw: [state] },
  }
  const store = engine.open()
  const audit = engine.audit(store)
  let checks = 0
  /** The words of all records that were there at any check. */
  const seen = new Set<string>()
  const check = (): void => {
    expect(bringUpToDate(store, environment).faults).toEqual([])
    const fresh = freshIndex(environment, join(folder, `fresh-${checks++}.db`))
    const other = secondConnection(fresh)
    const [ours, theirs] = [contentOfAll(store, fresh), contentOfAll(fresh)]
    if (JSON.stringify([...ours]) !== JSON.stringify([...theirs])) expect(ours).toEqual(theirs)
    expect(store.sessions().filter(({ goneMs }) => goneMs === undefined)).toHaveLength(theirs.size)
    expect(audit.usages()).toEqual(usagesOf(other))
    expect(audit.faults()).toEqual({})
    for (const { messages } of theirs.values())
      for (const { text } of messages) for (const word of wordsIn(text)) seen.add(word)
    expectAllOf(seen, store)
    other.close()
    fresh.close()
  }
  try {
    for (const each of happenings) {
      living.happen(each)
      if (each.what === 'refresh') check()
    }
    check()
    living.close()
    check()
  } finally {
    closeConnections()
    audit.close()
    store.close()
    rmSync(folder, { recursive: true })
  }
}

describe.each(namedEngines)('on %s, after any changes of a database', (_, engine) => {
  it.each(VERSIONS)('a refreshed store has the same content as a fresh one: schema %i', (version) => {
    const lives = fc.array(happeningOf(version), { minLength: 20, maxLength: LENGTH, size: 'max' })
    fc.assert(
      fc.property(lives, (happenings) => live(engine, version, happenings)),
      { numRuns: Math.ceil(LIVES * engine.share), interruptAfterTimeLimit: 12_000 },
    )
  })
})
