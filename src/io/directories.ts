import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'

/** What stands in a folder, or the system's error code when it cannot be listed. */
export function listDirectory(path: string): { entries: Dirent[]; error?: string } {
  try {
    return { entries: readdirSync(path, { withFileTypes: true }) }
  } catch (error) {
    return { entries: [], error: (error as NodeJS.ErrnoException).code ?? String(error) }
  }
}

const UNLESS_GONE = { throwIfNoEntry: false } as const

/** Whether something may be opened by its name below a folder, with `/` between names. Asked of the place that a link leads to. */
export type Allows = (name: string) => boolean

/** Of folders whose entries are all alike: any of them, and nothing within them. */
export const isOneName: Allows = (name) => !name.includes('/')

/** Links are not followed. */
export const NO_LINKS: Allows = () => false

/**
 * Size and times of a plain file, or of the file in `folder` that a link leads to: a link is a second name, so it opens nothing that
 * may not be opened under its first. Undefined for anything else.
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

/** Whether this is a folder and no link to one. */
export function isPlainFolder(path: string): boolean {
  try {
    return lstatSync(path, UNLESS_GONE)?.isDirectory() === true
  } catch {
    return false
  }
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path, UNLESS_GONE)?.isSymbolicLink() === true
  } catch {
    return false
  }
}

/** More entries than these are not counted. */
const MOST_ENTRIES = 50_000

/** How much a file, or a folder with all in it, takes: looked at, never opened. Links are not followed. */
export function bytesBelow(path: string): number {
  let bytes = 0
  let entries = 0
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined && entries < MOST_ENTRIES; next = waiting.pop()) {
    entries++
    const stats = lstatSync(next, UNLESS_GONE)
    if (stats?.isDirectory())
      for (const { name } of listDirectory(next).entries) waiting.push(`${next}${sep}${name}`)
    else bytes += stats?.size ?? 0
  }
  return bytes
}

/** Whether an entry of `folder` is a folder that may be entered; of a link, whether what it leads to may be. */
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

/** Whether the system says that nothing is there; a place that cannot be looked at may hold something. */
export function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, UNLESS_GONE) === undefined
  } catch {
    return false
  }
}

/** The same place under two names. Places that do not exist are compared by name. */
export function sameDirectory(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return one === other
  }
}

/** What stays the same when a file is renamed. */
export const identityOf = ({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string => `${dev}:${ino}`

/**
 * Whether another file took the place of one, as editors write them (`sed -i`): anything in it may have changed. The number of a device
 * may be another one after each start of the system, and says nothing.
 */
export const isReplaced = (before: string, now: string): boolean => inodeOf(before) !== inodeOf(now)
const inodeOf = (identity: string): string => identity.slice(identity.indexOf(':') + 1)
