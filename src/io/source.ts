import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { identityOf } from './directories.ts'

/** Bytes in order, from a plain file or a compressed one. */
export interface Source {
  read(into: Buffer, at: number, length: number): number
  close(): void
}

/** A source that can be read again from any place. */
export interface SeekableSource extends Source {
  seek(offset: number): void
  /** Tells where a line begins, for sources of rows, which know their places by lines. */
  lineBegins?(offset: number, line: number): void
  /** What was opened, as it is now; its path may name another by now. */
  state(): SourceState
}

/** Size in bytes, time of change in ms, and what stays the same when it is renamed. */
export interface SourceState {
  size: number
  mtimeMs: number
  identity: string
}

/** What a compressed archive may unpack to: it has to fit into memory whole. */
const UNPACKED_LIMIT = 512 * 1024 * 1024

/** Every file the program reads is opened here, so that a test can watch what is opened. */
export const opened = {
  listener: undefined as ((path: string) => void) | undefined,
  /** Told of all bytes that were read. */
  reader: undefined as ((path: string, bytes: number) => void) | undefined,
}

/** Opens for reading from `offset`. Throws the system's error when it cannot. */
export function openSource(path: string, offset = 0): SeekableSource {
  opened.listener?.(path)
  if (path.endsWith('.zst')) {
    const descriptor = openPlain(path)
    try {
      const stats = fstatSync(descriptor)
      const content = zstdDecompressSync(readFileSync(descriptor), { maxOutputLength: UNPACKED_LIMIT })
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
    seek(place) {
      position = place
    },
    state: () => stateOf(fstatSync(descriptor)),
    close: () => closeSync(descriptor),
  }
}

/** What stands there may be another thing than when it was found: nobody waits for the other end of a pipe. */
function openPlain(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = fstatSync(descriptor)
  // Reading a folder fails by itself.
  if (stats.isFile() || stats.isDirectory()) return descriptor
  closeSync(descriptor)
  throw Object.assign(new Error(`${path} is no plain file`), { code: 'ERR_NO_FILE' })
}

const stateOf = ({ size, mtimeMs, dev, ino }: Stats): SourceState => ({
  ...{ size, mtimeMs },
  identity: identityOf({ dev, ino }),
})

/** What was read whole. */
export function bufferSource(content: Buffer, offset: number, state: SourceState): SeekableSource {
  let position = offset
  return {
    read(into, at, length) {
      const count = content.copy(into, at, position, Math.min(content.length, position + length))
      position += count
      return count
    },
    seek(place) {
      position = place
    },
    state: () => state,
    close() {},
  }
}

/** A small file whole, or undefined when it is larger than `limit` bytes. Throws the system's error when unreadable. */
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
