/** A 64-bit hash of an id, as two 32-bit halves. The same for a text and for its ASCII bytes. */
export interface IdHash {
  high: number
  low: number
}

export function hashText(text: string, into: IdHash): void {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 15)
  }
  into.high = high | 0
  into.low = low | 1
}

export function hashBytes(bytes: Uint8Array, start: number, end: number, into: IdHash): void {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let index = start; index < end; index++) {
    const code = bytes[index]!
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 15)
  }
  into.high = high | 0
  into.low = low | 1
}

const EMPTY = new Int32Array(4)

/** Hashes to hashes in one flat array: a fraction of the memory and time of a map of texts. */
export class IdMap {
  /** Four numbers an entry: key and value. A key's low half is never zero; a value of zeros stands for none. */
  #slots = EMPTY
  #count = 0
  readonly #expected: number

  /** `expected`: about how many entries will come; more are taken too. Room is made with the first. */
  constructor(expected = 64, entries: Int32Array = EMPTY) {
    this.#expected = Math.max(expected, entries.length / 4)
    for (let at = 0; at + 3 < entries.length; at += 4)
      if (entries[at + 1] !== 0)
        this.set(
          { high: entries[at]!, low: entries[at + 1]! },
          { high: entries[at + 2]!, low: entries[at + 3]! },
        )
  }

  /** Everything it holds, to be given to another: key and value, four numbers each. */
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

  /** Writes what belongs to `key` into `value`, zeros when nothing does. They may be the same object. */
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

  /** The place of a key, or the free place where it would go. */
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
      const place = this.#find(old[at]!, old[at + 1]!)
      for (let part = 0; part < 4; part++) this.#slots[place + part] = old[at + part]!
    }
  }
}

const NONE: IdHash = { high: 0, low: 0 }

/** Hashes that were met before. */
export class IdSet {
  readonly #map: IdMap

  constructor(expected?: number, entries?: Int32Array) {
    this.#map = new IdMap(expected)
    for (let at = 0; entries && at + 1 < entries.length; at += 2)
      this.add({ high: entries[at]!, low: entries[at + 1]! })
  }

  /** Everything it holds, to be given to another: two numbers each. */
  entries(): Int32Array {
    const pairs = this.#map.entries()
    const entries = new Int32Array(pairs.length / 2)
    for (let at = 0; at < pairs.length; at += 4) entries.set([pairs[at]!, pairs[at + 1]!], at / 2)
    return entries
  }

  /** False when it was there already. */
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
