import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Node decodes bytes of a name that are not UTF-8 to this. No file can be opened by such a name. */
const NO_UTF8 = '\ufffd'

/** The entries of a folder, or what is wrong: the system's error code, or a name that is left out. */
export function listDirectory(path: string): { entries: Dirent[]; error?: string } {
  try {
    const all = readdirSync(path, { withFileTypes: true })
    const lost = all.filter(({ name }) => name.includes(NO_UTF8) && !isThere(join(path, name)))
    if (lost.length === 0) return { entries: all }
    const entries = all.filter((entry) => !lost.includes(entry))
    return { entries, error: 'a name in it is not UTF-8, and is left out' }
  } catch (error) {
    return { entries: [], error: (error as NodeJS.ErrnoException).code ?? String(error) }
  }
}

const isThere = (path: string): boolean => lstatSync(path, UNLESS_GONE) !== undefined

/** Whether a folder above denies the right to look at this path. */
export function isClosed(path: string): boolean {
  try {
    lstatSync(path, UNLESS_GONE)
    return false
  } catch (error) {
    return /^E(?:ACCES|PERM)$/.test((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** A directory of a client, or the one in a home directory that was named in its place. */
export function directoryOrHome(path: string, name: string, isOne: (path: string) => boolean): string {
  const inside = join(path, name)
  return !isOne(path) && isOne(inside) ? inside : path
}

const UNLESS_GONE = { throwIfNoEntry: false } as const

/**
 * Whether a path below a folder may be opened. Names are separated by `/`. For a link, this is asked about
 * its target.
 */
export type Allows = (name: string) => boolean

/** For folders whose files are all alike: allows any file, but no subfolders. */
export const isOneName: Allows = (name) => !name.includes('/')

/** Does not follow links. */
export const NO_LINKS: Allows = () => false

/**
 * Size and times of a plain file, or of a file in `folder` that a link leads to. A link is only followed to a
 * file that could be opened under its own name. Undefined for anything else.
 */
export function fileInside(folder: string, path: string, allows: Allows): Stats | undefined {
  try {
    const own = lstatSync(path, UNLESS_GONE)
    if (own?.isFile()) return own
    if (!own?.isSymbolicLink() || !leadsToAllowed(folder, path, allows)) return undefined
    const target = statSync(path)
    return target.isFile() ? target : undefined
  } catch {
    return undefined
  }
}

/** Whether this is a folder and not a link to one. */
export function isPlainFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() === true
}

export function isLink(path: string): boolean {
  return lookAt(path)?.isSymbolicLink() === true
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, UNLESS_GONE)
  } catch {
    return undefined
  }
}

/** The maximum number of entries that are counted. */
const MOST_ENTRIES = 50_000

/** The size of a file or of a folder with all of its contents. Opens nothing and does not follow links. */
export function bytesBelow(path: string): number {
  let bytes = 0
  let entries = 0
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined && entries < MOST_ENTRIES; next = waiting.pop()) {
    entries++
    const stats = lookAt(next)
    if (stats?.isDirectory())
      for (const { name } of listDirectory(next).entries) waiting.push(`${next}${sep}${name}`)
    else bytes += stats?.size ?? 0
  }
  return bytes
}

/** Whether an entry of `folder` is a folder that may be entered. For a link, this depends on its target. */
export function isFolderInside(folder: string, path: string, entry: Dirent, allows: Allows): boolean {
  if (entry.isDirectory()) return true
  if (!entry.isSymbolicLink() || !leadsToAllowed(folder, path, allows)) return false
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function leadsToAllowed(folder: string, path: string, allows: Allows): boolean {
  try {
    const inside = realpathSync(folder) + sep
    const target = realpathSync(path)
    return target.startsWith(inside) && allows(target.slice(inside.length).replaceAll(sep, '/'))
  } catch {
    return false
  }
}

/** Whether the system says that nothing exists here. A path that cannot be checked may exist. */
export function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, UNLESS_GONE) === undefined
  } catch {
    return false
  }
}

/** Whether two paths lead to the same directory. Paths that do not exist are compared by name. */
export function sameDirectory(one: string, other: string): boolean {
  try {
    // The system follows links faster than Node does.
    return realpathSync.native(one) === realpathSync.native(other)
  } catch {
    return one === other
  }
}

/** The identity of a file, which survives a rename. Joined, because a template takes more memory. */
export const identityOf = ({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string => [dev, ino].join(':')

/**
 * Whether another file has replaced this one, as editors do (`sed -i`), so that anything in it may have
 * changed. Ignores the device number, which may change when the system restarts.
 */
export const isReplaced = (before: string, now: string): boolean => inodeOf(before) !== inodeOf(now)
const inodeOf = (identity: string): string => identity.slice(identity.indexOf(':') + 1)

/** Whether a path is a plain file, following links. False for a path that is too long or inaccessible. */
export const isFile = (path: string): boolean => lookAtTarget(path)?.isFile() === true

/** Whether a path is a folder, following links. False as above. */
export const isFolder = (path: string): boolean => lookAtTarget(path)?.isDirectory() === true

function lookAtTarget(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
