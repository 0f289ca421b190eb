import { hash } from 'node:crypto'
import type { SeekableSource } from './source.ts'

/** Bytes that are looked at on either side: enough to tell files apart, little enough to be read each time. */
const FINGERPRINT_BYTES = 4096

/** The file's head, of a length frozen when it was first seen, and what stands just before a place in it. */
export interface Fingerprint {
  headLength: number
  head: string
  tail: string
}

/**
 * Of a file of `size` bytes that was read up to `offset`. Where no line is whole yet, what stands of the first one counts. `tailBytes`: how
 * much before `offset` is looked at; what is written anew further back is not seen.
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

/** Whether the head still is what it was, and the bytes before `offset` too. */
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
