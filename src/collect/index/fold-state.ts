import { collectGarbage } from '../../io/process/heap.ts'
import { v8, zlib } from '../../io/process/on-demand.ts'
import type { FoldState, SavedFold } from '../../model/fold/fold.ts'
import type { StateParts } from '../../model/fold/state/parts.ts'
import { joinState, mergeState, type StoredState, splitState } from '../../store/state-bytes.ts'
import { withoutSecrets } from '../read/seal.ts'
import { fromOlder, isOlder, type OlderState } from './older-states.ts'

/** Size of the length that precedes what is packed. */
const LENGTH_BYTES = 4
/** The first bytes of a state that was packed without its length. */
const ZSTD_MAGIC = 0xfd2fb528
const MOST_AT_ONCE = 1024 * 1024
/** Buffers of larger states are released at once. */
const LARGE = 16 * 1024 * 1024
/** The first byte of a part: whether it is compressed. Ids and numbers hardly become smaller. */
const PLAIN = 0
const COMPRESSED = 1

/** A stored state cannot be understood. Its file has to be read from its first byte. */
export class DamagedState extends Error {
  override name = 'DamagedState'
}

/** A state that reading resumes. */
export interface OpenedState {
  state: FoldState
  parts: StateParts
  /** What to store after more was read: what has changed, or everything if everything is at hand. */
  pack(saved: SavedFold): Uint8Array<ArrayBuffer>
}

/**
 * Opens a stored state, as it is or as the bytes of all of it. Throws a `DamagedState`, also when a
 * damaged part is loaded.
 */
export function openState(stored: StoredState | Uint8Array): OpenedState {
  const bytes = stored instanceof Uint8Array ? understood(() => splitState(stored)) : undefined
  const { head, part } = bytes
    ? { head: bytes.head, part: (name: string) => bytes.parts.get(name) }
    : (stored as StoredState)
  const state = understood(() => unpackHead(head))
  const parts = {
    load(name: string): unknown {
      const own = part(name)
      if (!own) throw new DamagedState(`A stored state has no part ${name}.`)
      return understood(() => unpackPart(own))
    },
  }
  if (isOlder(state)) return { state: fromOlder(state), parts, pack: packState }
  return {
    state,
    parts,
    pack(saved) {
      const write = packed(saved, false)
      return joinState(bytes ? mergeState(bytes, write) : write)
    },
  }
}

/** Packs the whole state of a fold as bytes, redacted, to be stored until the file grows. */
export const packState = (saved: SavedFold): Uint8Array<ArrayBuffer> => joinState(packed(saved, true))

function packed({ state, parts }: SavedFold, whole: boolean) {
  const packedParts = new Map<string, Uint8Array>()
  for (const [name, part] of parts) packedParts.set(name, packPart(part))
  const head = pack(v8().serialize(withoutSecrets(state)))
  if (isLarge(head)) collectGarbage()
  return { head, parts: packedParts, whole }
}

function packPart(part: unknown): Uint8Array {
  const plain = v8().serialize(withoutSecrets(part))
  const isCompressed = !ArrayBuffer.isView(part)
  return Buffer.concat([Buffer.of(isCompressed ? COMPRESSED : PLAIN), isCompressed ? pack(plain) : plain])
}

function understood<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw new DamagedState('A stored state is damaged.', { cause })
  }
}

function unpackPart(bytes: Uint8Array): unknown {
  const rest = bytes.subarray(1)
  return v8().deserialize(bytes[0] === COMPRESSED ? unpack(rest) : rest)
}

function pack(plain: Buffer): Uint8Array<ArrayBuffer> {
  const { constants, zstdCompressSync } = zlib()
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

function unpackHead(bytes: Uint8Array): FoldState | OlderState {
  const state = restore(bytes)
  if (isLarge(bytes)) collectGarbage()
  return state
}

/** A function of its own: what its variables hold can be freed only when it has returned. */
function restore(bytes: Uint8Array): FoldState | OlderState {
  const plain = unpack(bytes)
  if (isLarge(bytes)) collectGarbage()
  return v8().deserialize(plain) as FoldState | OlderState
}

function unpack(bytes: Uint8Array): Buffer {
  const length = lengthOf(bytes)
  if (length === ZSTD_MAGIC) return zlib().zstdDecompressSync(bytes)
  // One buffer for all of a small state avoids joining chunks. A decompressor holds its last buffer until the
  // event loop runs, so the buffers of large states are small.
  const chunkSize = Math.min(Math.max(64, length + 1), MOST_AT_ONCE)
  return zlib().zstdDecompressSync(bytes.subarray(LENGTH_BYTES), { chunkSize })
}

/** The unpacked length. Very large for a state without one. */
const lengthOf = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)

const isLarge = (bytes: Uint8Array): boolean => {
  const length = lengthOf(bytes)
  return length > LARGE && length !== ZSTD_MAGIC
}
