import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { finish, type Steps } from '../../src/model/iteration.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { answer } from '../program.ts'
import { call, claude, put, putClaude, text, uuid } from '../records.ts'

/** A session has so much output of tools that reading all takes long. */
const OUTPUT = 'line of output without anything\n'.repeat(20_000)
const SESSIONS = 30

/** What sessions say, each in another one. The numbers of their records begin at `at`. */
const SAID: readonly ((at: number) => readonly object[])[] = [
  (at) => [claude.user(at, 'the heron waits at the pond')],
  (at) => [claude.user(at, 'go on'), claude.reply(at + 1, [text('A kingfisher, and a heron as well.')])],
  (at) => [claude.user(at, 'une crème brûlée, s’il vous plaît')],
  (at) => [claude.user(at, '请检查登录页面的错误')],
  (at) => [
    claude.user(at, 'edit it'),
    claude.reply(at + 1, [call('c1', 'Edit', { file_path: '/src/osprey-view.ts' })]),
  ],
  (at) => [
    claude.user(at, 'hello'),
    { type: 'custom-title', customTitle: 'Migrating the bittern', sessionId: uuid(5) },
  ],
  (at) => [
    claude.user(at, 'heron pond osprey bittern together'),
    claude.reply(at + 1, [text('All of these birds.')]),
  ],
  (at) => [
    claude.user(at, 'look'),
    claude.reply(at + 1, [call('c1', 'Bash', { command: 'cat birds.txt' })]),
    claude.result(at + 2, 'c1', 'only-in-output'),
  ],
]

interface Tree {
  environment: Environment
  home: string
}

function putTree(): Tree {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-test-')))
  for (let number = 0; number < SESSIONS; number++) {
    const at = number * 100 + 100
    const said = SAID[number] ?? ((first) => [claude.user(first, `session ${number} about weather`)])
    const lines = [
      ...said(at),
      claude.reply(at + 8, [call('c9', 'Bash', { command: 'ls' })]),
      claude.result(at + 9, 'c9', OUTPUT),
    ]
    putClaude(
      home,
      uuid(number),
      lines.map((line) => ({ ...line, sessionId: uuid(number) })),
    )
  }
  // Escaped by another writer.
  const escaped = join(home, '.claude/projects/-home-ann-garden', `${uuid(40)}.jsonl`)
  const line = JSON.stringify({ ...claude.user(9000, 'ein Kormoran über dem Café'), sessionId: uuid(40) })
  put(
    escaped,
    `${line.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
  )
  const history = [
    {
      display: 'a purged ptarmigan',
      timestamp: Date.parse('2026-01-02T00:00:00Z'),
      project: '/home/dev/shop',
      sessionId: uuid(77),
    },
    {
      display: 'the heron waits at the pond',
      timestamp: Date.parse('2026-11-01T00:00:00Z'),
      project: '/home/dev/shop',
      sessionId: uuid(0),
    },
  ]
  put(join(home, '.claude/history.jsonl'), history)
  return { home, environment: { home, variables: {} } }
}

async function hitsOf({ environment, home }: Tree, query: string, store: string): Promise<unknown> {
  const as = { json: true, store: join(home, store, 'store.sqlite') }
  mkdirSync(join(home, store), { recursive: true })
  const { text: json } = await answer('search', { query: query.split(' ') }, environment, as)
  const { total, hits, corrections } = JSON.parse(json) as {
    total: number
    hits: object[]
    corrections: unknown
  }
  return { total, corrections, hits: hits.map((hit) => ({ ...hit, score: undefined })) }
}

/** How many files are stored after the first search for something. */
async function storedFor(tree: Tree, query: string): Promise<number> {
  rmSync(join(tree.home, 'first'), { recursive: true, force: true })
  await hitsOf(tree, query, 'first')
  const { store } = openSqliteStore(join(tree.home, 'first/store.sqlite'), 0)
  const count = [...store.known().values()].filter(({ artifact }) => artifact.kind === 'transcript').length
  store.close()
  return count
}

describe('the first search', () => {
  let tree: Tree
  beforeAll(async () => {
    tree = putTree()
    await hitsOf(tree, 'nothing-is-called-so', 'whole')
  })
  afterAll(() => rmSync(tree.home, { recursive: true }))

  it.each([
    ['heron', 3],
    ['kingfisher', 1],
    ['creme', 1],
    ['brûlée', 1],
    ['登录', 1],
    ['osprey', 2],
    ['bittern', 2],
    ['kormoran', 1],
    ['cafe', 1],
  ])('for "%s" reads only the files that may contain it', async (query, files) => {
    expect(await storedFor(tree, query)).toBe(files)
  })

  it.each([
    'only-in-output',
    'ptarmigan',
    'hreon',
    'kingfisher bittern',
    'redacted',
    'osprey tool:Edit',
    'heron project:garden',
    'heron -session:0a1b',
  ])(
    'for "%s" reads everything, because the answer depends on more than files with these words',
    async (query) => {
      expect(await storedFor(tree, query)).toBe(SESSIONS + 1)
    },
  )

  it('answers from what is there if the human interrupts the indexing of the rest', async () => {
    const { environment, home } = tree
    rmSync(join(home, 'first'), { recursive: true, force: true })
    let works = 0
    const untilInterrupted = async <Result>(steps: Steps<Result>): Promise<Result | undefined> => {
      if (++works !== 2) return finish(steps)
      steps.next()
      steps.return?.(undefined as never)
      return undefined
    }
    const as = { json: true, store: join(home, 'first/store.sqlite'), untilInterrupted }
    mkdirSync(join(home, 'first'))
    const { text: json } = await answer('search', { query: ['kingfisher', 'bittern'] }, environment, as)
    const { incomplete } = JSON.parse(json) as { incomplete: { files: number; of: number } }
    expect(incomplete.of).toBe(SESSIONS + 1)
    expect(incomplete.files).toBeLessThan(SESSIONS)
  })

  it('gives the same answer as an index of everything, for any words', async () => {
    const words = fc.constantFrom(
      ...[
        'heron',
        'Heron',
        'hero',
        'pond',
        'kingfisher',
        'creme',
        'crème',
        'plait',
        '登录',
        '页面',
        '登录页面',
      ],
      ...['osprey', 'osprey-view', 'src/osprey', 'bittern', 'migrating', 'kormoran', 'uber', 'café', 'über'],
      ...['ptarmigan', 'weather', 'session', 'together', 'hreon', 'only-in-output', '-osprey', '"the heron"'],
      ...['who:human', 'who:agent', 'tool:Edit', 'OR'],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 3 }), async (query) => {
        rmSync(join(tree.home, 'first'), { recursive: true, force: true })
        const first = await hitsOf(tree, query.join(' '), 'first')
        expect(first).toEqual(await hitsOf(tree, query.join(' '), 'whole'))
      }),
      { numRuns: 12 },
    )
  })
})
