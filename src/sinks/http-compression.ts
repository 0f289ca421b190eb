import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

export const COMPRESSIONS = ['zstd', 'gzip', 'none'] as const

export type Compression = (typeof COMPRESSIONS)[number]

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** A body, and the header that says how it is packed. */
export async function packed(
  bytes: Uint8Array,
  compression: Compression,
): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  if (compression === 'none') return { body: bytes, headers: {} }
  const body = await (compression === 'zstd' ? promisify(zstdCompress)(bytes, LEVEL) : promisify(gzip)(bytes))
  return { body, headers: { 'content-encoding': compression } }
}

/** What to try where one is not understood; undefined where nothing is left. */
export const simplerThan = (compression: Compression): Compression | undefined =>
  COMPRESSIONS[COMPRESSIONS.indexOf(compression) + 1]
