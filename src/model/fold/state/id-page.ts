import type { IdHash } from '../../hash.ts'

/** Numbers of an entry: the id and a value, each two, and flags. */
export const ENTRY = 5
const FIRST_SLOTS = 16
const NOTHING = new Int32Array(FIRST_SLOTS * ENTRY)

/** Entries by id, in a flat array with open addressing. The low half of an id is never zero. */
export class IdPage {
  #slots = NOTHING
  count = 0
  /** Whether it differs from what is stored. */
  changed = false

  /** The index of an entry, or of the free slot where it would go. */
  find(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length / ENTRY - 1
    let slot = (high ^ (low >>> 7)) & mask
    while (slots[slot * ENTRY + 1] !== 0 && (slots[slot * ENTRY + 1] !== low || slots[slot * ENTRY] !== high))
      slot = (slot + 1) & mask
    return slot * ENTRY
  }

  /** The flags at an index, 0 if the slot is free. */
  flagsAt(index: number): number {
    return this.#slots[index + 4]!
  }

  valueAt(index: number, value: IdHash): void {
    value.high = this.#slots[index + 2]!
    value.low = this.#slots[index + 3]!
  }

  put(high: number, low: number, flags: number, value: IdHash): void {
    if (this.#slots === NOTHING) this.#slots = new Int32Array(NOTHING.length)
    else if (this.count * 2 * ENTRY >= this.#slots.length) this.#grow()
    const index = this.find(high, low)
    const slots = this.#slots
    if (slots[index + 1] === 0) this.count++
    slots[index] = high
    slots[index + 1] = low
    slots[index + 2] = value.high
    slots[index + 3] = value.low
    slots[index + 4] = flags
    this.changed = true
  }

  /** Changes the flags of every entry. */
  mapFlags(change: (flags: number) => number): void {
    for (let at = 0; at < this.#slots.length; at += ENTRY)
      if (this.#slots[at + 1] !== 0) this.#slots[at + 4] = change(this.#slots[at + 4]!)
    this.changed = true
  }

  /** All entries, one after the other. `keep` is a mask for their flags. */
  entries(keep = -1): Int32Array {
    const entries = new Int32Array(this.count * ENTRY)
    let to = 0
    for (let at = 0; at < this.#slots.length; at += ENTRY)
      if (this.#slots[at + 1] !== 0) {
        entries.set(this.#slots.subarray(at, at + ENTRY), to)
        entries[to + 4]! &= keep
        to += ENTRY
      }
    return entries
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let at = 0; at < old.length; at += ENTRY)
      if (old[at + 1] !== 0) this.#slots.set(old.subarray(at, at + ENTRY), this.find(old[at]!, old[at + 1]!))
  }
}
