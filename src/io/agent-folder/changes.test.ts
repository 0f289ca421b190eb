import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'
import { shareOf } from '../../../test/share.ts'
import {
  applyChanges,
  ChangedMeanwhile,
  changeHook,
  lastChange,
  type Planned,
  settleChanges,
  undoChanges,
} from './changes.ts'
import { digestOf, namesOf, pathBelow } from './paths.ts'

afterEach(() => {
  changeHook.step = undefined
})

/** Every file and folder below a folder, with contents. */
function treeOf(folder: string): Record<string, string | null> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name)
      return [name, lstatSync(path).isDirectory() ? null : readFileSync(path, 'utf8')]
    }),
  )
}

function homes() {
  const home = temporaryHome()
  const root = join(home, 'agent')
  mkdirSync(root, { mode: 0o700 })
  return { home, root, dataFolder: join(home, 'own') }
}

function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

const write = (root: string, below: string, text: string): Planned => ({
  type: 'write',
  root,
  below,
  before: digestOf(join(root, below)),
  content: () => [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))],
})

const BEFORE = { 'p/a': 'a1', 'p/b': 'b1', 'p/s/c': 'c1', 'list.json': '{}' }

/**
 * The changes that a move makes: new and changed files, renamed files and folders, and a folder that empties.
 */
const moved = (root: string): Planned[] => [
  write(root, 'q/a', 'a2'),
  { type: 'remove', root, below: 'p/a', before: digestOf(join(root, 'p/a'))! },
  { type: 'rename', root, below: 'p/b', to: 'q/b' },
  { type: 'rename', root, below: 'p/s', to: 'q/s' },
  { type: 'clear', root, below: 'p' },
  write(root, 'list.json', '{"q":1}'),
  write(root, 'new/deep/file', 'new'),
]
const AFTER = {
  'list.json': '{"q":1}',
  new: null,
  'new/deep': null,
  'new/deep/file': 'new',
  q: null,
  'q/a': 'a2',
  'q/b': 'b1',
  'q/s': null,
  'q/s/c': 'c1',
}

/** Runs work that dies at a step, and everything after it too. Returns whether it died. */
function dyingAt(step: number, work: () => void): boolean {
  let count = 0
  changeHook.step = () => {
    if (count++ >= step) throw new Error('killed')
  }
  try {
    work()
    return false
  } catch (error) {
    if ((error as Error).message !== 'killed') throw error
    return true
  } finally {
    changeHook.step = undefined
  }
}

describe('changes below the folder of an agent', () => {
  it('are made, and undone', () => {
    const { root, dataFolder } = homes()
    put(root, BEFORE)
    const before = treeOf(root)
    applyChanges(moved(root), { dataFolder, command: 'move', nowMs: 0 })
    expect(treeOf(root)).toEqual(AFTER)
    expect(lastChange({ dataFolder })).toMatchObject({ command: 'move' })
    undoChanges({ dataFolder })
    expect(treeOf(root)).toEqual(before)
    expect(lastChange({ dataFolder })).toBeUndefined()
  })

  it('are complete or reversed by the next run, wherever a run dies, that one included', () => {
    for (let step = 0; ; step++) {
      const { root, dataFolder } = homes()
      put(root, BEFORE)
      const before = treeOf(root)
      const died = dyingAt(step, () => applyChanges(moved(root), { dataFolder, command: 'x', nowMs: 0 }))
      for (let again = 0; dyingAt(again, () => settleChanges({ dataFolder })); again++) {}
      const isDone = lastChange({ dataFolder }) !== undefined
      expect(treeOf(root), `step ${step}`).toEqual(isDone ? AFTER : before)
      if (!died) {
        expect(step).toBeGreaterThan(25)
        break
      }
    }
  })

  it('are undone completely, wherever that dies', () => {
    for (let step = 0; ; step++) {
      const { root, dataFolder } = homes()
      put(root, BEFORE)
      const before = treeOf(root)
      applyChanges(moved(root), { dataFolder, command: 'x', nowMs: 0 })
      const died = dyingAt(step, () => undoChanges({ dataFolder }))
      for (let again = 0; dyingAt(again, () => settleChanges({ dataFolder })); again++) {}
      expect(treeOf(root), `step ${step}`).toEqual(lastChange({ dataFolder }) ? AFTER : before)
      if (!died) break
    }
  })

  it('reach all or none of any files, whatever is planned and wherever it fails', () => {
    const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a', 'f')
    const operation = fc.record({
      below: name,
      type: fc.constantFrom('write', 'remove', 'rename'),
      text: fc.string({ maxLength: 5 }),
    })
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.string({ maxLength: 5 })),
        fc.uniqueArray(operation, { selector: ({ below }) => below, minLength: 1 }),
        fc.nat(40),
        fc.nat(40),
        fc.boolean(),
        (files, operations, step, again, isOneFault) => {
          const { root, dataFolder } = homes()
          put(root, files)
          const before = treeOf(root)
          const plan = operations.flatMap(({ below, type, text }): Planned | [] => {
            const digest = digestOf(join(root, below))
            if (type === 'write') return write(root, below, text)
            if (digest === null) return []
            return type === 'remove'
              ? { type, root, below, before: digest }
              : { type: 'rename', root, below, to: `moved/${below}` }
          })
          const expected = temporaryHome()
          cpSync(root, expected, { recursive: true })
          for (const each of plan) {
            const path = join(expected, each.below)
            if (each.type === 'write')
              put(expected, { [each.below]: Buffer.concat([...each.content()]).toString() })
            if (each.type === 'rename') put(expected, { [each.to]: readFileSync(path, 'utf8') })
            if (each.type !== 'write') rmSync(path)
          }
          const work = (): void => applyChanges(plan, { dataFolder, command: 'x', nowMs: 0 })
          // A fault, which is handled at once, or a death, after which nothing runs.
          if (isOneFault) {
            let count = 0
            changeHook.step = () => {
              if (count++ === step) throw new Error('disk full')
            }
            try {
              work()
            } catch {}
            changeHook.step = undefined
          } else dyingAt(step, work)
          dyingAt(again, () => settleChanges({ dataFolder }))
          settleChanges({ dataFolder })
          const after = lastChange({ dataFolder }) ? treeOf(expected) : before
          expect(treeOf(root)).toEqual(after)
        },
      ),
      { numRuns: shareOf(150) },
    )
  })

  it('do not touch a file that changed since they were planned', () => {
    const { root, dataFolder } = homes()
    put(root, BEFORE)
    const plan = moved(root)
    put(root, { 'list.json': 'of the client' })
    const before = treeOf(root)
    expect(() => applyChanges(plan, { dataFolder, command: 'x', nowMs: 0 })).toThrow(ChangedMeanwhile)
    expect(treeOf(root)).toEqual(before)
  })

  it('are reversed if a file changes while they are made, and that file stays', () => {
    const { root, dataFolder } = homes()
    put(root, BEFORE)
    const before = treeOf(root)
    changeHook.step = (what) => {
      if (what === 'rename') put(root, { 'list.json': 'of the client' })
    }
    expect(() => applyChanges(moved(root), { dataFolder, command: 'x', nowMs: 0 })).toThrow(ChangedMeanwhile)
    expect(treeOf(root)).toEqual({ ...before, 'list.json': 'of the client' })
  })

  it('are not undone if the client changed a file since', () => {
    const { root, dataFolder } = homes()
    put(root, BEFORE)
    applyChanges(moved(root), { dataFolder, command: 'x', nowMs: 0 })
    put(root, { 'q/a': 'a2 and more' })
    expect(() => undoChanges({ dataFolder })).toThrow(ChangedMeanwhile)
    expect(treeOf(root)).toEqual({ ...AFTER, 'q/a': 'a2 and more' })
  })

  it('do not follow links or leave the root', () => {
    const { home, root, dataFolder } = homes()
    mkdirSync(join(home, 'other'))
    writeFileSync(join(home, 'other/file'), 'precious')
    symlinkSync(join(home, 'other'), join(root, 'link'))
    symlinkSync(join(home, 'other/file'), join(root, 'name'))
    symlinkSync(join(home, 'nowhere'), join(root, 'dangling'))
    for (const below of [
      'link/file',
      'link/new',
      'name',
      'dangling',
      '../other/file',
      '/other/file',
      'a/../../other/file',
      'a//b',
      '.',
      'a\\b',
      'a\0b',
      'a\nb',
    ])
      expect(
        () =>
          applyChanges([{ type: 'write', root, below, before: null, content: () => [Buffer.from('x')] }], {
            dataFolder,
            command: 'x',
            nowMs: 0,
          }),
        below,
      ).toThrow()
    expect(() => pathBelow(join(root, 'link'), 'file')).toThrow('is not a folder')
    expect(readFileSync(join(home, 'other/file'), 'utf8')).toBe('precious')
    expect(readdirSync(join(home, 'other'))).toEqual(['file'])
    expect(readdirSync(root).sort()).toEqual(['dangling', 'link', 'name'])
  })

  it('create no file outside when a folder becomes a link between two steps, whichever', () => {
    for (let step = 0, isOver = false; !isOver; step++) {
      const { home, root, dataFolder } = homes()
      put(root, { 'p/old': '' })
      mkdirSync(join(home, 'other'))
      let count = 0
      changeHook.step = () => {
        if (count++ !== step) return
        renameSync(join(root, 'p'), join(root, 'moved'))
        symlinkSync(join(home, 'other'), join(root, 'p'))
      }
      const plan = [write(root, 'p/a', 'a'), write(root, 'p/b', 'b')]
      try {
        applyChanges(plan, { dataFolder, command: 'x', nowMs: 0 })
      } catch {}
      isOver = count <= step
      changeHook.step = undefined
      // The moment between a look at the folder and the write of a draft, whose name nothing reads, is left.
      const outside = readdirSync(join(home, 'other')).filter((name) => !name.endsWith('.part'))
      expect(outside, `step ${step}`).toEqual([])
    }
  })

  it('have no name on Windows that means a stream, a device, or a file of another name', () => {
    for (const name of [
      's.jsonl:x.jsonl',
      'C:x',
      'CON',
      'nul.jsonl',
      's.jsonl.',
      's.jsonl ',
      'a|b',
      'x/aux',
    ]) {
      expect(() => namesOf(name, 'win32'), name).toThrow('is not a path')
      expect(namesOf(name, 'linux')).toEqual(name.split('/'))
    }
    expect(namesOf('console/-a b.jsonl', 'win32')).toHaveLength(2)
  })

  it('give a new file the mode of its neighbors, and a new folder 0700', () => {
    const { root, dataFolder } = homes()
    put(root, { 'p/old.jsonl': '', 'p/other.json': '' })
    const plan = [write(root, 'p/new.jsonl', ''), write(root, 'q/new.jsonl', '')]
    applyChanges(plan, { dataFolder, command: 'x', nowMs: 0 })
    const modeOf = (name: string): number => lstatSync(join(root, name)).mode & 0o777
    expect(modeOf('p/new.jsonl')).toBe(modeOf('p/old.jsonl'))
    expect([modeOf('q'), modeOf('q/new.jsonl')]).toEqual([0o700, 0o600])
  })
})
