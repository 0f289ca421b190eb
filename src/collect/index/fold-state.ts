import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { collectGarbage } from '../../io/heap.ts'
import type { FoldState } from '../../model/fold/fold.ts'
import { withoutSecrets } from '../read/seal.ts'
import { type UsageColumns, usagesFromColumns, usagesInColumns } from './usage-columns.ts'

/** Size of the length that precedes the packed state. */
const LENGTH_BYTES = 4
/** The first bytes of a state that was packed without its length. */
const ZSTD_MAGIC = 0xfd2fb528
const MOST_AT_ONCE = 1024 * 1024
/** Buffers of larger states are released at once. */
const LARGE = 16 * 1024 * 1024

/** Packs a state as bytes, redacted, to be stored until the file grows. */
export function packState(state: FoldState): Uint8Array<ArrayBuffer> {
  const bytes = pack(serialize(withoutSecrets(inBytes(state))))
  if (isLarge(bytes)) collectGarbage()
  return bytes
}

/** The state as it is stored, with long lists as bytes, because V8 takes ten times as long to store lists. */
type StoredState = Omit<FoldState, 'replies'> & {
  replies: Omit<Replies, 'positions' | 'usages'> & {
    positions: Float64Array
    usages: Omit<Usages, 'usages'> & { usages: UsageColumns }
  }
}
type Replies = FoldState['replies']
type Usages = Replies['usages']

function inBytes(state: FoldState): StoredState {
  const { replies } = state
  const usages = { ...replies.usages, usages: usagesInColumns(replies.usages.usages) }
  return { ...state, replies: { ...replies, positions: Float64Array.from(replies.positions), usages } }
}

/** Older versions stored the state as it is. */
function fromBytes(state: StoredState | FoldState): FoldState {
  const { positions, usages } = state.replies
  const own = usages.usages instanceof Map ? usages.usages : usagesFromColumns(usages.usages as UsageColumns)
  return {
    ...state,
    replies: { ...state.replies, positions: Array.from(positions), usages: { ...usages, usages: own } },
  }
}

function pack(plain: Buffer): Uint8Array<ArrayBuffer> {
  const packed = zstdCompressSync(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // The chunk size limits the output buffer, which would otherwise be allocated again, and larger, for
    // every file.
    chunkSize: Math.min(Math.max(1024, plain.length), MOST_AT_ONCE),
  })
  // A buffer of its own: small results of the compressor share a pool, which cannot be transferred.
  const bytes = new Uint8Array(LENGTH_BYTES + packed.length)
  new DataView(bytes.buffer).setUint32(0, plain.length, true)
  bytes.set(packed, LENGTH_BYTES)
  return bytes
}

/** Throws if the bytes do not come from `packState`. */
export function unpackState(bytes: Uint8Array): FoldState {
  const state = restore(bytes)
  if (isLarge(bytes)) collectGarbage()
  return state
}

/** A function of its own: what its variables hold can be freed only when it has returned. */
function restore(bytes: Uint8Array): FoldState {
  const plain = unpack(bytes)
  if (isLarge(bytes)) collectGarbage()
  return fromBytes(deserialize(plain) as StoredState | FoldState)
}

function unpack(bytes: Uint8Array): Buffer {
  const length = lengthOf(bytes)
  if (length === ZSTD_MAGIC) return zstdDecompressSync(bytes)
  // One buffer for all of a small state avoids joining chunks. A decompressor holds its last buffer until the
  // event loop runs, so the buffers of large states are small.
  const chunkSize = Math.min(Math.max(64, length + 1), MOST_AT_ONCE)
  return zstdDecompressSync(bytes.subarray(LENGTH_BYTES), { chunkSize })
}

/** The unpacked length. Very large for a state without one. */
const lengthOf = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)

const isLarge = (bytes: Uint8Array): boolean => {
  const length = lengthOf(bytes)
  return length > LARGE && length !== ZSTD_MAGIC
}
