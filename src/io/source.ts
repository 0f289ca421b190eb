import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'

/** Bytes in order, from a plain file or a compressed one. */
export interface Source {
  read(into: Buffer, at: number, length: number): number
  close(): void
}

/** A source that can be read again from any place. */
export interface SeekableSource extends Source {
  seek(offset: number): void
  /** Size, time of change and identity of the file that was opened; its path may name another by now. */
  stats(): Stats
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
    const stats = statSync(path)
    const content = zstdDecompressSync(readFileSync(path), { maxOutputLength: UNPACKED_LIMIT })
    opened.reader?.(path, stats.size)
    return bufferSource(content, offset, stats)
  }
  const descriptor = openSync(path, 'r')
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
    stats: () => fstatSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

function bufferSource(content: Buffer, offset: number, stats: Stats): SeekableSource {
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
    stats: () => stats,
    close() {},
  }
}

/** A small file whole, or undefined when it is larger than `limit` bytes. Throws the system's error when unreadable. */
export function readSmall(path: string, limit: number): Buffer | undefined {
  opened.listener?.(path)
  const descriptor = openSync(path, 'r')
  try {
    if (fstatSync(descriptor).size > limit) return undefined
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
