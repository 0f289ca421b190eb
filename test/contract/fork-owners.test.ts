import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { claude, put, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, hitsFor } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

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
