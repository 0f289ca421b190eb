import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

export const COMPRESSIONS = ['zstd', 'gzip', 'none'] as const

export type Compression = (typeof COMPRESSIONS)[number]

/** What is sent. */
export interface Content {
  bytes(): Uint8Array
  /** The same packed with zstd, where somebody did that already. */
  zstd?: Uint8Array | undefined
  /** It is not worth packing. */
  plain?: boolean
}

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** A body, and the header that says how it is packed. */
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

/** What to try where one is not understood; undefined where nothing is left. */
export const simplerThan = (compression: Compression): Compression | undefined =>
  COMPRESSIONS[COMPRESSIONS.indexOf(compression) + 1]
