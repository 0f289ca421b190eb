import { existsSync } from 'node:fs'
import { basename, dirname, posix, relative } from 'node:path'
import type { Context } from '../../context/context.ts'

/** A commit of a file. */
export interface Commit {
  id: string
  /** When it was written, in ms. */
  at: number
  subject: string
}

/** Of a line: the commit that wrote it, and when it was added to the history that is there now. */
export interface Blame {
  commit: Commit
  committedAt: number
}

/** Where a file is in a repository. */
export interface RepositoryLocation {
  /** The path from the folder of the work tree on, with slashes. */
  below: string
  /** The work trees of the repository, the main one first. */
  trees: string[]
}

/** A repository of a thousand commits takes less than a second. */
const LIMITS = { milliseconds: 10_000, bytes: 4 * 1024 * 1024 }
const MOST_COMMITS = 500
const NOT_COMMITTED = /^0+$/

/** Undefined if the folder is in no repository, or there is no git. */
async function git(folder: string, words: readonly string[], context: Context): Promise<string | undefined> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
  const found = await context.pipe?.(['git', ...safe, '-C', folder, ...words], '', LIMITS)
  return found?.ended === 'exited' && found.code === 0 ? found.output : undefined
}

const gitOfFile = (path: string, words: readonly string[], context: Context): Promise<string | undefined> =>
  git(dirname(path), [...words, '--', basename(path)], context)

/** Where a file is, or was, in a repository. Undefined if it is in none. */
export async function locationOf(path: string, context: Context): Promise<RepositoryLocation | undefined> {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const prefix = await git(folder, ['rev-parse', '--show-prefix'], context)
  const list =
    prefix === undefined ? undefined : await git(folder, ['worktree', 'list', '--porcelain'], context)
  if (prefix === undefined || list === undefined) return undefined
  const below = posix.join(prefix.replace(/\r?\n$/, ''), relative(folder, path).replaceAll('\\', '/'))
  const trees = [...list.matchAll(/^worktree (.+?)\r?$/gm)].map(([, tree]) => tree!)
  return trees.length === 0 ? undefined : { below, trees }
}

/** The commits of a file, the newest first. Empty if it is in no repository. */
export async function commitsOf(path: string, context: Context): Promise<Commit[]> {
  const format = '--format=%H%x09%at%x09%s'
  const output = await gitOfFile(path, ['log', '--follow', `--max-count=${MOST_COMMITS}`, format], context)
  return (output ?? '').split('\n').flatMap((line) => {
    const [id, at, ...subject] = line.split('\t')
    return id && at ? [{ id, at: Number(at) * 1000, subject: subject.join(' ') }] : []
  })
}

/** Times of commits are whole seconds, and begin that long before the next one. */
const SECOND_MS = 1000

/**
 * The first of the commits, newest first, that was made after a change. If one was made in the same second,
 * it is the next one if the file in it has all lines that the change wrote.
 */
export async function commitAfter(
  { at, hasAll }: { at: number; hasAll(lines: ReadonlySet<string>): boolean },
  commits: readonly Commit[],
  path: string,
  context: Context,
): Promise<Commit | undefined> {
  for (const commit of commits.filter((each) => each.at + SECOND_MS > at).reverse()) {
    if (commit.at >= at) return commit
    const text = await git(dirname(path), ['cat-file', 'blob', `${commit.id}:./${basename(path)}`], context)
    if (text === undefined || hasAll(new Set(text.split('\n').map((line) => line.trim())))) return commit
  }
  return undefined
}

const ENTRY = /^([\da-f]{40,64}) \d+ (\d+) (\d+)$/
const HEADER = /^(author-time|committer-time|summary) (.*)$/

/**
 * Who wrote lines of a file last, by their numbers: one line, or all of them. A line that is not committed
 * yet has no entry. Undefined if git does not know the file.
 */
export async function blamesOf(
  path: string,
  line: number | undefined,
  context: Context,
): Promise<ReadonlyMap<number, Blame> | undefined> {
  const only = line === undefined ? [] : ['-L', `${line},${line}`]
  const output = await gitOfFile(path, ['blame', '--incremental', ...only], context)
  if (output === undefined) return undefined
  const blames = new Map<number, Blame>()
  // The first entry of a commit has its headers.
  const known = new Map<string, Blame>()
  let current: Blame | undefined
  for (const row of output.split('\n')) {
    const [, id, from, count] = ENTRY.exec(row) ?? []
    const [, name, value = ''] = HEADER.exec(row) ?? []
    if (id !== undefined) {
      current = known.get(id) ?? { commit: { id, at: 0, subject: '' }, committedAt: 0 }
      known.set(id, current)
      for (let each = 0; each < Number(count) && !NOT_COMMITTED.test(id); each++)
        blames.set(Number(from) + each, current)
    } else if (name === 'author-time') current!.commit.at = Number(value) * 1000
    else if (name === 'committer-time') current!.committedAt = Number(value) * 1000
    else if (name === 'summary') current!.commit.subject = value
  }
  return blames
}

/** Whether a path is that of the same file in any work tree of its repository. */
export const isInTree = (file: string, { below, trees }: RepositoryLocation): boolean =>
  trees.some((tree) => file === posix.join(tree, below))

/** The end of the path that the file would have in a copy of the repository. */
export const inRepository = ({ below, trees }: RepositoryLocation): string =>
  `/${basename(trees[0]!)}/${below}`
