/** The trees that are measured, the program as it is installed, and other programs, in a folder that is kept. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { generateTree } from './generate.ts'
import { type Measured, type RunOptions, run } from './measure.ts'

export const node = process.execPath
const folder = resolve('.bench')
const GENERATOR = join(import.meta.dirname, 'generate.ts')

/** A folder in which trees, stores and programs are kept from one run to the next. */
export function kept(name: string): string {
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

export interface Place {
  /** So many megabytes in files of about a megabyte. */
  megabytes: number
  tree: string
  /** 10,000 small files. */
  many: string
  /** One line of 63 MB. */
  long: string
  /** Runs the program on a tree, with a store that is kept beside the trees unless another home is given. */
  scrollback(tree: string, args: readonly string[], options?: RunOptions & { home?: string }): Measured
  /** As it is started by hand. */
  program: string
}

/** Makes what is not there yet. */
export function preparePlace(megabytes: number): Place {
  const [tree, many, long] = [kept(`tree-${megabytes}`), kept('tree-10000-files'), kept('tree-long-line')]
  generateOnce(tree, megabytes, Math.max(8, Math.round(megabytes * 0.9)))
  generateOnce(many, 100, 10_000)
  if (!existsSync(long)) writeLongLine(long)
  // A store of an earlier state of the program may have had other tables under the same version.
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

/** Unless it is there, as this generator would write it. */
function generateOnce(tree: string, megabytes: number, files: number): void {
  const marker = `${tree}.written-by`
  const writer = createHash('sha256').update(readFileSync(GENERATOR)).digest('hex')
  if (existsSync(tree) && existsSync(marker) && readFileSync(marker, 'utf8') === writer) return
  rmSync(tree, { recursive: true, force: true })
  generateTree(tree, megabytes, files)
  writeFileSync(marker, writer)
}

/** Where the store of a tree lies. */
export const homeOf = (tree: string): string => kept(`home-of-${basename(tree)}`)

/** What a user installs, unpacked: the tarball, not the checkout. */
function packaged(): string {
  const unpacked = kept('package')
  rmSync(unpacked, { recursive: true, force: true })
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    stdio: 'ignore',
  })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder])
  rmSync(join(folder, tarball))
  return join(unpacked, 'bin', 'scrollback.js')
}

/** One line of nearly 64 MB that holds an image, between ordinary ones. */
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

/** Bytes of all files of a folder, and of the folders in it. */
export const bytesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** Another program, installed once; or why it is not there. */
export function installed(name: string, version: string): { path: string } | { missing: string } {
  const home = kept(name)
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
