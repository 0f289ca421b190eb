import { hash } from 'node:crypto'
import type { SeekableSource } from './source.ts'

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
  const bytes = Buffer.allocUnsafe(length)
  let held = 0
  source.seek(start)
  while (held < length) {
    const count = source.read(bytes, held, length - held)
    if (count === 0) break
    held += count
  }
  return hash('sha256', bytes.subarray(0, held), 'base64url').slice(0, 16)
}
