import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { collectGarbage } from '../io/heap.ts'
import type { FoldState } from '../model/fold.ts'

const MOST_AT_ONCE = 1024 * 1024
/** Two copies of a larger one are worth being given back at once. */
const LARGE = 16 * 1024 * 1024

/** A copy of the state as bytes, to lie in the store until the file grows. */
export const packState = (state: FoldState): Uint8Array<ArrayBuffer> => {
  const plain = serialize(state)
  const packed = zstdCompressSync(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // Room for what comes out at once, and no more: it would be made anew, much larger, for every file.
    chunkSize: Math.min(Math.max(1024, plain.length), MOST_AT_ONCE),
  })
  // Small results share one pool of memory, which cannot change hands.
  return new Uint8Array(packed)
}

/** Throws when the bytes are not what `packState` made. */
export function unpackState(packed: Uint8Array): FoldState {
  const plain = zstdDecompressSync(packed)
  const state = deserialize(plain) as FoldState
  if (plain.length > LARGE) collectGarbage()
  return state
}
