import { ScrollbackError } from '../../errors.ts'

/** Primary result codes of SQLite for errors that a user can fix. */
const CODES = { BUSY: 5, LOCKED: 6, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 }

const resultCode = (error: unknown): number | undefined => {
  const { errcode } = error as { errcode?: number }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** The file is not a database, or it is damaged. */
export const isDamage = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === CODES.CORRUPT || code === CODES.NOTADB
}

/** Another process is writing. */
export const isBusy = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === CODES.BUSY || code === CODES.LOCKED
}

/** SQLite has an extended code of its own for failing to create the small `-shm` file on a full disk. */
const NO_ROOM_BESIDE = 10 | (19 << 8)
export const isFull = (error: unknown): boolean =>
  resultCode(error) === CODES.FULL ||
  (error as { errcode?: number }).errcode === NO_ROOM_BESIDE ||
  (error as NodeJS.ErrnoException).code === 'ENOSPC'

/** The file or its folder cannot be written. */
export const isReadOnly = (error: unknown): boolean => {
  const code = resultCode(error)
  const system = (error as NodeJS.ErrnoException).code
  return (
    code === CODES.READONLY ||
    code === CODES.CANTOPEN ||
    system === 'EACCES' ||
    system === 'EROFS' ||
    system === 'EPERM'
  )
}

/** Reasons why no file can be created at a path, by system error code. */
const REASONS: Record<string, string> = {
  EACCES: 'you may not read or write there',
  EPERM: 'you may not read or write there',
  EROFS: 'nothing can be written there',
  EISDIR: 'this is a folder',
  EEXIST: 'a part of this path is a file',
  ENOTDIR: 'a part of this path is a file',
  ENOENT: 'its folder cannot be created',
  ENAMETOOLONG: 'this name is too long',
  ERR_NOT_OURS: 'its lock is a link or a file of something else; move that away',
}

/** Turns an error of the engine into a `ScrollbackError`. Other errors are returned unchanged. */
export function storeFault(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (isFull(error))
    return new ScrollbackError(
      'store-full',
      `The disk is full: the store at ${path} could not be written.`,
      'Nothing stored before is lost. Free some space, or set SCROLLBACK_HOME to a folder on another disk.',
      error,
    )
  if (isBusy(error))
    return new ScrollbackError(
      'store-unreadable',
      `The store at ${path} is being written by another program.`,
      'Close the program that has it open, such as a database browser or a backup, and try again.',
      error,
    )
  if (code === CODES.IOERR)
    return new ScrollbackError(
      'store-unreadable',
      `The store at ${path} cannot be read or written: the disk reports an error.`,
      'Set SCROLLBACK_HOME to a folder on another disk. The store is rebuilt from the transcripts.',
      error,
    )
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
  if (reason !== undefined)
    return new ScrollbackError(
      'store-unreadable',
      `The store ${path} cannot be created: ${reason}.`,
      'Set SCROLLBACK_HOME to a folder that you may write to.',
      error,
    )
  if (isReadOnly(error))
    return new ScrollbackError(
      'store-unreadable',
      `The store at ${path} cannot be written.`,
      'Set SCROLLBACK_HOME to a folder that you may write to.',
      error,
    )
  return error
}
