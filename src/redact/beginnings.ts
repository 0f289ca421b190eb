/** Bytes per search. */
export const PIECE = 16 * 1024
/** Bytes that identify the beginning of a literal. */
export const BEGINNING = 3
/** Bytes per turn of the loop, which may read this far past the end. */
export const TURN = 4
const HASH_FACTOR = 0x9e3779b1
const HASH_BITS = 16

/** Finds the positions where one of many literals may begin, in one pass over bytes. */
export interface Beginnings {
  /**
   * Searches [start, end), at most one piece. Returns the number of positions found. One or two may be past
   * the end.
   */
  search(bytes: Uint8Array, start: number, end: number): number
  /** The distance of a found position from the start, */
  distanceOf(found: number): number
  /** and the numbers of the literals that may begin there. */
  literalsAt(found: number): readonly number[]
}

/** Literals by how they begin: the numbers of the literals for each hash, as plain data. */
export interface BeginningGroups {
  hashes: number[]
  /** In the order of the hashes. */
  groups: number[][]
}

/**
 * `beginnings` lists for each literal the spellings of its first three bytes, the first byte in the highest
 * bits. Hash collisions give false positives, but no position is missed.
 */
export function groupBeginnings(beginnings: readonly (readonly number[])[]): BeginningGroups {
  const groups = new Map<number, number[]>()
  for (const [literal, spellings] of beginnings.entries())
    for (const hash of new Set(spellings.map((bytes) => hashOf(bytes << 8)))) {
      const group = groups.get(hash)
      if (group) group.push(literal)
      else groups.set(hash, [literal])
    }
  return { hashes: [...groups.keys()], groups: [...groups.values()] }
}

export function createBeginnings({ hashes, groups }: BeginningGroups): Beginnings {
  /** The number of the group for each hash, from 1. */
  const table = new Uint16Array(1 << HASH_BITS)
  for (let at = 0; at < hashes.length; at++) table[hashes[at]!] = at + 1
  /** Pairs of a group and the position of its last byte. */
  const found = new Uint16Array(2 * (PIECE + TURN))
  return {
    search: (bytes, start, end) => search(bytes, start, end, table, found),
    distanceOf: (index) => found[2 * index + 1]! - (BEGINNING - 1),
    literalsAt: (index) => groups[found[2 * index]! - 1]!,
  }
}

function search(
  bytes: Uint8Array,
  start: number,
  end: number,
  table: Uint16Array,
  found: Uint16Array,
): number {
  let count = 0
  // The last three bytes, above eight zero bits.
  let last = ((bytes[start]! << 8) | bytes[start + 1]!) << 8
  for (let at = start + BEGINNING - 1; at < end; at += TURN) {
    const first = (last | bytes[at]!) << 8
    const second = (first | bytes[at + 1]!) << 8
    const third = (second | bytes[at + 2]!) << 8
    last = (third | bytes[at + 3]!) << 8
    const one = table[hashOf(first)]!
    const two = table[hashOf(second)]!
    const three = table[hashOf(third)]!
    const four = table[hashOf(last)]!
    if ((one | two | three | four) === 0) continue
    if (one !== 0) {
      found[count++] = one
      found[count++] = at - start
    }
    if (two !== 0) {
      found[count++] = two
      found[count++] = at + 1 - start
    }
    if (three !== 0) {
      found[count++] = three
      found[count++] = at + 2 - start
    }
    if (four !== 0) {
      found[count++] = four
      found[count++] = at + 3 - start
    }
  }
  return count >> 1
}

const hashOf = (bytes: number): number => Math.imul(bytes, HASH_FACTOR) >>> (32 - HASH_BITS)
