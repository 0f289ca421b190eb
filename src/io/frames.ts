import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Marks a frame that decoders pass over: RFC 8878, 3.1.2. */
const SKIPPABLE = 0x184d2a5e
const MARK = 0x4c4c4353
/** Of the frame that is passed over: its head, our mark, length and checksum of the frame behind it, and its records. */
export const HEAD_BYTES = 8 + 16
/** Larger frames are none of ours. */
const LARGEST = 1024 * 1024 * 1024

/** The quickest level: of an archive it makes a twenty-fifth more than the usual one. */
const PARAMETERS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 }
const LEAST_ROOM = 64 * 1024

/**
 * Lines as a zstd frame, behind one that says how long it is. Any decoder reads frames that follow each other; with the lengths a
 * reader also finds where the last whole one ends, and passes over what it does not want.
 */
export function packFrame(lines: Uint8Array, records: number): Buffer<ArrayBuffer> {
  // Room for all of what most lines become: pieces would have to be joined.
  const chunkSize = Math.max(LEAST_ROOM, lines.length >> 2)
  return frameOf(zstdCompressSync(lines, { params: PARAMETERS, chunkSize }), records)
}

/** The same of lines that were packed before: one zstd frame, and nothing behind it. */
export function frameOf(packed: Uint8Array, records: number): Buffer<ArrayBuffer> {
  // Of its own, so that it may go to another thread.
  const frame = Buffer.allocUnsafeSlow(HEAD_BYTES + packed.length)
  frame.writeUInt32LE(SKIPPABLE, 0)
  frame.writeUInt32LE(HEAD_BYTES - 8, 4)
  frame.writeUInt32LE(MARK, 8)
  frame.writeUInt32LE(packed.length, 12)
  frame.writeUInt32LE(crc32(packed), 16)
  frame.writeUInt32LE(records, 20)
  frame.set(packed, HEAD_BYTES)
  return frame
}

export interface FrameHead {
  length: number
  checksum: number
  records: number
}

/** What stands before a frame; undefined where none of ours begins. */
export function readHead(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  if (bytes.readUInt32LE(0) !== SKIPPABLE || bytes.readUInt32LE(4) !== HEAD_BYTES - 8) return undefined
  if (bytes.readUInt32LE(8) !== MARK) return undefined
  const head = {
    length: bytes.readUInt32LE(12),
    checksum: bytes.readUInt32LE(16),
    records: bytes.readUInt32LE(20),
  }
  return head.length > LARGEST ? undefined : head
}

/** Whether a frame is whole. */
export const isWhole = (packed: Uint8Array, { length, checksum }: FrameHead): boolean =>
  packed.length === length && crc32(packed) === checksum

/** Its lines. Throws what the decoder throws. */
export const unpackFrame = (packed: Uint8Array): Buffer =>
  zstdDecompressSync(packed, { maxOutputLength: LARGEST })
