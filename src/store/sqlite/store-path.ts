import { type Stats, statSync } from 'node:fs'
import { ScrollbackError } from '../../errors.ts'

/** The files of a store: the database, the files that SQLite creates next to it, and our lock. */
const PARTS = ['', '-wal', '-shm', '-journal', '.lock']

/**
 * Refuses a path where something other than our store exists. Opening a pipe would block forever, and the
 * database of another user may contain triggers that run on a write. Throws a `ScrollbackError`.
 */
export function checkStorePath(path: string): void {
  for (const part of PARTS) {
    const stats = statsOf(path + part)
    if (!stats || stats.isDirectory()) continue
    if (!stats.isFile()) throw refusal(path, `${path}${part} is ${kindOf(stats)}`)
    if (belongsToAnother(stats)) throw refusal(path, `${path}${part} belongs to another user`)
  }
}

/** Identifies a file across renames. Undefined if it does not exist. */
export function identityAt(path: string): string | undefined {
  const stats = statsOf(path)
  return stats && `${stats.dev}:${stats.ino}`
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Opening the file will report the error.
    return undefined
  }
}

const kindOf = (stats: Stats): string =>
  stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'

/** An administrator may read the files of others. Windows has no such owners. */
function belongsToAnother({ uid }: Stats): boolean {
  const own = process.getuid?.()
  return own !== undefined && own !== 0 && uid !== own && uid !== 0
}

const refusal = (path: string, reason: string): ScrollbackError =>
  new ScrollbackError(
    'store-unreadable',
    `The store ${path} cannot be created: ${reason}.`,
    'Set SCROLLBACK_HOME to a folder that you may write to.',
  )
