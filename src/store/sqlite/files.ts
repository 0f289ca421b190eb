import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ScrollbackError } from '../../errors.ts'
import { shellWord } from '../../model/shell-word.ts'
import { isBusy, isDamage, storeFault } from './database.ts'

/** The files of a store: the database, the files that SQLite creates next to it, and our lock. */
const PARTS = ['', '-wal', '-shm', '-journal', '.lock']

/**
 * Refuses a path where something other than our file exists. Opening a pipe would block forever, and the
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

/**
 * Creates the file of a database with its folders, readable by this user only, if it does not exist. Throws a
 * `ScrollbackError` or the system's error.
 */
export function makeStoreFile(path: string): void {
  makeOwnFolder(dirname(path))
  checkStorePath(path)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/**
 * Creates a folder for our own files. Throws a `ScrollbackError` if other users could replace them. In a
 * folder such as `/tmp`, they can only add files, which are refused because of their owner.
 */
export function makeOwnFolder(path: string): void {
  makeFolder(path)
  const stats = statsOf(path)
  if (!stats || process.getuid === undefined) return
  if (belongsToAnother(stats)) throw refusal(path, 'this folder belongs to another user')
  if ((stats.mode & OTHERS_MAY_WRITE) !== 0 && (stats.mode & STICKY) === 0)
    throw new ScrollbackError(
      'store-unreadable',
      `${path} is not used: other users may write to this folder.`,
      `Protect it: chmod go-w ${shellWord(path)}. Or set SCROLLBACK_HOME to a folder of your own.`,
    )
}

const OTHERS_MAY_WRITE = 0o022
const STICKY = 0o1000

/**
 * Not `recursive`: below `/proc`, Node would loop forever because the system contradicts itself about
 * folders.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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

/** Files of an administrator are not those of another user. Windows has no such owners. */
function belongsToAnother({ uid }: Stats): boolean {
  const own = process.getuid?.()
  return own !== undefined && uid !== own && uid !== 0
}

const refusal = (path: string, reason: string): ScrollbackError =>
  new ScrollbackError(
    'store-unreadable',
    `${path} is not used: ${reason}.`,
    'Set SCROLLBACK_HOME to a folder of your own, or move that away.',
  )

/**
 * Holds a lock until `release`, so that no other process may write. It is a transaction on a small database
 * next to the store. The system releases it when the process ends, however it ends, so there are no stale
 * locks. Returns undefined if another process holds it.
 */
export function holdLock(path: string): { release(): void } | undefined {
  let lock: DatabaseSync | undefined
  try {
    make(path)
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
    const held = lock
    return { release: () => held.close() }
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    // The lock file contains no data that could be lost.
    if (isDamage(error)) make(path, true)
    else throw storeFault(error, path)
  }
  return holdLock(path)
}

/** Runs `work` with a lock. Returns undefined if another process holds it. */
export function withLock<Result>(path: string, work: () => Result): { result: Result } | undefined {
  const lock = holdLock(path)
  if (!lock) return undefined
  try {
    return { result: work() }
  } finally {
    lock.release()
  }
}

const { O_RDWR, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Creates the file if needed, and truncates it if `empty` is set. Refuses links and files with a second name.
 */
function make(path: string, empty = false): void {
  const descriptor = opened(path)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw notOurs(path)
    if (!empty) return
    if (stats.nlink > 1) throw notOurs(path)
    ftruncateSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ELOOP' || code === 'EMLINK' ? notOurs(path) : error
  }
}

const notOurs = (path: string): Error =>
  Object.assign(new Error(`${path} is not a lock file of scrollback`), { code: 'ERR_NOT_OURS' })
