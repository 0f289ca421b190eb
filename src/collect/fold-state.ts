import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { collectGarbage } from '../io/heap.ts'
import type { FoldState } from '../model/fold.ts'
import { withoutSecrets } from './seal.ts'

/** Before what is packed: how long it is. */
const LENGTH_BYTES = 4
/** What a state begins with that was packed without its length. */
const ZSTD_MAGIC = 0xfd2fb528
const MOST_AT_ONCE = 1024 * 1024
/** Copies of a larger state are given back at once. */
const LARGE = 16 * 1024 * 1024

/** A copy of the state as bytes, without secrets, to lie in the store until the file grows. */
export function packState(state: FoldState): Uint8Array<ArrayBuffer> {
  const bytes = pack(serialize(withoutSecrets(state)))
  if (isLarge(bytes)) collectGarbage()
  return bytes
}

function pack(plain: Buffer): Uint8Array<ArrayBuffer> {
  const packed = zstdCompressSync(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // Room for what comes out at once, and no more: it would be made anew, much larger, for every file.
    chunkSize: Math.min(Math.max(1024, plain.length), MOST_AT_ONCE),
  })
  // Memory of its own: small results of the packer share a pool, which cannot change hands.
  const bytes = new Uint8Array(LENGTH_BYTES + packed.length)
  new DataView(bytes.buffer).setUint32(0, plain.length, true)
  bytes.set(packed, LENGTH_BYTES)
  return bytes
}

/** Throws when the bytes are not what `packState` made. */
export function unpackState(bytes: Uint8Array): FoldState {
  const state = deserialize(unpack(bytes)) as FoldState
  if (isLarge(bytes)) collectGarbage()
  return state
}

function unpack(bytes: Uint8Array): Buffer {
  const length = lengthOf(bytes)
  if (length === ZSTD_MAGIC) return zstdDecompressSync(bytes)
  // Room for all of it, so that it is not unpacked in pieces which are joined.
  return zstdDecompressSync(bytes.subarray(LENGTH_BYTES), { chunkSize: Math.max(64, length + 1) })
}

/** Of what was packed; a very large number for a state without its length. */
const lengthOf = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)

const isLarge = (bytes: Uint8Array): boolean => {
  const length = lengthOf(bytes)
  return length > LARGE && length !== ZSTD_MAGIC
}
