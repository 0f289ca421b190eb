import { createHash } from 'node:crypto'
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isAbsent } from '../directories.ts'
import { partsOfFile } from '../own-files.ts'

/** A path below a root leads out of it, or through something that is not a plain folder. */
export class NotBelow extends Error {
  readonly code = 'ERR_NOT_BELOW'
}

const LONGEST = 4096

/** In no name: separators, control characters, and what on Windows is a stream, a device or another file. */
const NOT_IN_NAMES = /[\\\0-\x1f\x7f]/
const NOT_ON_WINDOWS = /[:<>"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * The names of a path below a root. Throws `NotBelow` unless each of them is the name of one file or folder.
 */
export function namesOf(below: string, platform: NodeJS.Platform = process.platform): string[] {
  const names = below.split('/')
  const isName = (name: string): boolean =>
    !/^\.{0,2}$/.test(name) &&
    !NOT_IN_NAMES.test(name) &&
    !/^[A-Za-z]:$/.test(name) &&
    !(platform === 'win32' && NOT_ON_WINDOWS.test(name))
  if (below.length > LONGEST || !names.every(isName))
    throw new NotBelow(`${JSON.stringify(below)} is not a path below a root`)
  return names
}

/**
 * The path of a file below a root, if every folder on the way is a plain one or does not exist. Links are not
 * followed. Throws `NotBelow`.
 */
export function pathBelow(root: string, below: string): string {
  const names = namesOf(below)
  if (lookAt(root)?.isDirectory() !== true) throw new NotBelow(`${root} is not a folder`)
  let path = root
  for (const name of names.slice(0, -1)) {
    path = join(path, name)
    const stats = lookAt(path)
    if (!stats) break
    if (!stats.isDirectory()) throw new NotBelow(`${path} is a link, or not a folder`)
  }
  return join(root, below)
}

/** A root itself may be reached through links, because its owner chose where it is. */
export const rootAt = (path: string): string => realpathSync(path)

export const lookAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/**
 * The SHA-256 of a plain file, in hex. Null if there is no file of that name. Throws `NotOurs` for a link, a
 * pipe or a folder.
 */
export function digestOf(path: string): string | null {
  if (isAbsent(path)) return null
  const sum = createHash('sha256')
  for (const part of partsOfFile(path)) sum.update(part)
  return sum.digest('hex')
}

/** Identifies a file or folder that is not opened, by its metadata. A rename does not change it. */
export function stampOf(path: string): string | null {
  const stats = lookAt(path)
  if (!stats) return null
  if (stats.isDirectory()) return `folder ${stats.ino}`
  if (!stats.isFile()) throw new NotBelow(`${path} is a link, or not a plain file`)
  return `file ${stats.ino} ${stats.size} ${stats.mtimeMs}`
}
