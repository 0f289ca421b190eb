import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { lookFirst, refresh, type Seen, unchanged } from '../../src/sync/refresh.ts'
import { temporaryHome } from '../records.ts'
import { appendLater, indexed } from '../refreshed-home.ts'

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

const fileStore = (): Store => openSqliteStore(join(temporaryHome(), 'store.sqlite'), 0).store

/** The work of a refresh with nothing new, and of counting what is stored, as the command `index` does. */
function workOf(store: Store, environment: Environment): Work {
  store.statistics()
  Object.assign(work, none)
  const found = unchanged(store, { environment })
  store.statistics()
  const counts = { ...work }
  expect(found).toMatchObject({ read: 0, gone: 0, moved: 0 })
  return counts
}

describe('a refresh with nothing new', () => {
  it('checks each file once and lists each folder once, and nothing else grows with the files', () => {
    const few = indexed(20, fileStore())
    const many = indexed(120, fileStore())
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
    const { environment, paths, store } = indexed(20, fileStore())
    const found = unchanged(store, { environment })!
    expect(found.unchanged).toBe(paths.length)
    expect(found.artifacts.map(({ path }) => path).sort()).toEqual([...paths].sort())
    const at = found.artifacts.map((_, index) => found.artifactAt(index))
    found.freeArtifacts()
    expect(found.artifacts.map((_, index) => found.artifactAt(index))).toEqual(at)
  })
})

describe('a refresh that was preceded by a look at the disk', () => {
  const refreshed = (store: Store, environment: Environment, seen: Seen) =>
    refresh(store, { environment, seen, now: Date.now(), threads: () => 1, faultOf: String })

  it('does not look again if no other process has written since', () => {
    const { environment, paths, store } = indexed(20, fileStore())
    appendLater(paths[0]!)
    const seen = lookFirst(store, { environment })
    Object.assign(work, none)
    expect(refreshed(store, environment, seen)).toMatchObject({ read: 1 })
    expect(work.listed).toBe(0)
  })
})
