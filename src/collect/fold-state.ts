import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FoldState } from '../model/fold.ts'
import { withoutSecrets } from './seal.ts'

/** A copy of the state as bytes, without secrets, to lie in the store until the file grows. */
export const packState = (state: FoldState): Uint8Array<ArrayBuffer> => {
  const plain = serialize(withoutSecrets(state))
  const packed = zstdCompressSync(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // Room for what comes out at once, and no more: it would be made anew, much larger, for every file.
    chunkSize: Math.max(1024, plain.length),
  })
  // Small results share one pool of memory, which cannot change hands.
  return new Uint8Array(packed)
}

/** Throws when the bytes are not what `packState` made. */
export const unpackState = (packed: Uint8Array): FoldState => deserialize(zstdDecompressSync(packed))
