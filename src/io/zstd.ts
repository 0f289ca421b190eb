import { promisify } from 'node:util'
import { zlib } from './process.ts'

/** What several zstd frames in a row hold together. */
export interface Unpacked {
  bytes: Buffer
  /** The number of frames, with skippable ones. */
  frames: number
}

/** The first four bytes of a skippable frame, apart from four bits that are free: RFC 8878, 3.1.2. */
const SKIPPABLE = 0x184d2a50
const FREE_BITS = 0xf
const PREAMBLE = 8
const LEAST_ROOM = 16 * 1024
const MOST_ROOM = 8 * 1024 * 1024
/** Content is usually smaller than so many times its packed size. */
const USUAL_RATIO = 12
/** Frames may be empty, so the size of the content does not limit their number. */
const MOST_FRAMES = 200_000

/** A single frame for the decoder of Node, which ignores everything after it. */
interface FrameToRead {
  packed: Uint8Array
  options: { maxOutputLength: number; chunkSize: number; info: true }
}

interface ReadFrame {
  buffer: Buffer
  /** `bytesWritten` is the size of the packed frame. */
  engine: { bytesWritten: number }
}

/**
 * Decompresses all frames of `packed`, to at most `most` bytes. Throws if there is none, if one is cut off or
 * damaged, and if something else follows: part of the content would look like all of it.
 */
export function unpackZstd(packed: Uint8Array, most: number): Unpacked {
  const frames = framesOf(packed, most)
  for (let step = frames.next(); ; ) {
    if (step.done) return step.value
    const { packed: one, options } = step.value
    step = frames.next(zlib().zstdDecompressSync(one, options) as unknown as ReadFrame)
  }
}

/** The same in the threads of Node, for servers. */
export async function unpackZstdAside(packed: Uint8Array, most: number): Promise<Unpacked> {
  const decode = promisify(zlib().zstdDecompress as never) as (
    ...frame: [Uint8Array, FrameToRead['options']]
  ) => Promise<ReadFrame>
  const frames = framesOf(packed, most)
  for (let step = frames.next(); ; ) {
    if (step.done) return step.value
    step = frames.next(await decode(step.value.packed, step.value.options))
  }
}

/** Yields each frame that needs the decoder, and takes what the decoder made of it. */
function* framesOf(packed: Uint8Array, most: number): Generator<FrameToRead, Unpacked, ReadFrame> {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const pieces: Buffer[] = []
  let [at, size, frames] = [0, 0, 0]
  do {
    const skipped = skippableAt(view, at)
    if (skipped === undefined) {
      const rest = view.subarray(at)
      // Zero means "no limit" to the decoder.
      const maxOutputLength = Math.max(1, most - size)
      // Usually large enough, so that no pieces have to be joined.
      const room = pieces.at(-1)?.length ?? rest.length * USUAL_RATIO
      const chunkSize = Math.max(LEAST_ROOM, Math.min(maxOutputLength, room, MOST_ROOM))
      const { buffer, engine } = yield { packed: rest, options: { maxOutputLength, chunkSize, info: true } }
      if (size + buffer.length > most) throw tooLarge()
      pieces.push(buffer)
      size += buffer.length
      at += engine.bytesWritten
    } else at += skipped
    if (++frames > MOST_FRAMES) throw tooLarge()
  } while (at < view.length)
  if (pieces.length === 0) throw Object.assign(new Error('no content'), { code: 'Z_BUF_ERROR' })
  return { bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size), frames }
}

/** The size of the skippable frame there. Undefined if it is another frame. Throws if it is cut off. */
function skippableAt(view: Buffer, at: number): number | undefined {
  if (view.length - at < PREAMBLE || ((view.readUInt32LE(at) ^ SKIPPABLE) & ~FREE_BITS) !== 0)
    return undefined
  const size = PREAMBLE + view.readUInt32LE(at + 4)
  if (size > view.length - at) throw Object.assign(new Error('a frame is cut off'), { code: 'Z_BUF_ERROR' })
  return size
}

const tooLarge = () => Object.assign(new Error('too much when unpacked'), { code: 'ERR_BUFFER_TOO_LARGE' })
