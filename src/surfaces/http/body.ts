import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'

/** A request that cannot be read, by the status that says so. */
export class Unreadable extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const gunzipped = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

export const ENCODINGS = ['zstd', 'gzip', 'identity']

/**
 * Reads a request to its end, so that its sender hears the answer; of one that is too large nothing is kept, and after four times the
 * limit it is left. Throws `Unreadable`.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes <= limit) pieces.push(piece)
    else pieces.length = 0
    if (bytes > 4 * limit) break
  }
  if (bytes > limit) throw new Unreadable(413, `more than ${limit} bytes`)
  return Buffer.concat(pieces)
}

/** Unpacks a request, up to a limit. Throws `Unreadable`. */
export async function unpacked(body: Buffer, encoding: string, limit: number): Promise<Buffer> {
  if (encoding === 'identity') return body
  try {
    const bound = { maxOutputLength: limit }
    return await (encoding === 'zstd' ? promisify(zstdDecompress)(body, bound) : gunzipped(body, bound))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Unreadable(413, `more than ${limit} bytes when unpacked`)
    throw new Unreadable(400, `this is no ${encoding}`)
  }
}
