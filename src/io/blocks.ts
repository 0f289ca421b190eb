import type { Source } from './source.ts'

const CHUNK = 256 * 1024
/** Longer lines are skipped. */
const LINE_LIMIT = 64 * 1024 * 1024
const NEWLINE = 10

/** Whole lines that were read at once: `bytes` from `start` to `end`. The last line may lack its newline. */
export interface Block {
  bytes: Buffer
  end: number
  /** The offset in the source, and the number of the first line. */
  offset: number
  number: number
}

let shared = Buffer.allocUnsafe(0)

/**
 * Visits a source in blocks of whole lines, for searching bytes without parsing lines. A block is only valid
 * during its visit. Ends early if `visit` returns true. Returns how many lines were too long.
 */
export function readBlocks(
  source: Source,
  visit: (block: Block) => unknown,
  lineLimit: number = LINE_LIMIT,
): number {
  let offset = 0
  let number = 1
  let held = 0
  let tooLong = 0
  let passing = false
  let isEnough = false
  const hand = (bytes: Buffer, end: number): void => {
    if (passing) {
      passing = false
      const own = bytes.indexOf(NEWLINE) + 1
      offset += own
      number++
      bytes.copyWithin(0, own, end)
      end -= own
    }
    if (end > 0) isEnough = visit({ bytes, end, offset, number }) === true
    for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) number++
    offset += end
  }
  while (!isEnough) {
    if (shared.length - held < CHUNK) {
      const larger = Buffer.allocUnsafe(Math.max(2 * shared.length, 2 * CHUNK))
      shared.copy(larger, 0, 0, held)
      shared = larger
    }
    const bytes = shared
    const count = source.read(bytes, held, CHUNK)
    if (count === 0) break
    const last = bytes.subarray(held, held + count).lastIndexOf(NEWLINE)
    const whole = last < 0 ? 0 : held + last + 1
    const all = held + count
    if (whole > 0) {
      const rest = Buffer.from(bytes.subarray(whole, all))
      hand(bytes, whole)
      rest.copy(bytes)
      held = rest.length
    } else held = all
    if (passing || held > lineLimit) {
      if (!passing) tooLong++
      passing = true
      offset += held
      held = 0
    }
  }
  if (held > 0 && !passing && !isEnough) visit({ bytes: shared, end: held, offset, number })
  return tooLong
}
