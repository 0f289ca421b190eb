import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { lookFirst, refresh, type Seen, upToDate } from '../../src/collect/index/refresh.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'

/** What was done, as counts. Objects are artifacts. */
interface Work {
  listed: number
  checked: number
  opened: number
  statements: number
  rows: number
  objects: number
  redacted: number
}

const none: Work = { listed: 0, checked: 0, opened: 0, statements: 0, rows: 0, objects: 0, redacted: 0 }
const work = vi.hoisted(
  (): Work => ({ listed: 0, checked: 0, opened: 0, statements: 0, rows: 0, objects: 0, redacted: 0 }),
)

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>()
  const counted = <Name extends keyof typeof fs>(name: Name, count: keyof Work) => ({
    [name]: (...given: unknown[]) => {
      work[count]++
      return (fs[name] as (...given: unknown[]) => unknown)(...given)
    },
  })
  return {
    ...fs,
    ...counted('readdirSync', 'listed'),
    ...counted('openSync', 'opened'),
    ...counted('statSync', 'checked'),
    ...counted('lstatSync', 'checked'),
    ...counted('existsSync', 'checked'),
  }
})

vi.mock('../../src/io/directories.ts', async (load) => {
  const directories = await load<typeof import('../../src/io/directories.ts')>()
  const identityOf: typeof directories.identityOf = (stats) => {
    work.objects++
    return directories.identityOf(stats)
  }
  return { ...directories, identityOf }
})

vi.mock('../../src/redact/redact.ts', async (load) => {
  const { redact, ...others } = await load<typeof import('../../src/redact/redact.ts')>()
  return {
    ...others,
    redact(text: string) {
      work.redacted++
      return redact(text)
    },
  }
})

type Query = (this: StatementSync, ...given: unknown[]) => unknown
for (const name of ['get', 'all'] as const) {
  const original = StatementSync.prototype[name] as Query
  const counting: Query = function (...given) {
    const answer = original.apply(this, given)
    work.statements++
    work.rows += Array.isArray(answer) ? answer.length : answer === undefined ? 0 : 1
    return answer
  }
  Object.assign(StatementSync.prototype, { [name]: counting })
}

const date = (path: string, seconds = 1_700_000_000): void => utimesSync(path, seconds, seconds)
const line = (entry: object): string => `${JSON.stringify(entry)}\n`

/** A home with this many transcripts, two subagents of each tenth, and its store. */
function indexed(files: number) {
  const home = temporaryHome()
  const environment: Environment = { home, variables: {} }
  const paths: string[] = []
  for (let number = 1; number <= files; number++) {
    const path = putClaude(home, uuid(number), [claude.user(number * 10, `said ${number}`)])
    paths.push(path)
    if (number % 10 !== 0) continue
    for (const name of ['agent-1', 'agent-2']) {
      const own = join(path.slice(0, -'.jsonl'.length), 'subagents', `${name}.jsonl`)
      put(own, line(claude.user(number * 10 + 1, `asked ${name}`)))
      paths.push(own)
    }
  }
  for (const path of paths) date(path)
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  bringUpToDate(store, environment)
  return { environment, paths, store }
}

/** The work of a refresh with nothing new, and of counting what is stored, as the command `index` does. */
function workOf(store: Store, environment: Environment): Work {
  store.statistics()
  Object.assign(work, none)
  const found = upToDate(store, { environment })
  store.statistics()
  const counts = { ...work }
  expect(found).toMatchObject({ read: 0, gone: 0, moved: 0 })
  return counts
}

describe('a refresh with nothing new', () => {
  it('checks each file once and lists each folder once, and nothing else grows with the files', () => {
    const few = indexed(20)
    const many = indexed(120)
    const [less, more] = [workOf(few.store, few.environment), workOf(many.store, many.environment)]
    const growth = Object.fromEntries(
      Object.entries(more).map(([name, count]) => [name, count - less[name as keyof Work]]),
    )
    // 100 transcripts with 20 subagents, in 10 more folders, each in the folder of a session.
    expect(growth).toEqual({ ...none, checked: 120, listed: 20 })
    expect(more).toMatchObject({ opened: 0, objects: 0, redacted: 0 })
    expect(more.statements).toBeLessThan(10)
    expect(more.rows).toBeLessThan(10)
  })

  it('still returns every artifact to a command that lists them', () => {
    const { environment, paths, store } = indexed(20)
    const found = upToDate(store, { environment })!
    expect(found.unchanged).toBe(paths.length)
    expect(found.artifacts.map(({ path }) => path).sort()).toEqual([...paths].sort())
    const at = found.artifacts.map((_, index) => found.artifactAt(index))
    found.freeArtifacts()
    expect(found.artifacts.map((_, index) => found.artifactAt(index))).toEqual(at)
  })
})

describe('a change of one file is noticed:', () => {
  it.each<[what: string, change: (path: string, other: string) => void, counts: object]>([
    ['a line was appended', (path) => appendLater(path), { read: 1 }],
    [
      'half of a line was appended, and the time set back',
      (path) => {
        appendFileSync(path, '{"type":')
        date(path)
      },
      { read: 1 },
    ],
    ['it was shortened, and the time set back', (path) => shorten(path), { read: 1 }],
    ['only its time changed', (path) => date(path, 1_700_000_001), { read: 1 }],
    ['it was deleted', (path) => rmSync(path), { gone: 1 }],
    [
      'it was renamed',
      (path) => renameSync(path, path.replace(/[0-9a-f]+\.jsonl$/, 'e.jsonl')),
      { moved: 1 },
    ],
    ['it was moved to another folder', (path) => moveAway(path), { moved: 1 }],
    ['two files changed their names', (path, other) => swap(path, other), { moved: 2 }],
  ])('%s', (_, change, counts) => {
    const { environment, paths, store } = indexed(20)
    expect(upToDate(store, { environment })).toBeDefined()
    change(paths[3]!, paths[4]!)
    expect(upToDate(store, { environment })).toBeUndefined()
    expect(bringUpToDate(store, environment)).toMatchObject(counts)
    expect(upToDate(store, { environment })).toBeDefined()
  })
})

function appendLater(path: string): void {
  appendFileSync(path, line(claude.user(7, 'more')))
  date(path, 1_700_000_100)
}

function shorten(path: string): void {
  truncateSync(path, 10)
  date(path)
}

function moveAway(path: string): void {
  const other = path.replace(/[^/]+(?=\/[^/]+$)/, '-home-ann-moss')
  mkdirSync(dirname(other))
  renameSync(path, other)
}

function swap(path: string, other: string): void {
  renameSync(path, `${path}.tmp`)
  renameSync(other, path)
  renameSync(`${path}.tmp`, other)
}

describe('a refresh that was preceded by a look at the disk', () => {
  const refreshed = (store: Store, environment: Environment, seen: Seen) =>
    refresh(store, { environment, seen, now: Date.now(), threads: () => 1, faultOf: String })

  it('does not look again if no other process has written since', () => {
    const { environment, paths, store } = indexed(20)
    appendLater(paths[0]!)
    const seen = lookFirst(store, { environment })
    Object.assign(work, none)
    expect(refreshed(store, environment, seen)).toMatchObject({ read: 1 })
    expect(work.listed).toBe(0)
  })

  it('looks again if another process has read more than was there', () => {
    const { environment, paths, store } = indexed(20)
    const seen = lookFirst(store, { environment })
    appendLater(paths[0]!)
    const { store: other } = openSqliteStore(store.path, 0)
    expect(bringUpToDate(other, environment)).toMatchObject({ read: 1 })
    expect(refreshed(store, environment, seen)).toMatchObject({ read: 0, gone: 0 })
  })
})

describe('the counts of the store', () => {
  it('are cached until something is written', () => {
    const { environment, paths, store } = indexed(20)
    expect(store.statistics()).toEqual(store.statistics())
    appendFileSync(paths[0]!, line(claude.user(9, 'one more')))
    date(paths[0]!, 1_700_000_100)
    const { messages, gone } = store.statistics()
    rmSync(paths[1]!)
    bringUpToDate(store, environment)
    expect(store.statistics()).toMatchObject({ messages: messages + 1, gone: gone + 1 })
    expect(store.statistics()).toMatchObject({ messages: messages + 1, gone: gone + 1 })
    store.forget([store.knownFile({ path: paths[2]! })!.id])
    expect(store.statistics()).toMatchObject({ messages, artifacts: paths.length - 1 })
  })
})
