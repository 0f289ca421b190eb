/** Bytes that identify the beginning of a literal. */
export const BEGINNING = 3
/** Bytes behind a beginning that are looked at before anything else is. */
export const AHEAD = 3
/** Bytes per turn of the loop, which may read this far past the end. */
const TURN = 4
/**
 * Of many odd factors, the one with which the fewest other beginnings of transcripts collide with literals.
 */
const HASH_FACTOR = 0xf1d56283
const HASH_BITS = 16

/** Finds the positions where one of many literals may begin, in one pass over bytes. */
export interface Beginnings {
  /**
   * Searches [start, end), at most one piece, and reads `AHEAD` bytes after it. Returns the number of
   * positions found. One or two may be past the end.
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

export function joinGroups(one: BeginningGroups, other: BeginningGroups): BeginningGroups {
  const groups = new Map(one.hashes.map((hash, at) => [hash, one.groups[at]!]))
  for (const [at, hash] of other.hashes.entries())
    groups.set(hash, [...(groups.get(hash) ?? []), ...other.groups[at]!])
  return { hashes: [...groups.keys()], groups: [...groups.values()] }
}

/** A literal as codes, of which the low bytes count: as it is, and in capitals. */
export interface Spelled {
  small: readonly number[]
  capital: readonly number[]
}

export function createBeginnings(
  { hashes, groups }: BeginningGroups,
  spelled: readonly Spelled[],
): Beginnings {
  /** The number of the group for each hash, from 1. */
  const table = new Uint16Array(1 << HASH_BITS)
  for (let at = 0; at < hashes.length; at++) table[hashes[at]!] = at + 1
  /**
   * For each group, which first, fourth, fifth and sixth bytes are possible, as sets of their lower five
   * bits: small enough for the cache of a processor.
   */
  const edges = new Int32Array(4 * (groups.length + 1))
  for (let group = 0; group < groups.length; group++) {
    const own = 4 * (group + 1)
    const literals = groups[group]!
    for (let at = 0; at < literals.length; at++) {
      const { small, capital } = spelled[literals[at]!]!
      edges[own]! |= (1 << small[0]!) | (1 << capital[0]!)
      for (let edge = 1; edge <= AHEAD; edge++) {
        const next = BEGINNING + edge - 1
        edges[own + edge]! |= small.length > next ? (1 << small[next]!) | (1 << capital[next]!) : ANY
      }
    }
  }
  /** Pairs of a group and the position of its last byte. */
  const found = new Uint16Array(2 * (PIECE + TURN))
  return {
    search: (bytes, start, end) => search(bytes, start, end, table, edges, found),
    distanceOf: (index) => found[2 * index + 1]! - (BEGINNING - 1),
    literalsAt: (index) => groups[found[2 * index]! - 1]!,
  }
}

const ANY = -1

function search(
  bytes: Uint8Array,
  start: number,
  end: number,
  table: Uint16Array,
  edges: Int32Array,
  found: Uint16Array,
): number {
  let count = 0
  // The last three bytes, above eight zero bits.
  let last = ((bytes[start]! << 8) | bytes[start + 1]!) << 8
  // A literal of two characters may be the end of the text.
  for (let at = start + BEGINNING - 1; at <= end; at += TURN) {
    const first = (last | bytes[at]!) << 8
    const second = (first | bytes[at + 1]!) << 8
    const third = (second | bytes[at + 2]!) << 8
    last = (third | bytes[at + 3]!) << 8
    const one = table[hashOf(first)]!
    const two = table[hashOf(second)]!
    const three = table[hashOf(third)]!
    const four = table[hashOf(last)]!
    if ((one | two | three | four) === 0) continue
    if (one !== 0 && isPossible(bytes, at, one, edges)) {
      found[count++] = one
      found[count++] = at - start
    }
    if (two !== 0 && isPossible(bytes, at + 1, two, edges)) {
      found[count++] = two
      found[count++] = at + 1 - start
    }
    if (three !== 0 && isPossible(bytes, at + 2, three, edges)) {
      found[count++] = three
      found[count++] = at + 2 - start
    }
    if (four !== 0 && isPossible(bytes, at + 3, four, edges)) {
      found[count++] = four
      found[count++] = at + 3 - start
    }
  }
  return count >> 1
}

/** Whether the first byte and the one after the beginning, which ends at a position, are possible. */
const isPossible = (bytes: Uint8Array, at: number, group: number, edges: Int32Array): boolean =>
  ((edges[4 * group]! >> bytes[at - 2]!) &
    (edges[4 * group + 1]! >> bytes[at + 1]!) &
    (edges[4 * group + 2]! >> bytes[at + 2]!) &
    (edges[4 * group + 3]! >> bytes[at + 3]!) &
    1) !==
  0

const hashOf = (bytes: number): number => Math.imul(bytes, HASH_FACTOR) >>> (32 - HASH_BITS)

const isNode = typeof Buffer !== 'undefined'

/** Characters per piece of a text. */
export const PIECE = 16 * 1024
/** Bytes after a piece that may be read. */
const SLACK = 8

const room = isNode ? Buffer.alloc(PIECE + SLACK) : new Uint8Array(PIECE + SLACK)
let written = ''

/**
 * The low byte of every UTF-16 code of a text of at most one piece and `AHEAD`, so that positions are the
 * same in both. They are valid until the next call. Several searches of one text in a row share them.
 */
export function lowBytesOf(text: string): Uint8Array {
  if (text === written) return room
  written = text
  if (isNode) (room as Buffer).write(text, 0, 'latin1')
  else for (let at = 0; at < text.length; at++) room[at] = text.charCodeAt(at)
  return room
}
