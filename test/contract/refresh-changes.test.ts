import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { createFoldedFiles } from '../../src/sync/read-increment.ts'
import { lookFirst, refresh, unchanged } from '../../src/sync/refresh.ts'
import { checkout } from '../program.ts'
import { claude, temporaryHome, uuid } from '../records.ts'
import { appendLater, date, indexed, line } from '../refreshed-home.ts'
import { bringUpToDate, freshIndex, hitsFor } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

describe.each(namedEngines)('a refresh on %s', (_, engine) => {
  /** The store of a test, for changes in several steps. */
  let current: { store: ReturnType<typeof engine.open>; environment: Environment } | undefined

  describe('notices the change of one file:', () => {
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
      const { environment, paths, store } = indexed(20, engine.open())
      expect(unchanged(store, { environment })).toBeDefined()
      change(paths[3]!, paths[4]!)
      expect(unchanged(store, { environment })).toBeUndefined()
      expect(bringUpToDate(store, environment)).toMatchObject(counts)
      expect(unchanged(store, { environment })).toBeDefined()
      store.close()
    })
  })

  const home = (folder: string): Environment => {
    const path = temporaryHome()
    cpSync(join(checkout, 'test/fixtures', folder), path, { recursive: true })
    return { home: path, variables: {} }
  }

  it('reads a session again when a neighboring file says where it ran', () => {
    const environment = home('gemini-cli/words')
    const projects = join(environment.home, '.gemini/projects.json')
    const known = readFileSync(projects)
    rmSync(projects)
    const store = engine.open()
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 1 })
    writeFileSync(projects, known)
    expect(unchanged(store, { environment })).toBeUndefined()
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 1 })
    expect(store.sessions().map(({ session }) => session.cwds[0]?.[0])).toEqual(['/home/ann/garden'])
    store.close()
  })

  it.each<[what: string, change: (path: string) => void]>([
    ['touched', (path) => date(path, 1_700_000_001)],
    [
      'copied over itself, as a restore or a checkout does',
      (path) => {
        const content = readFileSync(path)
        rmSync(path)
        writeFileSync(path, content)
        date(path, 1_700_000_002)
      },
    ],
    [
      'deleted, indexed, and restored',
      (path) => {
        renameSync(path, `${path}.away`)
        bringUpToDate(current!.store, current!.environment)
        renameSync(`${path}.away`, path)
        date(path, 1_700_000_003)
      },
    ],
    [
      'changed, indexed, and changed back',
      (path) => {
        const content = readFileSync(path)
        writeFileSync(path, '# Memory\n\n- The crane left.\n')
        bringUpToDate(current!.store, current!.environment)
        writeFileSync(path, content)
        date(path, 1_700_000_004)
      },
    ],
  ])('finds the paragraphs of a memory document that was %s', (_, change) => {
    const environment = { home: temporaryHome(), variables: {} }
    const workspace = join(environment.home, '.openclaw/workspace')
    mkdirSync(workspace, { recursive: true })
    writeFileSync(join(environment.home, '.openclaw/openclaw.json'), '{}')
    const path = join(workspace, 'MEMORY.md')
    writeFileSync(path, '# Memory\n\n- The heron nests in the reed bed.\n')
    const store = engine.open()
    current = { store, environment }
    const found = () =>
      hitsFor(store, 'heron').map(({ text, goneMs }) => ({ text, gone: goneMs !== undefined }))
    bringUpToDate(store, environment)
    const before = found()
    expect(before).toEqual([{ text: '- The heron nests in the reed bed.', gone: false }])
    for (let times = 0; times < 2; times++) {
      change(path)
      bringUpToDate(store, environment)
      expect(found()).toEqual(before)
    }
    store.close()
  })

  it('reads a thread again when another file takes its end back', () => {
    const environment = home('codex/undone')
    const folder = join(environment.home, '.codex/sessions/2026/11/01')
    const [name] = readdirSync(folder) as [string]
    const store = engine.open()
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 1 })
    const segment = name.replace('.jsonl', `_${uuid(2)}.jsonl`)
    writeFileSync(
      join(folder, segment),
      '{"timestamp":"2026-11-01T11:00:00.000Z","ordinal":3,"type":"turn_context","payload":{}}\n',
    )
    expect(unchanged(store, { environment })).toBeUndefined()
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 2 })
    store.close()
  })

  it('knows a file again that its client compressed, and one that it unpacked and continued', () => {
    const environment = home('codex/told-twice')
    const folder = join(environment.home, '.codex/sessions/2026/11/01')
    const path = join(folder, readdirSync(folder)[0]!)
    const store = engine.open()
    bringUpToDate(store, environment)
    const facts = () => store.sessions().map(({ session }) => [session.path, session.human, session.usage])
    const [before] = facts()
    const plain = readFileSync(path)
    writeFileSync(`${path}.zst`, zstdCompressSync(plain))
    rmSync(path)
    expect(bringUpToDate(store, environment)).toMatchObject({ moved: 1, gone: 0 })
    expect(facts()).toEqual([[`${path}.zst`, ...before!.slice(1)]])
    writeFileSync(path, Buffer.concat([plain, plain.subarray(plain.lastIndexOf('\n', -2) + 1)]))
    expect(bringUpToDate(store, environment)).toMatchObject({ moved: 1, gone: 0 })
    expect(facts()).toEqual([[path, ...before!.slice(1)]])
    store.close()
  })

  it('looks again if another process has read more than was there', () => {
    const { environment, paths, store } = indexed(20, engine.open())
    const seen = lookFirst(store, { environment })
    appendLater(paths[0]!)
    const other = engine.openAgain(store)
    expect(bringUpToDate(other, environment)).toMatchObject({ read: 1 })
    expect(
      refresh(store, { environment, seen, now: Date.now(), threads: () => 1, faultOf: String }),
    ).toMatchObject({ read: 0, gone: 0 })
    for (const each of [other, store]) each.close()
  })

  it('reads only what is new of a file that grew before, while the program stays', () => {
    const { environment, paths, store } = indexed(20, engine.open())
    const [path] = paths as [string]
    const folded = createFoldedFiles()
    const growBy = (number: number): { bytes: number; added: number } => {
      const added = line(claude.user(number, `words of line ${number}`))
      appendFileSync(path, added)
      date(path, 1_700_000_100 + number)
      return { bytes: bringUpToDate(store, environment, { folded }).bytes, added: added.length }
    }
    const first = growBy(100)
    expect(first.bytes).toBeGreaterThan(first.added)
    for (const number of [101, 102]) {
      const { bytes, added } = growBy(number)
      expect(bytes).toBe(added)
    }
    folded.clear()
    const cleared = growBy(103)
    expect(cleared.bytes).toBeGreaterThan(cleared.added)
    expect(store.messages(path).map(({ text }) => text)).toEqual(
      freshIndex(environment)
        .messages(path)
        .map(({ text }) => text),
    )
    store.close()
  })

  it('changes the counts of the store, which may be cached until then', () => {
    const { environment, paths, store } = indexed(20, engine.open())
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
    store.close()
  })
})

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
