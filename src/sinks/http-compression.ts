import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

export const COMPRESSIONS = ['zstd', 'gzip', 'none'] as const

export type Compression = (typeof COMPRESSIONS)[number]

/** A body to send. */
export interface Content {
  bytes(): Uint8Array
  /** The same bytes, if they are already compressed with zstd. */
  zstd?: Uint8Array | undefined
  /** Too small to compress. */
  plain?: boolean
}

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Compresses a body. Returns it with the header that names the compression. */
export async function packed(
  content: Content,
  compression: Compression,
): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  if (compression === 'none' || content.plain) return { body: content.bytes(), headers: {} }
  const body = await (compression === 'zstd'
    ? (content.zstd ?? promisify(zstdCompress)(content.bytes(), LEVEL))
    : promisify(gzip)(content.bytes()))
  return { body, headers: { 'content-encoding': compression } }
}

/** The compression to try if the server does not support this one. Undefined if there is none left. */
export const simplerThan = (compression: Compression): Compression | undefined =>
  COMPRESSIONS[COMPRESSIONS.indexOf(compression) + 1]
