import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs'
import { identityOf } from './directories.ts'
import { unpackZstd } from './zstd.ts'

/** A stream of bytes from a plain or a compressed file. */
export interface Source {
  read(into: Buffer, at: number, length: number): number
  close(): void
}

/** A source that can be read again from any offset. */
export interface SeekableSource extends Source {
  seek(offset: number): void
  /** Declares where a line begins. Used by sources of rows, which locate offsets by lines. */
  lineBegins?(offset: number, line: number): void
  /** The current state of what was opened. Its path may lead to another file by now. */
  state(): SourceState
  /** A document that was not written to its end, so that nothing says what it contains. */
  torn?: true
}

/** Size in bytes, modification time in ms, and the identity that survives a rename. */
export interface SourceState {
  size: number
  mtimeMs: number
  identity: string
}

/** The maximum unpacked size of a compressed file, which is held in memory. */
const UNPACKED_LIMIT = 512 * 1024 * 1024

/** All files are opened here, so that tests can watch them. */
export const opened = {
  listener: undefined as ((path: string) => void) | undefined,
  /** Called with the number of bytes of each read. */
  reader: undefined as ((path: string, bytes: number) => void) | undefined,
}

const PACKED = '.zst'

export const isPacked = (path: string): boolean => path.endsWith(PACKED)

/** A file and its compressed form have one name, apart from the extension. */
export const unpackedName = (path: string): string => (isPacked(path) ? path.slice(0, -PACKED.length) : path)

/** Opens a file for reading from `offset`. Throws the system's error. */
export function openSource(path: string, offset = 0): SeekableSource {
  opened.listener?.(path)
  if (isPacked(path)) {
    const descriptor = openPlain(path)
    try {
      const stats = fstatSync(descriptor)
      const content = unpackZstd(readFileSync(descriptor), UNPACKED_LIMIT).bytes
      opened.reader?.(path, stats.size)
      return bufferSource(content, offset, stateOf(stats))
    } finally {
      closeSync(descriptor)
    }
  }
  const descriptor = openPlain(path)
  let position = offset
  return {
    read(into, at, length) {
      const count = readSync(descriptor, into, at, length, position)
      position += count
      opened.reader?.(path, count)
      return count
    },
    seek(to) {
      position = to
    },
    state: () => stateOf(fstatSync(descriptor)),
    close: () => closeSync(descriptor),
  }
}

/** The file may have been replaced since it was found. Do not wait for the other end of a pipe. */
function openPlain(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = fstatSync(descriptor)
  // Reading a folder fails by itself.
  if (stats.isFile() || stats.isDirectory()) return descriptor
  closeSync(descriptor)
  throw Object.assign(new Error(`${path} is not a plain file`), { code: 'ERR_NO_FILE' })
}

const stateOf = ({ size, mtimeMs, dev, ino }: Stats): SourceState => ({
  size,
  mtimeMs,
  identity: identityOf({ dev, ino }),
})

/** A source over a buffer. */
export function bufferSource(content: Buffer, offset: number, state: SourceState): SeekableSource {
  let position = offset
  return {
    read(into, at, length) {
      const count = content.copy(into, at, position, Math.min(content.length, position + length))
      position += count
      return count
    },
    seek(to) {
      position = to
    },
    state: () => state,
    close() {},
  }
}

/** The contents of a small file. Undefined if it is larger than `limit` bytes. Throws the system's error. */
export function readSmall(path: string, limit: number): Buffer | undefined {
  opened.listener?.(path)
  const descriptor = openPlain(path)
  try {
    if (fstatSync(descriptor).size > limit) return undefined
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The text of a small file beside others, which are read without it, too. Empty if it cannot be read. */
export function companionText(path: string, limit: number): string {
  try {
    return readSmall(path, limit)?.toString('utf8') ?? ''
  } catch {
    return ''
  }
}

/** Bytes hashed at either end: enough to distinguish files, few enough to read each time. */
const FINGERPRINT_BYTES = 4096

/**
 * Hashes of the beginning of a file, whose length is fixed when the file is first seen, and of the bytes
 * before an offset.
 */
export interface Fingerprint {
  headLength: number
  head: string
  tail: string
}

/**
 * The fingerprint of a file of `size` bytes that was read up to `offset`. If no line is complete yet, it
 * covers the beginning of the first one. `tailBytes` is how many bytes before `offset` are hashed. Changes
 * further back are not noticed.
 */
export function fingerprintAt(
  source: SeekableSource,
  offset: number,
  size: number,
  tailBytes = FINGERPRINT_BYTES,
): Fingerprint {
  const headLength = Math.min(offset === 0 ? size : offset, FINGERPRINT_BYTES)
  return { headLength, head: digest(source, 0, headLength), tail: tailAt(source, offset, tailBytes) }
}

/** Whether the beginning of the file and the bytes before `offset` are unchanged. */
export const holds = (
  source: SeekableSource,
  offset: number,
  known: Fingerprint,
  tailBytes = FINGERPRINT_BYTES,
): boolean =>
  digest(source, 0, known.headLength) === known.head && tailAt(source, offset, tailBytes) === known.tail

function tailAt(source: SeekableSource, offset: number, bytes: number): string {
  const start = Math.max(0, offset - bytes)
  return digest(source, start, offset - start)
}

function digest(source: SeekableSource, start: number, length: number): string {
  source.seek(start)
  return hash('sha256', readFully(source, length), 'base64url').slice(0, 16)
}

/** The next `length` bytes, or what is left. */
export function readFully(source: Source, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let held = 0
  while (held < length) {
    const count = source.read(bytes, held, length - held)
    if (count === 0) break
    held += count
  }
  return bytes.subarray(0, held)
}
