import { hash } from 'node:crypto'
import { zlib } from './process.ts'
import { unpackZstd } from './zstd.ts'

/** The magic number of a skippable frame: RFC 8878, 3.1.2. */
const SKIPPABLE = 0x184d2a5e
const PREAMBLE = 8
/** `SCL2` precedes lines, `SCLE` ends a segment, and `SCLL` precedes lines of the first format. */
const LINES = 0x324c4353
const SUMMARY = 0x454c4353
const FIRST_FORMAT = 0x4c4c4353

/** The size of a header: a skippable frame that describes the zstd frame after it. */
export const HEAD_BYTES = 76
export const FIRST_HEAD_BYTES = 24
/** A checksum is the first half of a SHA-256 hash. */
export const CHECKSUM_BYTES = 16
const CONTENT_AT = 28
const PREVIOUS_AT = CONTENT_AT + CHECKSUM_BYTES
const CHAIN_AT = PREVIOUS_AT + CHECKSUM_BYTES
/** Larger frames are not ours. */
const LARGEST = 1024 * 1024 * 1024

const LEAST_ROOM = 64 * 1024

/** The beginning of every header. Readers search for it to find the next frame after damage. */
export const HEAD_BEGINNING = Buffer.from([0x5e, 0x2a, 0x4d, 0x18])

const checksumOf = (bytes: Uint8Array | string): Buffer =>
  hash('sha256', bytes, 'buffer').subarray(0, CHECKSUM_BYTES)

/** The chain value before the first frame of a segment. It ties the frames to their segment and archive. */
export const chainBefore = (archive: string, segment: string): Buffer =>
  checksumOf(`scrollback archive ${archive}\n${segment}\n`)

/**
 * Compresses lines into a zstd frame after an unsealed header. Any decoder can read consecutive frames and
 * skips the headers. `sealFrame` fills in the position when the frame is appended.
 */
export function packFrame(lines: Uint8Array, records: number): Buffer<ArrayBuffer> {
  // Large enough for most results, so that no chunks have to be joined.
  const chunkSize = Math.max(LEAST_ROOM, lines.length >> 2)
  const { constants, zstdCompressSync } = zlib()
  // The fastest level. Archives become 4% larger than with the default level.
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 }
  return frameOf(zstdCompressSync(lines, { params, chunkSize }), records)
}

/** The same for lines that are already compressed: a single zstd frame. */
export function frameOf(packed: Uint8Array, records: number): Buffer<ArrayBuffer> {
  // Memory of its own, so that it can be transferred to another thread.
  const frame = Buffer.allocUnsafeSlow(HEAD_BYTES + packed.length)
  frame.fill(0, 0, HEAD_BYTES)
  writePreamble(frame, LINES)
  frame.writeUInt32LE(packed.length, 12)
  frame.writeUInt32LE(records, 20)
  frame.set(checksumOf(packed), CONTENT_AT)
  frame.set(packed, HEAD_BYTES)
  return frame
}

function writePreamble(head: Buffer, mark: number): void {
  head.writeUInt32LE(SKIPPABLE, 0)
  head.writeUInt32LE(HEAD_BYTES - PREAMBLE, 4)
  head.writeUInt32LE(mark, 8)
}

/** The position of a frame in its segment. */
interface FramePosition {
  /** The number of frames before it. */
  frames: number
  /** The number of records before it. */
  records: number
  /** The checksum of the preceding header, which covers everything up to there. */
  chain: Buffer
}

/**
 * Fills in the position in the header of a frame. Returns its checksum, to which the next frame is chained.
 */
export function sealFrame(frame: Uint8Array, { frames, records, chain }: FramePosition): Buffer {
  const head = Buffer.from(frame.buffer, frame.byteOffset, HEAD_BYTES)
  head.writeUInt32LE(frames, 16)
  head.writeUInt32LE(records, 24)
  head.set(chain, PREVIOUS_AT)
  const seal = checksumOf(head.subarray(0, CHAIN_AT))
  head.set(seal, CHAIN_AT)
  return seal
}

/** The end of a finished segment: the number of its frames and records, chained to the last frame. */
export function summaryOf(position: FramePosition): { summary: Buffer; seal: Buffer } {
  const summary = Buffer.alloc(HEAD_BYTES)
  writePreamble(summary, SUMMARY)
  return { summary, seal: sealFrame(summary, position) }
}

interface LinesHead extends FramePosition {
  type: 'lines'
  /** The size of the header, and of the frame after it. */
  bytes: number
  length: number
  /** The number of records in it. `records` counts those before it. */
  holds: number
  content: Buffer
  /** The checksum of this header. */
  seal: Buffer
}

interface SummaryHead extends FramePosition {
  type: 'summary'
  bytes: number
  seal: Buffer
}

/** A header of the first format, which has no chain and no checksum of its own. */
interface FirstHead {
  type: 'first'
  bytes: number
  length: number
  holds: number
  checksum: number
}

export type Head = LinesHead | SummaryHead | FirstHead

/** Reads the header at the beginning of `bytes`. Undefined if there is none or it is damaged. */
export function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < FIRST_HEAD_BYTES || bytes.readUInt32LE(0) !== SKIPPABLE) return undefined
  const mark = bytes.readUInt32LE(8)
  const length = bytes.readUInt32LE(12)
  if (length > LARGEST) return undefined
  const size = bytes.readUInt32LE(4) + PREAMBLE
  if (mark === FIRST_FORMAT && size === FIRST_HEAD_BYTES)
    return {
      type: 'first',
      bytes: FIRST_HEAD_BYTES,
      length,
      checksum: bytes.readUInt32LE(16),
      holds: bytes.readUInt32LE(20),
    }
  if ((mark !== LINES && mark !== SUMMARY) || size !== HEAD_BYTES || bytes.length < HEAD_BYTES)
    return undefined
  const seal = Buffer.from(bytes.subarray(CHAIN_AT, HEAD_BYTES))
  if (!checksumOf(bytes.subarray(0, CHAIN_AT)).equals(seal)) return undefined
  const position = {
    frames: bytes.readUInt32LE(16),
    records: bytes.readUInt32LE(24),
    chain: Buffer.from(bytes.subarray(PREVIOUS_AT, CHAIN_AT)),
  }
  if (mark === SUMMARY) return { type: 'summary', bytes: HEAD_BYTES, ...position, seal }
  const content = Buffer.from(bytes.subarray(CONTENT_AT, PREVIOUS_AT))
  const holds = bytes.readUInt32LE(20)
  return { type: 'lines', bytes: HEAD_BYTES, length, holds, content, ...position, seal }
}

/** Whether the content after a header matches its checksum. */
export function isWhole(packed: Uint8Array, head: LinesHead | FirstHead): boolean {
  if (packed.length !== head.length) return false
  return head.type === 'first'
    ? zlib().crc32(packed) === head.checksum
    : checksumOf(packed).equals(head.content)
}

/** The lines in the content after a header, at most `most` bytes. Throws the decoder's error. */
export const unpackFrame = (packed: Uint8Array, most = LARGEST): Buffer =>
  unpackZstd(packed, Math.min(most, LARGEST)).bytes
