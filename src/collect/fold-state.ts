import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FoldState } from '../model/fold.ts'

/** A copy of the state as bytes, to lie in the store until the file grows. */
export const packState = (state: FoldState): Uint8Array<ArrayBuffer> => {
  const packed = zstdCompressSync(serialize(state), { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  // Small results share one pool of memory, which cannot change hands.
  return new Uint8Array(packed)
}

/** Throws when the bytes are not what `packState` made. */
export const unpackState = (packed: Uint8Array): FoldState => deserialize(zstdDecompressSync(packed))
