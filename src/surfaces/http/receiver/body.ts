import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, type ZlibOptions, zstdDecompress } from 'node:zlib'

/** A request that cannot be read, with the status of the response. */
export class Unreadable extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const gunzipped = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)
const unzstd = promisify<Buffer, ZlibOptions, { buffer: Buffer; engine: { bytesWritten: number } }>(
  zstdDecompress as never,
)

/** The expected size of the result, so that usually no pieces have to be joined. */
const roomFor = ({ length }: Buffer, limit: number): number =>
  Math.max(LEAST_ROOM, Math.min(limit, length * 12))
const LEAST_ROOM = 16 * 1024

export const ENCODINGS = ['zstd', 'gzip', 'identity']

/**
 * Reads a request to its end, so that its sender receives the response. Discards a body that is too large,
 * and stops after four times the limit, or if the client is silent for longer than `silenceMs`. Throws
 * `Unreadable`.
 */
export async function readBody(request: IncomingMessage, limit: number, silenceMs: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  let silent = false
  const timer = setTimeout(() => {
    silent = true
    request.destroy()
  }, silenceMs)
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      timer.refresh()
      bytes += piece.length
      if (bytes <= limit) pieces.push(piece)
      else pieces.length = 0
      if (bytes > 4 * limit) break
    }
  } catch (error) {
    if (silent) throw new Unreadable(408, `nothing came for ${silenceMs / 1000} s`)
    throw error
  } finally {
    clearTimeout(timer)
  }
  if (bytes > limit) throw new Unreadable(413, `more than ${limit} bytes`)
  return Buffer.concat(pieces)
}

/** Lines, and the request body itself if it is exactly one zstd frame of them. */
export interface Unpacked {
  lines: Buffer
  packed?: Buffer
}

/** Unpacks a request, up to a limit. Throws `Unreadable`. */
export async function unpacked(body: Buffer, encoding: string, limit: number): Promise<Unpacked> {
  if (encoding === 'identity') return { lines: body }
  const bound = { maxOutputLength: limit }
  try {
    if (encoding === 'gzip') return { lines: await gunzipped(body, bound) }
    const { buffer, engine } = await unzstd(body, { ...bound, chunkSize: roomFor(body, limit), info: true })
    // Bytes after the first frame are ignored and must not be stored.
    return { lines: buffer, ...(engine.bytesWritten === body.length && { packed: body }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Unreadable(413, `more than ${limit} bytes when unpacked`)
    throw new Unreadable(400, `this is no ${encoding}`)
  }
}
