import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { rootAt } from '../../../test/claude-code-fixtures.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../../../test/records.ts'
import { keep } from '../../../test/stores.ts'
import { opened } from '../../io/source.ts'
import { discover } from '../../platforms/claude-code/discover.ts'
import { projectOf } from '../../project/group.ts'
import { IN_MEMORY, openSqliteStore } from '../../store/sqlite/open.ts'
import { readSession } from './read-session.ts'

afterEach(() => {
  opened.listener = undefined
})

/** The project of a session that ran in a folder, as it is read and as it is stored, and what was opened. */
function ranIn(home: string, cwd: string) {
  putClaude(home, uuid(0), [claude.user(1, 'count the ferns', { cwd })], cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  const [artifact] = discover(rootAt(join(home, '.claude'))).artifacts
  const seen: string[] = []
  opened.listener = (path) => void (path.endsWith('.git') && seen.push(path))
  const { session } = readSession(artifact!, { keep: 'counts' })
  opened.listener = undefined
  const { store } = openSqliteStore(IN_MEMORY, 0)
  keep(store, artifact!)
  const stored = store.sessions()[0]!.session
  store.close()
  expect(projectOf(stored, new Set())).toEqual(projectOf(session, new Set()))
  return { path: projectOf(session, new Set()).path, seen }
}

/** A work tree in a home, and the file in it. */
function worktree(home: string, below: string, content?: string): string {
  const tree = join(home, below)
  mkdirSync(tree, { recursive: true })
  if (content !== undefined) put(join(tree, '.git'), content)
  return tree
}

describe('a session in a work tree that another program made', () => {
  it.each([
    '.cursor/worktrees/garden/x7f',
    '.claude-worktrees/garden/fern',
    'conductor/workspaces/garden/lima',
  ])('belongs to the repository that git names: %s', (below) => {
    const home = temporaryHome()
    const repository = join(home, 'dev/garden')
    const tree = worktree(home, below, `gitdir: ${repository}/.git/worktrees/x7f\n`)
    expect(ranIn(home, join(tree, 'src'))).toEqual({ path: repository, seen: [join(tree, '.git')] })
  })

  it('belongs to the repository at a relative path', () => {
    const home = temporaryHome()
    const tree = worktree(
      home,
      '.cursor/worktrees/garden/x7f',
      'gitdir: ../../../../dev/garden/.git/worktrees/x7f',
    )
    expect(ranIn(home, tree).path).toBe(join(home, 'dev/garden'))
  })

  it.each([
    ['there is no such file', undefined],
    ['it names something else', 'gitdir: /srv/garden/.git/modules/fern'],
    ['it has more lines', 'gitdir: /srv/garden/.git/worktrees/x\nsecret'],
    ['it is too long', `gitdir: /${'a'.repeat(5000)}/.git/worktrees/x`],
  ])('belongs to the folder with the name of the repository if %s', (_, content) => {
    const home = temporaryHome()
    const tree = worktree(home, '.cursor/worktrees/garden/x7f', content)
    expect(ranIn(home, tree).path).toBe(dirname(tree))
  })

  it('is not looked up through a link, in other folders, or on other machines', () => {
    const home = temporaryHome()
    const tree = worktree(home, '.cursor/worktrees/garden/x7f')
    symlinkSync(put(join(home, 'other'), 'gitdir: /srv/garden/.git/worktrees/x'), join(tree, '.git'))
    expect(ranIn(home, tree)).toEqual({ path: dirname(tree), seen: [] })
    const plain = worktree(home, 'dev/shed', 'gitdir: /srv/garden/.git/worktrees/x')
    expect(ranIn(temporaryHome(), plain)).toEqual({ path: plain, seen: [] })
    for (const share of ['//host/.cursor/worktrees/garden/x', '\\\\host\\.cursor\\worktrees\\garden\\x'])
      expect(ranIn(temporaryHome(), share).seen).toEqual([])
  })
})
