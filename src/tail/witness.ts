import { createHash } from 'node:crypto'
import type { SeekableSource } from '../io/source.ts'

const BYTES = 256 * 1024

/** A source that remembers the bytes that were read from it, as a hash. */
export interface Witness extends SeekableSource {
  /** Whether the source still contains those bytes, which began at `offset`. */
  stillHolds(offset: number): boolean
}

/** Hashes the bytes that are read, because a file that grew meanwhile may also have been rewritten. */
export function createWitness(source: SeekableSource): Witness {
  const hash = createHash('sha256')
  let length = 0
  return {
    ...source,
    read(into, at, most) {
      const count = source.read(into, at, most)
      hash.update(into.subarray(at, at + count))
      length += count
      return count
    },
    stillHolds(offset) {
      const now = createHash('sha256')
      source.seek(offset)
      for (const bytes of bytesOf(source, length)) now.update(bytes)
      return now.digest('hex') === hash.copy().digest('hex')
    },
  }
}

/** The next `length` bytes of a source, or fewer if it ends. Each piece is only valid until the next one. */
export function* bytesOf(source: SeekableSource, length: number): Generator<Buffer, void> {
  const bytes = Buffer.allocUnsafe(Math.min(length, BYTES))
  for (let left = length; left > 0; ) {
    const count = source.read(bytes, 0, Math.min(left, bytes.length))
    if (count === 0) return
    yield bytes.subarray(0, count)
    left -= count
  }
}
