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
import type { KnownEnd, Piece, SegmentPlace } from './segment-walk.ts'

const CHUNK = 1024 * 1024
/** The first format is only believed after a look at the whole frame: so much is looked at, as a share of the file. */
const MOST_LOOKED_AT = 8
/** What a frame with a damaged head may unpack to: so many bytes, and so many times its size. */
const ALWAYS_UNPACKED = 64 * 1024 * 1024
const MOST_TIMES = 200
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const NEWLINE = 10

/** The next head that proves to be one, and what it says of its place. */
export function nextHead(
  descriptor: number,
  from: number,
  size: number,
): { offset: number; place?: SegmentPlace } | undefined {
  let lookedAt = 0
  for (let at = from; at < size; at += CHUNK) {
    // Chunks overlap, so that a head between two is found.
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
        return { offset, place: { offset, frames, records, chain } }
      }
      lookedAt += head.length
      if (lookedAt > MOST_LOOKED_AT * size) continue
      if (isWhole(readAt(descriptor, offset + head.bytes, head.length), head)) return { offset }
    }
  }
  return undefined
}

/** A frame whose head is damaged, and that ends before `until`; undefined where its content is damaged too. */
export function rebuildFrame(
  descriptor: number,
  place: SegmentPlace,
  until: number,
): (Piece & { type: 'frame' }) | undefined {
  const { offset } = place
  for (const headBytes of [HEAD_BYTES, FIRST_HEAD_BYTES]) {
    if (!readAt(descriptor, offset + headBytes, ZSTD.length).equals(ZSTD)) continue
    const packed = readAt(descriptor, offset + headBytes, until - offset - headBytes)
    const records = recordsIn(packed)
    if (records === undefined) continue
    const next = { offset: until, frames: place.frames + 1, records: place.records + records }
    const { chain } = place
    const sealed =
      headBytes === HEAD_BYTES && chain && sealFrame(frameOf(packed, records), { ...place, chain })
    const behind = { ...next, chain: sealed || undefined }
    return { type: 'frame', offset, bytes: until - offset, records, packed, behind }
  }
  return undefined
}

/** How many lines it unpacks to; undefined where the checksum in it is wrong. */
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

/** The place behind a damaged summary, where that is what has to be there. */
export function rebuildSummary(
  { offset, chain, ...place }: SegmentPlace,
  end: KnownEnd,
): SegmentPlace | undefined {
  if (!chain || end.offset - offset !== HEAD_BYTES) return undefined
  return summaryOf({ ...place, chain }).seal.equals(end.chain) ? end : undefined
}
