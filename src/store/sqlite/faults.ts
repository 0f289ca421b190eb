import { ScrollbackError } from '../../errors.ts'

/** Primary result codes of the engine that a user can do something about. */
const CODES = { BUSY: 5, LOCKED: 6, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 }

const resultCode = (error: unknown): number | undefined => {
  const { errcode } = error as { errcode?: number }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** The file is no store, or not whole. */
export const isDamage = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === CODES.CORRUPT || code === CODES.NOTADB
}

/** Another process writes. */
export const isBusy = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === CODES.BUSY || code === CODES.LOCKED
}

/** There is no room, not even for the small files beside the store: their making fails with a code of its own. */
const NO_ROOM_BESIDE = 10 | (19 << 8)
export const isFull = (error: unknown): boolean =>
  resultCode(error) === CODES.FULL ||
  (error as { errcode?: number }).errcode === NO_ROOM_BESIDE ||
  (error as NodeJS.ErrnoException).code === 'ENOSPC'

/** The place cannot be written to. */
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

/** What the system says of a place where no file can be. */
const PLACES: Record<string, string> = {
  EACCES: 'you may not read or write there',
  EPERM: 'you may not read or write there',
  EROFS: 'nothing can be written there',
  EISDIR: 'this is a folder',
  EEXIST: 'a part of this path is a file',
  ENOTDIR: 'a part of this path is a file',
  ENOENT: 'its folder cannot be made',
  ENAMETOOLONG: 'this name is too long',
  ERR_NOT_OURS: 'its lock is a link or a file of something else; move that away',
}

/** What went wrong with the store, in words; anything else is thrown on as it is. */
export function storeFault(error: unknown, place: string): unknown {
  const code = resultCode(error)
  if (isFull(error))
    return new ScrollbackError(
      'store-full',
      `The disk is full: the store at ${place} could not be written.`,
      'What was stored before is whole. Make room, or move the store: set SCROLLBACK_HOME to a folder on another disk.',
      error,
    )
  if (isBusy(error))
    return new ScrollbackError(
      'store-unreadable',
      `The store at ${place} is being written by another program.`,
      'End what has it open, such as a database browser or a backup, and try again.',
      error,
    )
  if (code === CODES.IOERR)
    return new ScrollbackError(
      'store-unreadable',
      `The store at ${place} cannot be read or written: the disk reports an error.`,
      'Set SCROLLBACK_HOME to a folder on another disk; the store is made anew from the transcripts.',
      error,
    )
  const reason = PLACES[(error as NodeJS.ErrnoException).code ?? '']
  if (reason !== undefined)
    return new ScrollbackError(
      'store-unreadable',
      `There can be no store at ${place}: ${reason}.`,
      'Set SCROLLBACK_HOME to a folder that you may write to.',
      error,
    )
  if (isReadOnly(error))
    return new ScrollbackError(
      'store-unreadable',
      `The store at ${place} cannot be written.`,
      'Set SCROLLBACK_HOME to a folder that you may write to.',
      error,
    )
  return error
}
