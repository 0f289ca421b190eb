import { join, resolve } from 'node:path'
import { fileInside, NO_LINKS } from '../../io/directories.ts'
import { companionText } from '../../io/source.ts'
import type { Session } from '../../model/session.ts'
import { foreignWorktree } from '../../platforms/identities.ts'

/** The file in a work tree that names its repository. */
const FILE = '.git'
const LIMIT = 4096
/** `gitdir: /srv/shop/.git/worktrees/till`. Git can also write a relative path. */
const GITDIR = /^gitdir: ([^\n\r\0]+?)[/\\]\.git[/\\]worktrees[/\\][^/\\\n\r\0]+\s*$/

/**
 * Adds the repository to a session that ran in a work tree which another program made, in a folder of its
 * own. Only git knows it. Of all paths in records, only this file is opened, and only in folders with the
 * names that these programs use.
 */
export function withRepository(session: Session, clean: (text: string) => string): Session {
  const { cwds, origins } = session
  if (origins.length > 0) return session
  const [started] = cwds[0] ?? []
  const worktree = started === undefined ? undefined : foreignWorktree(started)
  const repository = worktree && repositoryOf(worktree.tree)
  return repository === undefined ? session : { ...session, origins: [clean(repository)] }
}

function repositoryOf(tree: string): string | undefined {
  const path = join(tree, FILE)
  try {
    if (!fileInside(tree, path, NO_LINKS)) return undefined
    const written = GITDIR.exec(companionText(path, LIMIT))?.[1]
    return written === undefined ? undefined : resolve(tree, written)
  } catch {
    return undefined
  }
}
