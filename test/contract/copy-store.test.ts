import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CopyOptions, copyStore } from '../../src/deliver/copy-store.ts'
import { type Environment, OWN_MEMORY } from '../../src/model/artifact.ts'
import { finish } from '../../src/model/iteration.ts'
import { groupByProject } from '../../src/project/group.ts'
import { ownersOf } from '../../src/selection/costs.ts'
import { summarize } from '../../src/stats/summarize.ts'
import type { Store } from '../../src/store/store.ts'
import { createTree } from '../clickhouse/kills/tree.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, hitsFor } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'
import { answersOf } from './store-answers.ts'

const OWN = 'moss'
const environmentOf = (home: string): Environment => ({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
})

/** A store with files that were rewritten, cut off, copied, renamed and deleted, and with a document. */
function filled(engine: Engine, steps = 12, document?: string) {
  const home = temporaryHome()
  const tree = createTree(home, 3)
  const store = engine.open()
  const update = (): void => {
    bringUpToDate(store, environmentOf(home))
    store.assignProjects(
      groupByProject(store.projectFacts()).map(({ name, path, sessions }) => ({
        project: path === undefined ? undefined : { name, path },
        artifacts: sessions.map(({ artifact }) => artifact),
      })),
    )
  }
  const write = (words: string): void => {
    if (document !== undefined) put(join(home, document), `# Garden\n\nThe fern is ${words}.\n`)
  }
  write('dry')
  for (let step = 0; step < steps; step++) {
    tree.change()
    tree.grow()
    tree.grow()
    update()
  }
  write('wet')
  update()
  return { home, tree, store, update }
}

const copy = (source: Store, target: Store, more: Partial<CopyOptions> = {}) =>
  finish(copyStore(source, target, { device: OWN, ...more }))

const [, fileEngine] = namedEngines.find(([, { isFile }]) => isFile)!

const pairs = namedEngines.flatMap(([from, source]) =>
  namedEngines.flatMap(([to, target]) => (target.isFile ? { from, to, source, target } : [])),
)

describe.each(pairs)('a store of $from that is copied to $to', ({ source, target, from, to }) => {
  it('names the files that cannot be read, and copies the others', () => {
    const { store } = filled(source, 2)
    const other = target.open()
    const files = store.contents()
    const bad = files[0]!
    const damaged: Store = {
      ...store,
      copiesOf: (ids) => store.copiesOf(ids.filter((id) => id !== bad.id)),
    }
    const report = copy(damaged, other)
    expect(report.unreadable).toEqual([`${bad.device ?? OWN} ${bad.path}`])
    expect(report.differing).toEqual([])
    expect(report.copied).toBe(files.length - 1)
    expect(other.contents().map(({ path }) => path)).not.toContain(bad.path)
    for (const each of [store, other]) each.close()
  })

  it('gives the same answers', () => {
    const { store } = filled(source, 12, '.claude/projects/-home-ann-garden/memory/MEMORY.md')
    const other = target.open()
    const report = copy(store, other)
    expect(report.differing).toEqual([])
    expect(report.target).toEqual(report.source)
    expect(report.source.map(({ device }) => device)).toEqual([OWN])
    expect(answersOf(other)).toEqual(answersOf(store))
    const audits = [target.audit(other), source.audit(store)]
    if (from === to) expect(audits[0]!.faults()).toEqual(audits[1]!.faults())
    expect(audits[0]!.usages()).toEqual(audits[1]!.usages())
    expect([...audits[0]!.vocabulary()].sort()).toEqual(
      expect.arrayContaining([...audits[1]!.vocabulary()].filter((word) => hitsFor(store, word).length > 0)),
    )
    for (const each of [...audits, store, other]) each.close()
  })

  it('continues where it was interrupted, and copies what has changed since', () => {
    const { store, tree, update } = filled(source, 6)
    const other = target.open()
    let batches = 0
    const breaking: Store = {
      ...other,
      putCopies(files) {
        for (const file of files) {
          if (++batches > 5) throw new Error('killed')
          other.putCopies([file])
        }
      },
    }
    expect(() => copy(store, breaking)).toThrow('killed')
    expect(copy(store, other, { dryRun: true })).toMatchObject({ same: 5, target: [] })
    tree.change()
    tree.grow()
    update()
    const report = copy(store, other)
    expect(report).toMatchObject({ differing: [], newer: 0 })
    expect(report.copied).toBeGreaterThan(0)
    expect(answersOf(other).messages).toEqual(answersOf(store).messages)
    expect(copy(store, other)).toMatchObject({ copied: 0, differing: [] })
    const audit = target.audit(other)
    expect(audit.faults()).toEqual({})
    for (const each of [audit, store, other]) each.close()
  })

  it('reads on from the files as the other one would', () => {
    const { store, home, tree } = filled(source, 3)
    const other = target.open()
    copy(store, other)
    tree.grow()
    for (const each of [store, other]) bringUpToDate(each, environmentOf(home))
    expect(answersOf(other).messages).toEqual(answersOf(store).messages)
    for (const each of [store, other]) each.close()
  })

  it('does not get what was forgotten, and a dry run writes nothing', () => {
    const { store } = filled(source, 2)
    const [first] = store.sessions()
    const other = target.open()
    expect(copy(store, other, { dryRun: true }).copied).toBeGreaterThan(3)
    expect(other.contents()).toEqual([])
    const isForgotten = (_: string, session: string): boolean => session === first!.session.id
    expect(copy(store, other, { isForgotten })).toMatchObject({ forgotten: 1, differing: [] })
    expect(other.known().has(first!.session.path)).toBe(false)
    for (const each of [store, other]) each.close()
  })

  it('does not get the memory of this machine if that was forgotten here, but that of another one', () => {
    const { store } = filled(source, 2, '.openclaw/workspace/MEMORY.md')
    const isForgotten = (_: string, session: string): boolean => session === OWN_MEMORY
    const memoryIn = (thisDevice: string): number => {
      const other = target.open()
      copy(store, other, { isForgotten, thisDevice })
      const documents = [...other.known().values()].filter(({ artifact }) => artifact.kind === 'memory')
      other.close()
      return documents.length
    }
    expect([memoryIn(OWN), memoryIn('oak')]).toEqual([0, 1])
    store.close()
  })

  it('is said to differ if something is missing there', () => {
    const { store } = filled(source, 2)
    const other = target.open()
    copy(store, other)
    const less: Store = {
      ...other,
      contents: () =>
        other
          .contents()
          .map((file, index) => (index === 1 ? { ...file, messages: file.messages - 1 } : file)),
    }
    expect(copy(store, less).differing).toHaveLength(1)
    for (const each of [store, other]) each.close()
  })
})

/** A store of two machines. */
function twoMachines(engine: Engine) {
  const home = temporaryHome()
  const own = putClaude(home, uuid(1), [
    claude.user(1, 'Water the fern'),
    claude.reply(2, [text('Watered.')]),
  ])
  const store = engine.open()
  bringUpToDate(store, environmentOf(home))
  const [copied] = store.copiesOf([store.knownFile({ path: own })!.id])
  const { artifact, session } = copied!
  const of = { path: '/home/ann/a.jsonl', root: '/home/ann', sessionId: uuid(2) }
  store.putCopies([
    {
      ...copied!,
      artifact: { ...artifact, ...of },
      device: 'elm',
      person: 'ann',
      session: { ...session!, path: of.path, root: of.root, id: uuid(2) },
      items: copied!.items.map((item) => ({ ...item, digest: item.digest + 1 })),
      usages: copied!.usages.map((usage) => ({ ...usage, reply: usage.reply + 1 })),
    },
  ])
  return store
}

describe.each(namedEngines.filter(([, { isFile }]) => isFile))(
  'a store of two machines on %s that is copied into a file',
  (_, source) => {
    it('knows of each session whose it is, in filters and in statistics', () => {
      const [store, other] = [twoMachines(source), fileEngine.open()]
      copy(store, other)
      const all = [...other.known().values()]
      const roots = all.map(({ artifact }) => artifact.root)
      expect(other.sessionFacts(roots, { rows: false })).toContainEqual(
        expect.objectContaining({ session: uuid(2), device: 'elm', person: 'ann' }),
      )
      const hits = (words: string): (string | undefined)[] =>
        hitsFor(other, words).map(({ session }) => session)
      expect(hits('fern device:elm')).toEqual([uuid(2)])
      expect(hits('fern person:ann')).toEqual([uuid(2)])
      expect(hits('fern -device:elm')).toEqual([uuid(1)])
      expect(hits('fern device:yew')).toEqual([])
      const sessions = other.sessions().map(({ session }) => session)
      const zone = [{ fromMs: 0, offsetMs: 0 }]
      const { rows } = summarize(
        other.figures({ zone }),
        ownersOf(other, sessions, () => undefined),
        'device',
        () => undefined,
      )
      const counts = rows.map(({ key, sessions, messages }) => ({ key, sessions, ...messages }))
      expect(counts).toContainEqual({ key: 'elm', sessions: 1, human: 1, agent: 1 })
      expect(counts).toHaveLength(2)
      for (const each of [store, other]) each.close()
    })
  },
)
