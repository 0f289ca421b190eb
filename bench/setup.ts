/**
 * The trees to measure, the program as it is installed, and other programs, in a folder that is reused
 * between runs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { generateTree } from './generate.ts'
import { type Measured, type RunOptions, run } from './measure.ts'

export const node = process.execPath
const folder = resolve(process.env.SCROLLBACK_BENCH ?? '.bench')

/** The size of the whole benchmark, in megabytes. */
const WHOLE = 1000

/** A folder in which trees, stores and programs are reused between runs. */
export function reusedFolder(name: string): string {
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

export interface Setup {
  /** This many megabytes in files of about one megabyte. */
  megabytes: number
  tree: string
  /** 10,000 small files, if nothing is scaled down, and how many there are. */
  many: string
  manyFiles: string
  /** One line of 63 MB, if nothing is scaled down, and its size. */
  long: string
  longLine: string
  /** A count or size of the whole benchmark, for the requested size. */
  scaled(whole: number): number
  /** Runs the program on a tree. By default, its store is next to the trees. */
  scrollback(tree: string, args: readonly string[], options?: RunOptions & { home?: string }): Measured
  /** The path of the program. */
  program: string
}

/** Creates everything that does not exist yet. Measures a tarball, by default that of the checkout. */
export function prepareTrees(megabytes: number, tarball?: string): Setup {
  const scaled = (whole: number): number => Math.max(1, Math.round((whole * megabytes) / WHOLE))
  const files = Math.max(50, scaled(10_000))
  const line = scaled(63)
  const [tree, many, long] = [
    reusedFolder(`tree-${megabytes}`),
    reusedFolder(`tree-${files}-files`),
    reusedFolder(`tree-long-line-${line}`),
  ]
  generateOnce(tree, megabytes, Math.max(8, Math.round(megabytes * 0.9)))
  generateOnce(many, files / 100, files)
  if (!existsSync(long)) writeLongLine(long, line * 1_000_000)
  // An earlier build of the program may have used other tables under the same version number.
  for (const each of [tree, many, long]) rmSync(homeOf(each), { recursive: true, force: true })
  const program = packaged(tarball)
  return {
    megabytes,
    tree,
    many,
    long,
    program,
    scaled,
    manyFiles: `${files.toLocaleString('en')} files`,
    longLine: `a line of ${line} MB`,
    scrollback: (tree, args, { home = homeOf(tree), ...options } = {}) =>
      run(node, [program, ...args, '--claude-dir', tree], {
        memory: true,
        variables: { SCROLLBACK_HOME: home },
        ...options,
      }),
  }
}

export const generateOnce = (tree: string, megabytes: number, files: number, projects?: number): void =>
  writeOnce(tree, 'generate.ts', () => generateTree(tree, megabytes, files, projects))

/** Writes a tree, unless the current version of its generator has already written it. */
export function writeOnce(tree: string, generator: string, write: () => void): void {
  const marker = `${tree}.written-by`
  const writer = createHash('sha256')
    .update(readFileSync(join(import.meta.dirname, generator)))
    .digest('hex')
  if (existsSync(tree) && existsSync(marker) && readFileSync(marker, 'utf8') === writer) return
  rmSync(tree, { recursive: true, force: true })
  write()
  writeFileSync(marker, writer)
}

/** The folder with the store of a tree. */
export const homeOf = (tree: string): string => reusedFolder(`home-of-${basename(tree)}`)

/** The unpacked tarball that users install, not the checkout. */
function packaged(tarball?: string): string {
  const unpacked = reusedFolder('package')
  rmSync(unpacked, { recursive: true, force: true })
  if (tarball === undefined) {
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
      stdio: 'ignore',
    })
    const packed = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
    execFileSync('tar', ['-xzf', packed, '-C', folder])
    rmSync(packed)
  } else execFileSync('tar', ['-xzf', tarball, '-C', folder])
  return join(unpacked, 'bin', 'scrollback.js')
}

/** A tree with one file, of 50 MB if nothing is scaled down. */
export function oneFileTree({ scaled }: Pick<Setup, 'scaled'>): string {
  // The first file of a tree is small: about a twelfth of the requested size.
  const size = scaled(560)
  const tree = reusedFolder(`tree-one-file-${size}`)
  generateOnce(tree, size, 1)
  return tree
}

/** One line with an image of so many bytes, between ordinary lines. */
function writeLongLine(tree: string, bytes: number): void {
  const directory = join(tree, 'projects', '-home-dev-long')
  mkdirSync(directory, { recursive: true })
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(bytes) },
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

/** Whether a program of the system answers. */
export const answers = (program: string, flag = '--version'): boolean =>
  spawnSync(program, [flag]).status === 0

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

const PIECE = Buffer.allocUnsafe(1024 * 1024)

/**
 * Reads a file, so that the system caches it and the disk is not measured. Call it shortly before: some
 * machines drop cached pages within seconds.
 */
export function readIntoCache(path: string): void {
  const file = openSync(path, 'r')
  while (readSync(file, PIECE) > 0);
  closeSync(file)
}

let offline = false

/** From now on, nothing is installed. */
export function stayOffline(): void {
  offline = true
}

/** Whether other programs may be installed. */
export const isOffline = (): boolean => offline

/** Another program, installed once, or why it is missing. */
export function installed(name: string, version: string): { path: string } | { missing: string } {
  const home = reusedFolder(name)
  const path = join(home, 'node_modules', '.bin', name)
  if (existsSync(path)) return { path }
  if (offline) return { missing: `${name} is not installed, and \`--offline\` installs nothing` }
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
