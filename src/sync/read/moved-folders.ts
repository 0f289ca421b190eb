import { hash } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileInside, isFolder, isPlainFolder, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { readOwn, replaceOwn } from '../../io/own-files.ts'
import { openSource, readFully, readSmall } from '../../io/source.ts'
import { asObject, parsedJson } from '../../model/json.ts'

/**
 * What identifies a repository: the address of its remote and the first commit in its log, as hashes, because
 * an address can contain a password, and its folder on disk, which a rename does not change.
 */
interface Repository {
  remote: string | null
  first: string | null
  folder: string
}

/** A folder that sessions ran in, and where its repository is now. */
export interface MovedFolder {
  from: string
  to: string
}

const FILE = 'repositories.json'
const LARGEST = 16 * 1024 * 1024
const MOST_FOLDERS = 5000
/** A repository is looked for in a folder and this many above it. */
const LEVELS = 8
const MOST_SIBLINGS = 500
const DAY_MS = 86_400_000

/** Whether they were stored less than a day ago. */
export function areRemembered(dataFolder: string, nowMs: number): boolean {
  const stats = lstatSync(join(dataFolder, FILE), { throwIfNoEntry: false })
  return stats !== undefined && nowMs - stats.mtimeMs < DAY_MS
}

/** Stores which repositories are in folders that sessions ran in. Returns all that are stored. */
export function rememberRepositories(
  directories: ReadonlySet<string>,
  dataFolder: string,
): ReadonlyMap<string, Repository> {
  const path = join(dataFolder, FILE)
  const known = readKnown(path)
  for (const directory of directories) {
    const found = isFolder(directory) ? rootOf(directory) : undefined
    if (!found || known.size >= MOST_FOLDERS) continue
    known.set(found.root, found.repository)
  }
  try {
    replaceOwn(path, JSON.stringify({ version: 1, folders: Object.fromEntries(known) }))
  } catch (error) {
    // Where nothing can be written, they are looked for again.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
  return known
}

/**
 * The folders that sessions ran in, that are gone, and whose repository is elsewhere: next to where it was,
 * in a folder next to that or to the one above it, or in one of the other folders. They have to be stored
 * before the move.
 */
export function movedFolders(directories: ReadonlySet<string>, dataFolder: string): MovedFolder[] {
  const known = rememberRepositories(directories, dataFolder)
  const gone = [...known].filter(
    ([root]) =>
      !existsSync(root) && [...directories].some((each) => each === root || each.startsWith(`${root}/`)),
  )
  return gone.flatMap(([from, repository]) => {
    const to = candidates(from, known.keys()).find((folder) => {
      const own = repositoryIn(folder)
      return own !== undefined && isSame(own, repository)
    })
    return to === undefined ? [] : { from, to }
  })
}

function readKnown(path: string): Map<string, Repository> {
  try {
    const text = readOwn(path, LARGEST)?.toString('utf8')
    const fields = asObject(parsedJson(text))
    return new Map(Object.entries((fields?.version === 1 && asObject(fields.folders)) || {})) as never
  } catch {
    return new Map()
  }
}

/** The same folder under another name, or a copy of it: of one remote and with one first commit. */
const isSame = (one: Repository, other: Repository): boolean =>
  one.folder === other.folder ||
  (one.first !== null && one.first === other.first && one.remote === other.remote)

/** Folders in which other sessions ran, next to the old place, and of the same name in one of those. */
function* candidatesOf(from: string, known: Iterable<string>): Generator<string> {
  const above = dirname(from)
  for (const folder of known) if (folder !== from) yield folder
  for (const { name } of listDirectory(above).entries.slice(0, MOST_SIBLINGS)) {
    yield join(above, name)
    yield join(above, name, basename(from))
  }
  for (const { name } of listDirectory(dirname(above)).entries.slice(0, MOST_SIBLINGS))
    yield join(dirname(above), name, basename(from))
}

/** Folders of the same name first. */
const candidates = (from: string, known: Iterable<string>): string[] =>
  [...candidatesOf(from, known)].sort(
    (one, other) => Number(basename(other) === basename(from)) - Number(basename(one) === basename(from)),
  )

function rootOf(directory: string): { root: string; repository: Repository } | undefined {
  let root = directory
  for (let level = 0; level < LEVELS && root !== dirname(root); level++) {
    const repository = repositoryIn(root)
    if (repository) return { root, repository }
    root = dirname(root)
  }
  return undefined
}

const LARGEST_CONFIG = 64 * 1024
const FIRST_BYTES = 4096
const REMOTE = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(.+)$/ms
const COMMIT = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /

/** Reads two files of a repository, and follows no links. */
function repositoryIn(root: string): Repository | undefined {
  const git = join(root, '.git')
  try {
    if (!isPlainFolder(git)) return undefined
    const { ino, birthtimeMs } = lstatSync(git)
    const config = textOf(git, 'config')
    const remote = REMOTE.exec(config ?? '')?.[1]?.trim()
    return {
      remote: remote === undefined ? null : digest(remote.replace(/^(\w+:\/\/)[^/@]*@/, '$1')),
      first: firstCommit(git),
      folder: `${ino} ${birthtimeMs}`,
    }
  } catch {
    return undefined
  }
}

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)

const textOf = (git: string, name: string): string | undefined =>
  fileInside(git, join(git, name), NO_LINKS) && readSmall(join(git, name), LARGEST_CONFIG)?.toString('utf8')

/** The first entry of the log of HEAD: the first commit, or the one that was cloned. */
function firstCommit(git: string): string | null {
  const logs = join(git, 'logs')
  if (!isPlainFolder(logs) || !fileInside(logs, join(logs, 'HEAD'), NO_LINKS)) return null
  const source = openSource(join(logs, 'HEAD'))
  try {
    return COMMIT.exec(readFully(source, FIRST_BYTES).toString('latin1'))?.[1] ?? null
  } finally {
    source.close()
  }
}
