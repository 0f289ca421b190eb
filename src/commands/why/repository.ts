import { basename, dirname } from 'node:path'
import type { Context } from '../../context/context.ts'

/** A commit of a file. */
export interface Commit {
  id: string
  /** When it was written, in ms. */
  at: number
  subject: string
}

/** A line of a file, as git sees it. */
export interface BlamedLine {
  text: string
  /** Undefined if it is not committed yet. */
  commit: Commit | undefined
}

/** A repository of a thousand commits takes less than a second. */
const LIMITS = { milliseconds: 10_000, bytes: 4 * 1024 * 1024 }
const MOST_COMMITS = 500
const NOT_COMMITTED = /^0+$/

/** Undefined if the file is in no repository, or there is no git. */
async function git(path: string, words: readonly string[], context: Context): Promise<string | undefined> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
  const found = await context.pipe?.(
    ['git', ...safe, '-C', dirname(path), ...words, '--', basename(path)],
    '',
    LIMITS,
  )
  return found?.ended === 'exited' && found.code === 0 ? found.output : undefined
}

/** The commits of a file, the newest first. Empty if it is in no repository. */
export async function commitsOf(path: string, context: Context): Promise<Commit[]> {
  const format = '--format=%H%x09%at%x09%s'
  const output = await git(path, ['log', '--follow', `--max-count=${MOST_COMMITS}`, format], context)
  return (output ?? '').split('\n').flatMap((line) => {
    const [id, at, ...subject] = line.split('\t')
    return id && at ? [{ id, at: Number(at) * 1000, subject: subject.join(' ') }] : []
  })
}

/** Who wrote a line last. Undefined if git does not know the file or the line. */
export async function blameOf(path: string, line: number, context: Context): Promise<BlamedLine | undefined> {
  const output = await git(path, ['blame', '--porcelain', '-L', `${line},${line}`], context)
  const id = /^[\da-f]{40,64}(?= )/.exec(output ?? '')?.[0]
  if (output === undefined || id === undefined) return undefined
  const headerOf = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(output)?.[1] ?? ''
  const commit = { id, at: Number(headerOf('author-time')) * 1000, subject: headerOf('summary') }
  return {
    text: /^\t(.*)$/m.exec(output)?.[1] ?? '',
    commit: NOT_COMMITTED.test(id) ? undefined : commit,
  }
}
