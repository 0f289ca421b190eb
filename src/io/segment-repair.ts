import {
  FIRST_HEAD_BYTES,
  frameOf,
  HEAD_BEGINNING,
  HEAD_BYTES,
  isWhole,
  readHead,
  sealFrame,
  summaryOf,
  unpackAll,
} from './frames.ts'
import { readAt } from './own-files.ts'
import type { KnownEnd, Piece, SegmentPosition } from './segment-pieces.ts'

const CHUNK = 1024 * 1024
/**
 * A header of the first format is only verified by reading its whole frame. This limits how many bytes are
 * read for that, as a multiple of the file size.
 */
const MOST_LOOKED_AT = 8
/** The limit for unpacking a frame with a damaged header: a number of bytes plus a multiple of its size. */
const ALWAYS_UNPACKED = 64 * 1024 * 1024
const MOST_TIMES = 200
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const NEWLINE = 10

/** The next valid header, and its position according to itself. */
export function nextHead(
  descriptor: number,
  from: number,
  size: number,
): { offset: number; position?: SegmentPosition } | undefined {
  let lookedAt = 0
  for (let at = from; at < size; at += CHUNK) {
    // Chunks overlap, so that no header is split.
    const bytes = readAt(descriptor, at, CHUNK + HEAD_BEGINNING.length - 1)
    for (
      let found = bytes.indexOf(HEAD_BEGINNING);
      found >= 0;
      found = bytes.indexOf(HEAD_BEGINNING, found + 1)
    ) {
      const offset = at + found
      const head = readHead(readAt(descriptor, offset, HEAD_BYTES))
      if (!head) continue
      if (head.type !== 'first') {
        const { frames, records, chain } = head
        return { offset, position: { offset, frames, records, chain } }
      }
      lookedAt += head.length
      if (lookedAt > MOST_LOOKED_AT * size) continue
      if (isWhole(readAt(descriptor, offset + head.bytes, head.length), head)) return { offset }
    }
  }
  return undefined
}

/**
 * Rebuilds the damaged header of a frame that ends before `until`. Undefined if its content is damaged too.
 */
export function rebuildFrame(
  descriptor: number,
  position: SegmentPosition,
  until: number,
): (Piece & { type: 'frame' }) | undefined {
  const { offset } = position
  for (const headBytes of [HEAD_BYTES, FIRST_HEAD_BYTES]) {
    if (!readAt(descriptor, offset + headBytes, ZSTD.length).equals(ZSTD)) continue
    const packed = readAt(descriptor, offset + headBytes, until - offset - headBytes)
    const records = recordsIn(packed)
    if (records === undefined) continue
    const next = { offset: until, frames: position.frames + 1, records: position.records + records }
    const { chain } = position
    const sealed =
      headBytes === HEAD_BYTES && chain && sealFrame(frameOf(packed, records), { ...position, chain })
    const behind = { ...next, chain: sealed || undefined }
    return { type: 'frame', offset, bytes: until - offset, records, packed, behind }
  }
  return undefined
}

/** The number of lines in a frame. Undefined if its checksum is wrong. */
function recordsIn(packed: Buffer): number | undefined {
  try {
    const lines = unpackAll(packed, ALWAYS_UNPACKED + packed.length * MOST_TIMES)
    let records = 0
    for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) records++
    return records
  } catch {
    return undefined
  }
}

/** The position after a damaged summary, if a summary must be here. */
export function rebuildSummary(
  { offset, chain, ...position }: SegmentPosition,
  end: KnownEnd,
): SegmentPosition | undefined {
  if (!chain || end.offset - offset !== HEAD_BYTES) return undefined
  return summaryOf({ ...position, chain }).seal.equals(end.chain) ? end : undefined
}
