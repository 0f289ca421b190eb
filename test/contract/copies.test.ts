import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { claude, put, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, hitsFor, indexOn } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

const top = sharedHome()

let folder = ''
let count = 0
beforeEach(() => {
  folder = join(top, String(count++))
})

function transcript(name: string, entries: readonly object[]): void {
  const project = join(folder, 'projects/-home-ann-garden')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, `${name}.jsonl`), entries.map((each) => `${JSON.stringify(each)}\n`).join(''))
}

describe.each(namedEngines)('on %s, a fork whose records were given new ids', (_, engine) => {
  const originals = [claude.user(1, 'plant basil'), claude.reply(2, [text('Planted the basil.')])]
  const copies = originals.map((each, index) => ({
    ...each,
    uuid: uuid(700 + index),
    sessionId: uuid(99),
    forkedFrom: { sessionId: each.sessionId, messageUuid: each.uuid },
  }))

  it('shares the messages that it names as their origin, not similar ones', () => {
    transcript(uuid(0), originals)
    transcript(uuid(99), [...copies, claude.user(9, 'plant basil again')])
    const store = indexOn(engine, claudeAt(folder))
    expect(hitsFor(store, 'basil').map(({ copies: { length }, text }) => [text, length])).toEqual(
      expect.arrayContaining([
        ['plant basil', 1],
        ['Planted the basil.', 1],
        ['plant basil again', 0],
      ]),
    )
    expect(store.statistics()).toMatchObject({ messages: 3, occurrences: 5 })
    store.close()
  })

  it('stores a message of its own if its text differs', () => {
    transcript(uuid(0), originals)
    transcript(uuid(99), [{ ...copies[0], message: { role: 'user', content: 'plant basil, in a pot' } }])
    const store = indexOn(engine, claudeAt(folder))
    expect(store.statistics()).toMatchObject({ messages: 3, occurrences: 3 })
    store.close()
  })
})

const [ORIGINAL, BRANCH] = [uuid(0), uuid(99)]
const AGENT = 'agent-a11f.jsonl'
const INTERNAL = 'agent-acompact-9ff7e167c1afb3e9.jsonl'

const conversation = [claude.user(1, 'plant basil'), claude.reply(2, [text('Planted the basil.')])]
const subagent = [
  claude.user(11, 'look after the basil', { isSidechain: true, agentId: 'a11f', parentUuid: null }),
  claude.reply(12, [text('The basil grows.')], { isSidechain: true, agentId: 'a11f' }),
]
const summary = (session: string) => [
  ...conversation.map((each) => ({ ...each, isSidechain: true, sessionId: session })),
  claude.user(21, 'Summarize the basil.', { isSidechain: true, sessionId: session }),
  claude.reply(22, [text('A summary of basil.')], { isSidechain: true, sessionId: session }),
]

/** The files of a session, by their names below the folder of its project. */
const files = {
  original: {
    [`${ORIGINAL}.jsonl`]: conversation,
    [join(ORIGINAL, 'subagents', AGENT)]: subagent,
  },
  /** What `/branch` makes: copies with the same ids, which name the session they are from, and a new prompt. */
  branch: {
    [`${BRANCH}.jsonl`]: [
      ...conversation.map((each) => ({
        ...each,
        sessionId: BRANCH,
        forkedFrom: { sessionId: ORIGINAL, messageUuid: each.uuid },
      })),
      claude.user(31, 'plant mint as well', { sessionId: BRANCH }),
    ],
    [join(BRANCH, 'subagents', AGENT)]: subagent.map((each) => ({ ...each, sessionId: BRANCH })),
  },
  /** The fork that the client makes for itself to summarize a conversation. */
  internal: { [join(ORIGINAL, 'subagents', INTERNAL)]: summary(ORIGINAL) },
}

/** Indexes these parts one after another. */
function indexed(engine: Engine, ...parts: (keyof typeof files)[]): Store {
  const folder = join(temporaryHome(), '.claude')
  const store = engine.open()
  for (const part of parts) {
    for (const [name, lines] of Object.entries(files[part]))
      put(join(folder, 'projects/-home-ann-garden', name), lines)
    bringUpToDate(store, claudeAt(folder))
  }
  return store
}

/** Which file has each text, and how many others have it as well. */
const owners = (store: Store, words: string): string[] =>
  hitsFor(store, words)
    .map(
      ({ text, path, copies }) =>
        `${text} ${path.includes(BRANCH) ? 'branch' : 'original'} +${copies.length}`,
    )
    .sort()

const tokens = (store: Store): number =>
  [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
    .flatMap(({ usage }) => usage)
    .reduce((sum, { input }) => sum + input, 0)

describe.each(namedEngines)('on %s, words that a branch of a session repeats', (_, engine) => {
  it.each([[['original', 'branch'] as const], [['branch', 'original'] as const]])(
    'belong to the original, as do those of its subagents: %j',
    (order) => {
      const store = indexed(engine, ...order)
      expect(owners(store, 'basil')).toEqual([
        'Planted the basil. original +1',
        'The basil grows. original +1',
        'look after the basil original +1',
        'plant basil original +1',
      ])
      expect(owners(store, 'mint')).toEqual(['plant mint as well branch +0'])
      expect(tokens(store)).toBe(6)
      store.close()
    },
  )
})

describe.each(namedEngines)('on %s, words that a fork for a summary repeats', (_, engine) => {
  it.each([[['original', 'internal'] as const], [['internal', 'original'] as const]])(
    'are never new, nor are their tokens: %j',
    (order) => {
      const store = indexed(engine, ...order)
      const found = hitsFor(store, 'basil').map(({ text, who, path }) =>
        [text, who, path.includes('acompact') ? 'fork' : 'original'].join(', '),
      )
      expect(found.sort()).toEqual([
        'A summary of basil., agent, fork',
        'Planted the basil., agent, original',
        'Summarize the basil., program, fork',
        'The basil grows., agent, original',
        'look after the basil, program, original',
        'plant basil, human, original',
      ])
      expect(tokens(store)).toBe(9)
      store.close()
    },
  )
})

const [ONE, OTHER] = [uuid(1), uuid(2)]

const lines = [
  claude.user(1, 'plant basil'),
  claude.reply(2, [text('Planted the basil.')]),
  claude.user(3, 'water the basil'),
  claude.reply(4, [text('Watered the basil.')]),
]
const copied = lines.map((each) => ({ ...each, sessionId: OTHER }))

/** A store, and a function that writes files and indexes them. */
function writing(engine: Engine) {
  const folder = join(temporaryHome(), '.claude')
  const store = engine.open()
  return {
    store,
    write(session: string, records: readonly object[]): void {
      put(join(folder, 'projects/-home-ann-garden', `${session}.jsonl`), records)
      bringUpToDate(store, claudeAt(folder))
    },
  }
}

/** The messages that statistics count, and those of all listed sessions. */
const counts = (store: Store) => ({
  stats: [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
    .flatMap(({ messages }) => messages)
    .reduce((sum, { count }) => sum + count, 0),
  sessions: store.sessions().reduce((sum, { session }) => sum + session.human + session.agentMessages, 0),
})

/** What a search finds, and whether it says that it is gone. */
const found = (store: Store): string[] =>
  hitsFor(store, 'basil')
    .map((hit) => `${hit.text}${hit.goneMs === undefined ? '' : ' [gone]'}`)
    .sort()

describe.each(namedEngines)('on %s, messages that are no longer in their file', (_, engine) => {
  it('are found as gone and counted nowhere if the file was changed in its middle', () => {
    const { store, write } = writing(engine)
    write(ONE, lines)
    expect(counts(store)).toEqual({ stats: 4, sessions: 4 })
    write(ONE, [lines[0]!, ...lines.slice(2)])
    expect(counts(store)).toEqual({ stats: 3, sessions: 3 })
    expect(tokens(store)).toBe(3)
    expect(found(store)).toEqual([
      'Planted the basil. [gone]',
      'Watered the basil.',
      'plant basil',
      'water the basil',
    ])
    write(ONE, lines)
    expect(counts(store)).toEqual({ stats: 4, sessions: 4 })
    expect(tokens(store)).toBe(6)
    store.close()
  })

  it('belong to the session, and are marked, if the client cut off the beginning', () => {
    const { store, write } = writing(engine)
    write(ONE, lines)
    write(ONE, lines.slice(2))
    expect(counts(store)).toEqual({ stats: 4, sessions: 4 })
    expect(found(store)).toEqual([
      'Planted the basil. [gone]',
      'Watered the basil.',
      'plant basil [gone]',
      'water the basil',
    ])
    store.close()
  })

  it('count while another file has them', () => {
    const { store, write } = writing(engine)
    write(ONE, lines)
    write(OTHER, [...copied, claude.user(9, 'plant mint', { sessionId: OTHER })])
    write(ONE, [lines[0]!, ...lines.slice(2)])
    expect(counts(store).stats).toBe(5)
    expect(found(store)).not.toContain('Planted the basil. [gone]')
    store.close()
  })
})
