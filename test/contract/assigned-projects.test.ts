import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignProjects } from '../../src/project/group.ts'
import type { Store } from '../../src/store/store.ts'
import { call, claude, openclaw, put, temporaryHome, uuid } from '../records.ts'
import { share } from '../share.ts'
import { bringUpToDate } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const SLUGS = ['-home-ann-my-garden', '-home-ann-shed']
const DIRECTORIES = ['/home/ann/my-garden', '/home/ann/my/garden', '/home/ann/shed', '/srv/shed', '/tmp']
const TOUCHED = ['/home/ann/my-garden/pond.ts', '/home/ann/code/roof/tile.ts', '/srv/shed/door.ts']

/** A transcript as it is after a change. */
type Change =
  | { client: 'claude'; session: number; slug: string; directory?: string; lines: number }
  | { client: 'subagent'; session: number; of: number; slug: string; directory?: string }
  | { client: 'openclaw'; session: number; agent: string; touched: readonly string[] }
  | { client: 'gone'; file: number }

const session = fc.nat({ max: 3 })
const slug = fc.constantFrom(...SLUGS)
const directory = fc.option(fc.constantFrom(...DIRECTORIES), { nil: undefined, freq: 3 })
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    client: fc.constant('claude' as const),
    session,
    slug,
    directory,
    lines: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ client: fc.constant('subagent' as const), session, of: session, slug, directory }),
  fc.record({
    client: fc.constant('openclaw' as const),
    session,
    agent: fc.constantFrom('main', 'shed'),
    touched: fc.subarray(TOUCHED),
  }),
  fc.record({ client: fc.constant('gone' as const), file: fc.nat({ max: 9 }) }),
)

const [GARDEN, SHED] = SLUGS as [string, string]
const grown = (number: number, slug: string, directory?: string): Change => ({
  client: 'claude',
  session: number,
  slug,
  lines: 1,
  ...(directory === undefined ? {} : { directory }),
})

/** New sessions like another one that nevertheless may change the projects of others. */
const EXAMPLES: [Change[]][] = [
  // A parent that is written after its subagent.
  [
    [
      grown(1, SHED, '/home/ann/shed'),
      { client: 'subagent', session: 0, of: 2, slug: GARDEN },
      grown(2, SHED, '/home/ann/shed'),
    ],
  ],
  // One of two directories with the same slug.
  [
    [
      grown(0, GARDEN, '/home/ann/my-garden'),
      grown(1, GARDEN, '/home/ann/my/garden'),
      grown(2, GARDEN),
      grown(3, GARDEN, '/home/ann/my-garden'),
    ],
  ],
]

/** Writes the transcript. Returns its path. */
function write(home: string, change: Exclude<Change, { client: 'gone' }>): string {
  if (change.client === 'openclaw') {
    const id = uuid(500 + change.session)
    const calls = change.touched.map((path, index) => call(`t${index}`, 'write', { path, content: 'x' }))
    const lines = [openclaw.header(id), openclaw.user(1, 'Hello'), openclaw.reply(2, calls)]
    return put(join(home, '.openclaw/agents', change.agent, 'sessions', `${id}.jsonl`), lines)
  }
  const projects = join(home, '.claude/projects', change.slug)
  const own = { cwd: change.directory, sessionId: uuid(change.session) }
  if (change.client === 'claude')
    return put(
      join(projects, `${uuid(change.session)}.jsonl`),
      Array.from({ length: change.lines }, (_, index) => claude.user(index + 1, `Line ${index}`, own)),
    )
  const sidechain = { isSidechain: true, agentId: `a${change.session}`, ...own, sessionId: uuid(change.of) }
  return put(join(projects, uuid(change.of), 'subagents', `agent-a${change.session}.jsonl`), [
    claude.user(1, 'Look around', sidechain),
  ])
}

/** The same store, in which projects must not change if all sessions are read. */
const readingAll = (store: Store): Store => ({
  ...store,
  unassigned: () => undefined,
  assignProjects: (projects) => expect(projects).toEqual([]),
})

describe.each(namedEngines)('on %s, projects', (_, engine) => {
  it('are the same as if all sessions were read after each change', () => {
    // Few long histories: to open a store takes as long as several changes of it.
    const changes = fc.array(change, { minLength: 6, maxLength: 14 })
    fc.assert(
      fc.property(changes, (all) => {
        const home = temporaryHome()
        const environment = { home, variables: {} }
        const store = engine.open()
        const files: string[] = []
        for (const each of all) {
          if (each.client === 'gone') {
            const path = files[each.file]
            const id = path === undefined ? undefined : store.known().get(path)?.id
            if (id === undefined) continue
            rmSync(path!)
            store.forget([id])
          } else {
            const path = write(home, each)
            if (!files.includes(path)) files.push(path)
            bringUpToDate(store, environment)
          }
          assignProjects(store)
          assignProjects(readingAll(store))
        }
        store.close()
      }),
      { numRuns: Math.ceil(45 * share * engine.share), examples: EXAMPLES },
    )
  })
})

const [, { open }] = namedEngines.find(([, { isFile }]) => isFile)!

describe('in the store of one machine, projects', () => {
  /** Whether assigning read all sessions. */
  function assign(store: Store): boolean {
    let all = false
    assignProjects({
      ...store,
      projectFacts() {
        all = true
        return store.projectFacts()
      },
    })
    return all
  }

  it('are assigned without reading other sessions if a session only grows, or a new one is like another', () => {
    const home = temporaryHome()
    const environment = { home, variables: {} }
    const store = open()
    const [slug, directory] = [SLUGS[1]!, DIRECTORIES[2]!]
    const update = (change: Exclude<Change, { client: 'gone' }>): boolean => {
      write(home, change)
      bringUpToDate(store, environment)
      return assign(store)
    }
    expect(update({ client: 'claude', session: 1, slug, directory, lines: 1 })).toBe(true)
    expect(update({ client: 'claude', session: 1, slug, directory, lines: 2 })).toBe(false)
    expect(update({ client: 'claude', session: 2, slug, directory, lines: 1 })).toBe(false)
    expect(store.sessions().map(({ project }) => project)).toEqual(['shed', 'shed'])
    expect(update({ client: 'claude', session: 3, slug, directory: '/srv/shed', lines: 1 })).toBe(true)
    expect(store.sessions().map(({ project }) => project)).toEqual(['ann/shed', 'ann/shed', 'srv/shed'])
    expect(assign(store)).toBe(false)
    store.close()
  })
})
