/**
 * The trees to measure, the program as it is installed, and other programs, in a folder that is reused
 * between runs.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { generateTree } from './generate.ts'
import { type Measured, type RunOptions, run } from './measure.ts'

export const node = process.execPath
const folder = resolve('.bench')
const GENERATOR = join(import.meta.dirname, 'generate.ts')

/** A folder in which trees, stores and programs are reused between runs. */
export function reusedFolder(name: string): string {
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

export interface Setup {
  /** This many megabytes in files of about one megabyte. */
  megabytes: number
  tree: string
  /** 10,000 small files. */
  many: string
  /** One line of 63 MB. */
  long: string
  /** Runs the program on a tree. By default, its store is next to the trees. */
  scrollback(tree: string, args: readonly string[], options?: RunOptions & { home?: string }): Measured
  /** The path of the program. */
  program: string
}

/** Creates everything that does not exist yet. */
export function prepareTrees(megabytes: number): Setup {
  const [tree, many, long] = [
    reusedFolder(`tree-${megabytes}`),
    reusedFolder('tree-10000-files'),
    reusedFolder('tree-long-line'),
  ]
  generateOnce(tree, megabytes, Math.max(8, Math.round(megabytes * 0.9)))
  generateOnce(many, 100, 10_000)
  if (!existsSync(long)) writeLongLine(long)
  // An earlier build of the program may have used other tables under the same version number.
  for (const each of [tree, many, long]) rmSync(homeOf(each), { recursive: true, force: true })
  const program = packaged()
  return {
    ...{ megabytes, tree, many, long, program },
    scrollback: (tree, args, { home = homeOf(tree), ...options } = {}) =>
      run(node, [program, ...args, '--claude-dir', tree], {
        memory: true,
        variables: { SCROLLBACK_HOME: home },
        ...options,
      }),
  }
}

/** Unless the current version of the generator has already written it. */
export function generateOnce(tree: string, megabytes: number, files: number, projects?: number): void {
  const marker = `${tree}.written-by`
  const writer = createHash('sha256').update(readFileSync(GENERATOR)).digest('hex')
  if (existsSync(tree) && existsSync(marker) && readFileSync(marker, 'utf8') === writer) return
  rmSync(tree, { recursive: true, force: true })
  generateTree(tree, megabytes, files, projects)
  writeFileSync(marker, writer)
}

/** The folder with the store of a tree. */
export const homeOf = (tree: string): string => reusedFolder(`home-of-${basename(tree)}`)

/** The unpacked tarball that users install, not the checkout. */
function packaged(): string {
  const unpacked = reusedFolder('package')
  rmSync(unpacked, { recursive: true, force: true })
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    stdio: 'ignore',
  })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder])
  rmSync(join(folder, tarball))
  return join(unpacked, 'bin', 'scrollback.js')
}

/** One line of nearly 64 MB with an image, between ordinary lines. */
function writeLongLine(tree: string): void {
  const directory = join(tree, 'projects', '-home-dev-long')
  mkdirSync(directory, { recursive: true })
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(63_000_000) },
  }
  const line = (uuid: string, content: unknown) =>
    JSON.stringify({
      type: 'user',
      uuid,
      cwd: '/home/dev/long',
      timestamp: '2026-10-01T08:00:00.000Z',
      message: { role: 'user', content },
    })
  const lines = [
    line('a', 'before the picture'),
    line('b', [image, { type: 'text', text: 'what is this?' }]),
    line('c', 'after it'),
  ]
  writeFileSync(join(directory, 'long.jsonl'), `${lines.join('\n')}\n`)
}

/** All transcripts of a tree. */
export const filesOf = (tree: string): string[] =>
  readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(tree, name))

/** The size of all files below a folder. */
export const bytesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** Another program, installed once, or why it is missing. */
export function installed(name: string, version: string): { path: string } | { missing: string } {
  const home = reusedFolder(name)
  const path = join(home, 'node_modules', '.bin', name)
  if (existsSync(path)) return { path }
  mkdirSync(home, { recursive: true })
  try {
    execFileSync('npm', ['install', '--prefix', home, '--silent', `${name}@${version}`], { stdio: 'pipe' })
  } catch (error) {
    return {
      missing: `${name} ${version} could not be installed: ${String((error as Error).message).split('\n')[0]}`,
    }
  }
  return existsSync(path) ? { path } : { missing: `${name} ${version} has no command of its name` }
}
