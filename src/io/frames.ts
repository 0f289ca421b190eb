import { hash } from 'node:crypto'
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Marks a frame that decoders skip: RFC 8878, 3.1.2. */
const SKIPPABLE = 0x184d2a5e
const PREAMBLE = 8
/** `SCL2` before lines, `SCLE` at the end of a segment, `SCLL` before lines of the first format. */
const LINES = 0x324c4353
const SUMMARY = 0x454c4353
const FIRST_FORMAT = 0x4c4c4353

/** The head of a frame, whole: a skippable frame that describes the zstd frame behind it. */
export const HEAD_BYTES = 76
export const FIRST_HEAD_BYTES = 24
/** A checksum is the first half of a SHA-256. */
export const CHECKSUM_BYTES = 16
const CONTENT_AT = 28
const PREVIOUS_AT = CONTENT_AT + CHECKSUM_BYTES
const CHAIN_AT = PREVIOUS_AT + CHECKSUM_BYTES
/** Larger frames are none of ours. */
const LARGEST = 1024 * 1024 * 1024

/** The quickest level: of an archive it makes a twenty-fifth more than the usual one. */
const PARAMETERS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 }
const LEAST_ROOM = 64 * 1024

/** What every head begins with, so that a reader that lost its way finds the next frame. */
export const HEAD_BEGINNING = Buffer.from([0x5e, 0x2a, 0x4d, 0x18])

const checksumOf = (bytes: Uint8Array | string): Buffer =>
  hash('sha256', bytes, 'buffer').subarray(0, CHECKSUM_BYTES)

/** The chain of a segment before its first frame, so that no frame fits into another segment or archive. */
export const chainBefore = (archive: string, segment: string): Buffer =>
  checksumOf(`scrollback archive ${archive}\n${segment}\n`)

/**
 * Lines as a zstd frame behind a head that is not sealed yet. Any decoder reads frames that follow each other and skips the heads. The
 * place in a segment is filled in by `sealFrame`, when the frame is appended.
 */
export function packFrame(lines: Uint8Array, records: number): Buffer<ArrayBuffer> {
  // Room for all of what most lines become: pieces would have to be joined.
  const chunkSize = Math.max(LEAST_ROOM, lines.length >> 2)
  return frameOf(zstdCompressSync(lines, { params: PARAMETERS, chunkSize }), records)
}

/** The same for lines that were packed before: one zstd frame, and nothing behind it. */
export function frameOf(packed: Uint8Array, records: number): Buffer<ArrayBuffer> {
  // Memory of its own, so that it can move to another thread.
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

/** Where in a segment a frame stands: what comes before it. */
export interface FramePlace {
  /** Frames before it. */
  frames: number
  /** Records before it. */
  records: number
  /** The checksum of the head before it, which covers everything up to there. */
  chain: Buffer
}

/** Fills in the place in the head of a frame. Answers the checksum of it all, which the next one is chained to. */
export function sealFrame(frame: Uint8Array, { frames, records, chain }: FramePlace): Buffer {
  const head = Buffer.from(frame.buffer, frame.byteOffset, HEAD_BYTES)
  head.writeUInt32LE(frames, 16)
  head.writeUInt32LE(records, 24)
  head.set(chain, PREVIOUS_AT)
  const seal = checksumOf(head.subarray(0, CHAIN_AT))
  head.set(seal, CHAIN_AT)
  return seal
}

/** What a segment ends in once nothing more is appended: how many frames and records it holds, chained to the last one. */
export function summaryOf(place: FramePlace): { summary: Buffer; seal: Buffer } {
  const summary = Buffer.alloc(HEAD_BYTES)
  writePreamble(summary, SUMMARY)
  return { summary, seal: sealFrame(summary, place) }
}

export interface LinesHead extends FramePlace {
  type: 'lines'
  /** Bytes of the head, and of the frame behind it. */
  bytes: number
  length: number
  /** Records in it; `records` counts those before it. */
  holds: number
  content: Buffer
  /** The checksum of this head. */
  seal: Buffer
}

interface SummaryHead extends FramePlace {
  type: 'summary'
  bytes: number
  seal: Buffer
}

/** Of the first format, which had no chain and no checksum of its heads. */
export interface FirstHead {
  type: 'first'
  bytes: number
  length: number
  holds: number
  checksum: number
}

export type Head = LinesHead | SummaryHead | FirstHead

/** The head that begins here; undefined where none of ours begins or a bit of it is wrong. */
export function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < FIRST_HEAD_BYTES || bytes.readUInt32LE(0) !== SKIPPABLE) return undefined
  const mark = bytes.readUInt32LE(8)
  const length = bytes.readUInt32LE(12)
  if (length > LARGEST) return undefined
  const size = bytes.readUInt32LE(4) + PREAMBLE
  if (mark === FIRST_FORMAT && size === FIRST_HEAD_BYTES)
    return {
      ...{ type: 'first', bytes: FIRST_HEAD_BYTES, length },
      ...{ checksum: bytes.readUInt32LE(16), holds: bytes.readUInt32LE(20) },
    }
  if ((mark !== LINES && mark !== SUMMARY) || size !== HEAD_BYTES || bytes.length < HEAD_BYTES)
    return undefined
  const seal = Buffer.from(bytes.subarray(CHAIN_AT, HEAD_BYTES))
  if (!checksumOf(bytes.subarray(0, CHAIN_AT)).equals(seal)) return undefined
  const place = {
    frames: bytes.readUInt32LE(16),
    records: bytes.readUInt32LE(24),
    chain: Buffer.from(bytes.subarray(PREVIOUS_AT, CHAIN_AT)),
  }
  if (mark === SUMMARY) return { type: 'summary', bytes: HEAD_BYTES, ...place, seal }
  const content = Buffer.from(bytes.subarray(CONTENT_AT, PREVIOUS_AT))
  const holds = bytes.readUInt32LE(20)
  return { type: 'lines', bytes: HEAD_BYTES, length, holds, content, ...place, seal }
}

/** Whether what stands behind a head is what it describes, to the last bit. */
export function isWhole(packed: Uint8Array, head: LinesHead | FirstHead): boolean {
  if (packed.length !== head.length) return false
  return head.type === 'first' ? crc32(packed) === head.checksum : checksumOf(packed).equals(head.content)
}

/** The lines of a frame, `most` bytes of them. Throws what the decoder throws. */
export const unpackFrame = (packed: Uint8Array, most = LARGEST): Buffer =>
  zstdDecompressSync(packed, { maxOutputLength: Math.max(1, Math.min(most, LARGEST)) })

/** The same of one zstd frame with nothing behind it. Throws where something is. */
export function unpackAll(packed: Uint8Array, most: number): Buffer {
  const options = { maxOutputLength: Math.max(1, Math.min(most, LARGEST)), info: true }
  const { buffer, engine } = zstdDecompressSync(packed, options) as unknown as {
    buffer: Buffer
    engine: { bytesWritten: number }
  }
  if (engine.bytesWritten !== packed.length) throw new Error('something stands behind the frame')
  return buffer
}
