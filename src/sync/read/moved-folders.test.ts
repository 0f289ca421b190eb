import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { put, temporaryHome } from '../../../test/records.ts'
import { movedFolders } from './moved-folders.ts'

const FIRST = 'a'.repeat(40)

function repository(folder: string, remote: string, first = FIRST): string {
  put(join(folder, '.git/config'), `[core]\n[remote "origin"]\n\turl = ${remote}\n`)
  put(join(folder, '.git/logs/HEAD'), `${'0'.repeat(40)} ${first} Ann <a@b.c> 1 +0000\tcommit (initial): x\n`)
  return folder
}

it('finds where the repository of a folder is after a move, by its folder or by remote and first commit', () => {
  const home = temporaryHome()
  const old = repository(join(home, 'old'), 'https://ann:word@example.org/shop')
  const other = repository(join(home, 'other'), 'https://example.org/other', 'b'.repeat(40))
  mkdirSync(join(old, 'web'))
  const directories = new Set([join(old, 'web'), other, join(home, 'none')])
  expect(movedFolders(directories, home)).toEqual([])
  expect(readFileSync(join(home, 'repositories.json'), 'utf8')).not.toContain('word')
  renameSync(old, join(home, 'new'))
  expect(movedFolders(directories, home)).toEqual([{ from: old, to: join(home, 'new') }])
  // A clone elsewhere has neither.
  renameSync(join(home, 'new'), join(home, 'far away'))
  renameSync(join(home, 'far away'), join(temporaryHome(), 'x'))
  repository(join(home, 'copy'), 'https://example.org/shop', 'c'.repeat(40))
  expect(movedFolders(directories, home)).toEqual([])
  repository(join(home, 'moved'), 'https://bob@example.org/shop')
  expect(movedFolders(directories, home)).toEqual([{ from: old, to: join(home, 'moved') }])
})

it.each(['projects/old', '../elsewhere/old'])(
  'finds it in a folder that is next to the old one or above: %s',
  (to) => {
    const home = join(temporaryHome(), 'home')
    const old = repository(join(home, 'old'), 'x')
    movedFolders(new Set([old]), home)
    mkdirSync(join(home, to, '..'), { recursive: true })
    renameSync(old, join(home, to))
    expect(movedFolders(new Set([old]), home)).toEqual([{ from: old, to: join(home, to) }])
  },
)

it('follows no links', () => {
  const home = temporaryHome()
  repository(join(home, 'real'), 'x')
  mkdirSync(join(home, 'linked'))
  symlinkSync(join(home, 'real/.git'), join(home, 'linked/.git'))
  movedFolders(new Set([join(home, 'linked')]), home)
  renameSync(join(home, 'linked'), join(home, 'gone'))
  expect(movedFolders(new Set([join(home, 'linked')]), home)).toEqual([])
})
