import { type Stats, statSync } from 'node:fs'
import { ScrollbackError } from '../../errors.ts'

/** The files of a store: the database, what the engine puts beside it, and our lock. */
const PARTS = ['', '-wal', '-shm', '-journal', '.lock']

/**
 * Refuses a place for the store where something else is: opening a pipe would wait for ever, and a database of another user may
 * hold statements that run when it is written to. Throws a `ScrollbackError`.
 */
export function checkPlace(path: string): void {
  for (const part of PARTS) {
    const stats = statsOf(path + part)
    if (!stats || stats.isDirectory()) continue
    if (!stats.isFile()) throw refusal(path, `${path}${part} is ${kindOf(stats)}`)
    if (belongsToAnother(stats)) throw refusal(path, `${path}${part} belongs to another user`)
  }
}

/** What tells a file from another one that took its name; undefined where none is there. */
export function identityAt(path: string): string | undefined {
  const stats = statsOf(path)
  return stats && `${stats.dev}:${stats.ino}`
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Opening it says what is the matter.
    return undefined
  }
}

const kindOf = (stats: Stats): string =>
  stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'

/** An administrator may read what others keep. Windows has no such owners. */
function belongsToAnother({ uid }: Stats): boolean {
  const own = process.getuid?.()
  return own !== undefined && own !== 0 && uid !== own && uid !== 0
}

const refusal = (path: string, reason: string): ScrollbackError =>
  new ScrollbackError(
    'store-unreadable',
    `There can be no store at ${path}: ${reason}.`,
    'Set SCROLLBACK_HOME to a folder that you may write to.',
  )
