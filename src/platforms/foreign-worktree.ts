/** A work tree that another program than the client made. */
interface ForeignWorktree {
  /** The folder of the work tree. */
  tree: string
  /** Its repository, or else a folder that has the name of the repository. */
  project: string
}

/** Where a folder has the name of the repository: work trees of Cursor, the desktop app and Conductor. */
const NAMED =
  /^((?:\/(?!\/)|[A-Za-z]:[/\\]).*?[/\\](?:\.cursor[/\\]worktrees|\.claude-worktrees|conductor[/\\]workspaces)[/\\][^/\\]+)[/\\][^/\\]+/
/** Conductor also makes them inside the repository. */
const INSIDE = /^((?:\/(?!\/)|[A-Za-z]:[/\\]).*?)[/\\]\.conductor[/\\][^/\\]+/

/** The work tree that an absolute path is in, if another program made it. */
export function foreignWorktree(path: string): ForeignWorktree | undefined {
  const found = NAMED.exec(path) ?? INSIDE.exec(path)
  return found ? { tree: found[0], project: found[1]! } : undefined
}
