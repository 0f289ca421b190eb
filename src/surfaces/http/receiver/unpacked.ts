import { promisify } from 'node:util'
import { gunzip, type ZlibOptions, zstdDecompress } from 'node:zlib'
import { Unreadable } from '../body.ts'

const gunzipped = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)
const unzstd = promisify<Buffer, ZlibOptions, { buffer: Buffer; engine: { bytesWritten: number } }>(
  zstdDecompress as never,
)

/** The expected size of the result, so that usually no pieces have to be joined. */
const roomFor = ({ length }: Buffer, limit: number): number =>
  Math.max(LEAST_ROOM, Math.min(limit, length * 12))
const LEAST_ROOM = 16 * 1024

export const ENCODINGS = ['zstd', 'gzip', 'identity']

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
