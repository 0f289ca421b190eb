import { constants, crc32, zstdCompressSync } from 'node:zlib'

/**
 * A frame in the first format of archives: a header of 24 bytes with a CRC-32 of the content, and no more.
 */
export function firstFrame(lines: Uint8Array, records: number): Buffer {
  const packed = zstdCompressSync(lines, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const head = Buffer.alloc(24)
  for (const [index, word] of [0x184d2a5e, 16, 0x4c4c4353, packed.length, crc32(packed), records].entries())
    head.writeUInt32LE(word, index * 4)
  return Buffer.concat([head, packed])
}

/** The other files of such an archive. */
export const FIRST_README = `This directory holds records as JSON lines in segments of zstd frames: "zstd -dc records-*.jsonl.zst" shows them all.
A record may stand in it more than once; its "id" tells. "scrollback collect --verify <this directory>" checks every frame and record.
`
