import type { IdHash } from './hash.ts'

const EMPTY = new Int32Array(4)

/**
 * Maps hashes to hashes in one flat array, which needs a fraction of the memory and time of a map of strings.
 */
export class IdMap {
  /**
   * Four numbers per entry: key and value. The low half of a key is never zero; a value of zeros means none.
   */
  #slots = EMPTY
  #count = 0
  readonly #expected: number

  /**
   * `expected`: approximate number of entries. Memory is allocated with the first entry and grows as needed.
   */
  constructor(expected = 64, entries: Int32Array = EMPTY) {
    this.#expected = Math.max(expected, entries.length / 4)
    for (let at = 0; at + 3 < entries.length; at += 4)
      if (entries[at + 1] !== 0)
        this.set(
          { high: entries[at]!, low: entries[at + 1]! },
          { high: entries[at + 2]!, low: entries[at + 3]! },
        )
  }

  /** All entries, four numbers each, for the constructor of another map. */
  entries(): Int32Array {
    const entries = new Int32Array(this.#count * 4)
    let to = 0
    for (let at = 0; at < this.#slots.length; at += 4)
      if (this.#slots[at + 1] !== 0) {
        entries.set(this.#slots.subarray(at, at + 4), to)
        to += 4
      }
    return entries
  }

  get size(): number {
    return this.#count
  }

  has({ high, low }: IdHash): boolean {
    return this.#slots[this.#find(high, low) + 1] !== 0
  }

  /** Writes the value of `key` into `value`, or zeros if there is none. Both may be the same object. */
  get(key: IdHash, value: IdHash): void {
    const at = this.#find(key.high, key.low)
    const found = this.#slots[at + 1] !== 0
    value.high = found ? this.#slots[at + 2]! : 0
    value.low = found ? this.#slots[at + 3]! : 0
  }

  set(key: IdHash, value: IdHash): void {
    if (this.#slots === EMPTY)
      this.#slots = new Int32Array(4 * 2 ** Math.ceil(Math.log2(Math.max(16, this.#expected * 2))))
    else if (this.#count * 8 > this.#slots.length) this.#grow()
    const at = this.#find(key.high, key.low)
    if (this.#slots[at + 1] === 0) this.#count++
    this.#slots[at] = key.high
    this.#slots[at + 1] = key.low
    this.#slots[at + 2] = value.high
    this.#slots[at + 3] = value.low
  }

  /** The slot of a key, or the free slot where it would go. */
  #find(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length / 4 - 1
    let slot = (high ^ (low >>> 7)) & mask
    while (slots[slot * 4 + 1] !== 0 && (slots[slot * 4 + 1] !== low || slots[slot * 4] !== high))
      slot = (slot + 1) & mask
    return slot * 4
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let at = 0; at < old.length; at += 4) {
      if (old[at + 1] === 0) continue
      const slot = this.#find(old[at]!, old[at + 1]!)
      for (let part = 0; part < 4; part++) this.#slots[slot + part] = old[at + part]!
    }
  }
}

const NONE: IdHash = { high: 0, low: 0 }

/** A set of hashes. */
export class IdSet {
  readonly #map: IdMap

  constructor(expected?: number, entries?: Int32Array) {
    this.#map = new IdMap(expected)
    for (let at = 0; entries && at + 1 < entries.length; at += 2)
      this.add({ high: entries[at]!, low: entries[at + 1]! })
  }

  /** All entries, two numbers each, for the constructor of another set. */
  entries(): Int32Array {
    const pairs = this.#map.entries()
    const entries = new Int32Array(pairs.length / 2)
    for (let at = 0; at < pairs.length; at += 4) entries.set([pairs[at]!, pairs[at + 1]!], at / 2)
    return entries
  }

  /** Returns false if the set already contained it. */
  add(id: IdHash): boolean {
    const before = this.#map.size
    this.#map.set(id, NONE)
    return this.#map.size > before
  }

  has(id: IdHash): boolean {
    return this.#map.has(id)
  }

  get size(): number {
    return this.#map.size
  }
}
