/**
 * Linear hashing: entries are distributed over pages by a hash, and whenever there are too many, one page is
 * split in two. So a table grows without ever being distributed again.
 */

/** The page of an entry, if there are `count` pages. */
export function pageOf(hash: number, count: number): number {
  // The next power of two.
  const all = count === 1 ? 1 : 1 << (32 - Math.clz32(count - 1))
  const page = hash & (all - 1)
  return page < count ? page : page & ((all >> 1) - 1)
}

/** The page whose entries move in part to the new page, if there have been `count` pages. */
export const pageToSplit = (count: number): number => count - (1 << (31 - Math.clz32(count)))

/** A hash of two numbers whose lower bits depend on all of them. */
export function mixed(high: number, low: number): number {
  const product = Math.imul(high ^ (low >>> 7) ^ (low << 11), 0x9e3779b1)
  return (product ^ (product >>> 15)) >>> 0
}
