import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFolder } from './directories.ts'

/** Windows has neither flag. There, creating a link requires a privilege. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const NO_WAIT = constants.O_NONBLOCK ?? 0
const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = constants

/**
 * A file that we did not create has the name of one of ours: a link, a pipe, a folder, or a file with a
 * second name.
 */
export class NotOurs extends Error {
  readonly code = 'ERR_NOT_OURS'
  /** It is a plain file with a second name, so a write would change that one too. */
  readonly shared: boolean

  constructor(message: string, shared = false) {
    super(message)
    this.shared = shared
  }
}

/**
 * Opens an existing file for writing. Does not follow links and does not truncate the file. Throws `NotOurs`
 * if the file is not ours alone, or the system's error.
 */
export async function openOwnToWrite(path: string): Promise<FileHandle> {
  let handle: FileHandle
  try {
    handle = await process.getBuiltinModule('node:fs/promises').open(path, O_RDWR | NO_FOLLOW | NO_WAIT)
  } catch (error) {
    throw faultOf(error, path)
  }
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || isLink(path)) throw new NotOurs(`${path} is a link or no plain file`)
    if (stats.nlink > 1) throw new NotOurs(`${path} is a file with a second name`, true)
    return handle
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

const CREATE = O_RDWR | O_CREAT | O_EXCL | NO_FOLLOW

/** Creates a private file. Throws `EEXIST` if the name is taken, even by a dangling link. */
export const createOwn = (path: string): number => openSync(path, CREATE, 0o600)

/** The same, for asynchronous writes. */
export const createOwnToWrite = (path: string): Promise<FileHandle> =>
  process.getBuiltinModule('node:fs/promises').open(path, CREATE, 0o600)

/**
 * Opens a file for reading without following links. Throws `NotOurs` if it is not a plain file, or the
 * system's error.
 */
export function openOwnToRead(path: string): number {
  let descriptor: number
  try {
    descriptor = openSync(path, O_RDONLY | NO_FOLLOW | NO_WAIT)
  } catch (error) {
    throw faultOf(error, path)
  }
  try {
    if (!fstatSync(descriptor).isFile() || isLink(path))
      throw new NotOurs(`${path} is a link or no plain file`)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Error codes for a link, a folder, and a pipe or socket that nothing reads. */
const OTHER_THINGS = new Set(['ELOOP', 'EMLINK', 'EISDIR', 'ENXIO'])

const faultOf = (error: unknown, path: string): unknown =>
  OTHER_THINGS.has((error as NodeJS.ErrnoException).code ?? '')
    ? new NotOurs(`${path} is a link or no plain file`)
    : error

/** Only checked if the system cannot refuse to follow links. */
const isLink = (path: string): boolean => NO_FOLLOW === 0 && lstatSync(path).isSymbolicLink()

/** The contents of a small file. Undefined if it does not exist. Throws `NotOurs` or the system's error. */
export function readOwn(path: string, limit: number): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = openOwnToRead(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return readAt(descriptor, 0, Math.min(limit, fstatSync(descriptor).size))
  } finally {
    closeSync(descriptor)
  }
}

/** Reads up to `length` bytes from an offset. Returns fewer at the end of the file. */
export function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let held = 0
  while (held < length) {
    const count = readSync(descriptor, bytes, held, length - held, offset + held)
    if (count === 0) break
    held += count
  }
  return bytes.subarray(0, held)
}

export function writeAt(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, offset + at)
}

/** An unguessable name next to `path`. */
export const draftOf = (path: string): string => {
  // Loaded lazily, because only writers need it.
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  return `${path}.${randomBytes(6).toString('hex')}.part`
}

/** Writes a file durably, which `publish` then gives its name. Deletes it if that fails. */
export function publishOwn(
  path: string,
  content: string | Uint8Array,
  publish: (draft: string, path: string) => void,
): void {
  const draft = draftOf(path)
  const descriptor = createOwn(draft)
  try {
    try {
      writeAt(descriptor, typeof content === 'string' ? Buffer.from(content) : content, 0)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    publish(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** Replaces a file durably and atomically. A link of that name is replaced, never followed. */
export const replaceOwn = (path: string, content: string | Uint8Array): void =>
  publishOwn(path, content, renameSync)

/** A new name is only durable once its folder is. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Some systems do not support this, and they do not need it.
  }
}

/** A file that is written in pieces and only gets its name once it is complete. */
export interface OutputFile {
  write(piece: string | Uint8Array): void
  /** Renames the file to its final name. */
  done(): void
  /** Deletes the incomplete file. */
  drop(): void
}

/**
 * Only the owner may read the file and the folders that are created for it, because transcripts are private.
 * A link of that name is replaced, never followed. Throws the system's error.
 */
export function createOutputFile(path: string): OutputFile {
  makeFolders(dirname(path))
  const temporary = draftOf(path)
  const descriptor = createOwn(temporary)
  let open = true
  const close = (): void => {
    if (open) closeSync(descriptor)
    open = false
  }
  return {
    write(piece) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    },
    done() {
      close()
      renameSync(temporary, path)
    },
    drop() {
      close()
      rmSync(temporary, { force: true })
    },
  }
}

const PART = 1024 * 1024
/** Most files are small, and each part is allocated anew. */
const SMALLEST_PART = 4096

/** The contents of such a file, in chunks. */
export function* partsOfFile(path: string): Generator<Uint8Array> {
  const descriptor = openOwnToRead(path)
  try {
    const { size } = fstatSync(descriptor)
    for (let at = 0; ; ) {
      const part = readAt(descriptor, at, Math.min(PART, Math.max(size - at, SMALLEST_PART)))
      if (part.length === 0) return
      at += part.length
      yield part
    }
  } finally {
    closeSync(descriptor)
  }
}

/** A token is one line. A larger file is something else. */
const LARGEST_SECRET = 64 * 1024

/**
 * Reads a small file and its permissions through the same descriptor. `open`: other users can read or change
 * it. Throws the system's error.
 */
export function readPrivateFile(path: string): { text: string; open: boolean } {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const bytes = Buffer.alloc(LARGEST_SECRET)
    const length = readSync(descriptor, bytes, 0, LARGEST_SECRET, 0)
    const { mode, uid } = fstatSync(descriptor)
    const own = process.getuid?.()
    // Windows has neither such modes nor such owners.
    const open = own !== undefined && ((mode & 0o077) !== 0 || (uid !== own && uid !== 0))
    return { text: bytes.toString('utf8', 0, length), open }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes a file atomically that only its owner can read. A link of that name is replaced. Throws the system's
 * error.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  makeFolders(dirname(path))
  replaceOwn(path, content)
}

/**
 * A file with a token, as `readPrivateFile` reads it. Writes a random token if there is no text in it. Throws
 * the system's error.
 */
export function ownTokenFile(path: string): ReturnType<typeof readPrivateFile> {
  try {
    const found = readPrivateFile(path)
    if (found.text.trim() !== '') return found
  } catch {
    // There is none, or writing fails too and says why.
  }
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  const text = `${randomBytes(32).toString('base64url')}\n`
  writePrivateFile(path, text)
  return { text, open: false }
}

/**
 * Makes a folder that only its owner may read, and those above it that are missing. Throws the system's
 * error. Node's own way names another one, and tries forever where the system makes no folders.
 */
export function makeFolders(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && isFolder(path)) return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path || isFolder(above)) throw error
    makeFolders(above)
    makeFolders(path)
  }
}

/** Takes the rights of others on what is directly in a folder of ours. */
export function closeFoldersIn(folder: string): void {
  if (process.platform === 'win32') return
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if ((lstatSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700)
    }
  } catch {
    // Another process may have removed it, and nobody else gets into the folder around it.
  }
}
