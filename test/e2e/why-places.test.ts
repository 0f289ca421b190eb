import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  asked,
  changesOf,
  commit,
  EARLIER,
  git,
  LATER,
  putEdit,
  putPatches,
  putPiEdit,
} from '../editing-sessions.ts'
import { json, run } from '../program.ts'
import { put, temporaryHome, uuid } from '../records.ts'

const edited = (path: string): { input: object; result: object } => ({
  input: { file_path: path, old_string: 'let pots = 1', new_string: 'let pots = 2' },
  result: { originalFile: 'let pots = 1\n' },
})

describe('the place of a file that sessions changed', () => {
  it.each([
    ['the same name', 'play/shop', 'play/shop/src/pots.ts'],
    ['the name of a folder above the file', 'work/api/src', 'work/api/packages/core/src/pots.ts'],
  ])('is not in a project of %s that is still where it was', (_, folder, path) => {
    const home = temporaryHome()
    const shop = join(home, 'work/shop')
    put(join(shop, 'src/pots.ts'), 'let pots = 2\n')
    put(join(home, path), 'let pots = 2\n')
    put(join(home, folder, 'notes.txt'), 'pots\n')
    putEdit(home, uuid(1), { cwd: join(home, folder), prompt: 'Count them', ...edited(join(home, path)) })
    for (const target of ['src/pots.ts', 'src/pots.ts:1']) expect(asked(home, shop, target)).toEqual([])
  })

  it('is not that of a moved folder in the repository which has the same name', () => {
    const home = temporaryHome()
    const shop = join(home, 'play/shop')
    put(join(shop, 'src/pots.ts'), 'let pots = 2\n')
    commit(shop, LATER)
    const path = join(home, 'work/api/src/pots.ts')
    putEdit(home, uuid(1), { cwd: join(home, 'work/api/src'), prompt: 'Count them', ...edited(path) })
    expect(asked(home, shop, 'src/pots.ts')).toEqual([])
  })

  it('is in a repository that was moved, if a session ran in a folder of it', () => {
    const home = temporaryHome()
    const api = join(home, 'new/api')
    put(join(api, 'src/pots.ts'), 'let pots = 2\n')
    commit(api, LATER)
    const path = join(home, 'old/api/src/pots.ts')
    putEdit(home, uuid(1), { cwd: join(home, 'old/api/src'), prompt: 'Count them', ...edited(path) })
    expect(asked(home, api, 'src/pots.ts:1')).toEqual(['Count them'])
  })

  it.each([
    ['next to it', 'shop-pots', true],
    ['where the client makes them', '.claude-worktrees/shop/pots', true],
    ['that the client made in it, and that is gone', 'shop/.claude/worktrees/pots', false],
  ])('is the same in a work tree %s', (_, folder, isThere) => {
    const home = temporaryHome()
    const shop = join(home, 'shop')
    put(join(shop, 'src/pots.ts'), 'let pots = 1\n')
    commit(shop, EARLIER)
    const tree = join(home, folder)
    const path = join(tree, 'src/pots.ts')
    if (isThere) {
      git(shop, EARLIER, 'worktree', 'add', '-q', '-b', 'pots', tree)
      put(path, 'let pots = 2\n')
      git(tree, LATER, 'commit', '-q', '-a', '-m', 'Two pots')
      git(shop, LATER, 'merge', '-q', 'pots')
    } else put(join(shop, 'src/pots.ts'), 'let pots = 2\n')
    putEdit(home, uuid(1), { cwd: tree, prompt: 'Make it two', ...edited(path) })
    for (const target of ['src/pots.ts', 'src/pots.ts:1'])
      expect(changesOf(home, shop, target)).toMatchObject([{ asked: { text: 'Make it two' }, file: path }])
  })

  it.each<[string, (home: string, cwd: string) => void]>([
    [
      'a patch',
      (home, cwd) =>
        putPatches(home, { cwd, id: uuid(1), prompt: 'Greet', at: '10:00:00' }, [
          { patch: '*** Update File: ../README.md\n@@\n-Pots\n+Ferns', result: 'Success.' },
        ]),
    ],
    [
      'an edit',
      (home, cwd) =>
        putPiEdit(home, {
          cwd,
          prompt: 'Greet',
          input: { path: '../README.md', oldText: 'Pots', newText: 'Ferns' },
        }),
    ],
  ])('is in the folder above the one in which the session ran, for %s', (_, edit) => {
    const home = temporaryHome()
    put(join(home, 'shop/README.md'), 'Ferns\n')
    put(join(home, 'shop/src/README.md'), 'Ferns\n')
    edit(home, join(home, 'shop/src'))
    for (const target of ['README.md', 'README.md:1'])
      expect(asked(home, join(home, 'shop'), target)).toEqual(['Greet'])
    expect(asked(home, join(home, 'shop/src'), 'README.md')).toEqual([])
  })
})

describe('a file that a patch moved', () => {
  const [first, second] = [uuid(1), uuid(2)]
  const patches = {
    add: '*** Add File: lamp.ts\n+lamp one\n+lamp two',
    move: '*** Update File: lamp.ts\n*** Move to: torch.ts\n@@\n lamp one\n-lamp two\n+torch two',
  }
  const result = 'Success.'

  function twoThreads() {
    const home = temporaryHome()
    const cwd = join(home, 'shop')
    put(join(cwd, 'torch.ts'), 'lamp one\ntorch two\n')
    putPatches(home, { cwd, id: first, prompt: 'Make a lamp', at: '10:00:00' }, [
      { patch: patches.add, result },
    ])
    putPatches(home, { cwd, id: second, prompt: 'Make it a torch', at: '11:00:00' }, [
      { patch: patches.move, result },
    ])
    return { home, cwd }
  }

  it('is known by lines that were written under its former name, with that name', () => {
    const { home, cwd } = twoThreads()
    expect(changesOf(home, cwd, 'torch.ts:1')).toMatchObject([
      { asked: { text: 'Make a lamp' }, file: join(cwd, 'lamp.ts') },
    ])
    expect(asked(home, cwd, 'torch.ts:2')).toEqual(['Make it a torch'])
    expect(asked(home, cwd, 'torch.ts')).toEqual(['Make it a torch', 'Make a lamp'])
    expect(asked(home, cwd, 'lamp.ts')).toEqual(['Make it a torch', 'Make a lamp'])
  })

  it('is among the changes of its session with the file that is gone', () => {
    const { home, cwd } = twoThreads()
    const statuses = (id: string) =>
      json(home, 'changes', id).files.map(({ path, status }: { path: string; status: string }) => [
        path,
        status,
      ])
    expect(statuses(first)).toEqual([[join(cwd, 'lamp.ts'), 'created']])
    expect(statuses(second)).toEqual([
      [join(cwd, 'lamp.ts'), 'deleted'],
      [join(cwd, 'torch.ts'), 'changed'],
    ])
  })

  it('is a new file in the patch of a session that made it under another name', () => {
    const home = temporaryHome()
    const cwd = join(home, 'shop')
    putPatches(home, { cwd, id: first, prompt: 'Make a torch', at: '10:00:00' }, [
      { patch: patches.add, result },
      { patch: patches.move, result },
    ])
    const { stdout } = run(['changes', first, '--patch'], home)
    expect(stdout).toContain('+++ b/torch.ts\n@@ -0,0 +1,2 @@\n+lamp one\n+torch two\n')
    expect(stdout).not.toContain('lamp.ts')
  })
})
