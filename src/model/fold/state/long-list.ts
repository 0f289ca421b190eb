import type { ChangedParts, StateParts } from './parts.ts'
import { FEW_PARTS } from './sizes.ts'

/** A list as plain data: the number of its parts, and the entries that follow them. */
export interface LongListState<Each> {
  closed: number
  /** How many entries the parts have together. */
  before: number
  open: Iterable<Each>
}

const EMPTY_LIST: LongListState<never> = { closed: 0, before: 0, open: [] }

/**
 * A list that mostly grows at its end. Entries are in parts of `size`, which never change. Only its latest
 * entries are at hand; the others are loaded when they are needed.
 */
export class LongList<Each> {
  readonly #name: string
  readonly #size: number
  readonly #parts: StateParts
  #closed: number
  #before: number
  /** What follows the parts, with the new entries. */
  #open: Each[]
  /** Where the new entries begin in `#open`. */
  #first: number
  /** All entries, if the parts were loaded. */
  #all: Each[] | undefined

  constructor(name: string, size: number, parts: StateParts, state: LongListState<Each> = EMPTY_LIST) {
    this.#name = name
    this.#size = size
    this.#parts = parts
    this.#closed = state.closed
    this.#before = state.before
    this.#open = Array.from(state.open)
    this.#first = this.#open.length
    if (this.#closed === 0) this.#all = this.#open
  }

  get length(): number {
    return this.#before + this.#open.length
  }

  /** How many entries there were when it was resumed. */
  get resumedFrom(): number {
    return this.#before + this.#first
  }

  /** The last entry. */
  get last(): Each | undefined {
    return this.#open.at(-1)
  }

  push(entry: Each): void {
    this.#open.push(entry)
    if (this.#all && this.#all !== this.#open) this.#all.push(entry)
  }

  /** All entries. The list must not be changed. */
  all(): readonly Each[] {
    if (this.#all) return this.#all
    const all: Each[] = []
    for (let number = 0; number < this.#closed; number++)
      for (const entry of this.#parts.load(this.#nameOf(number)) as Iterable<Each>) all.push(entry)
    for (const entry of this.#open) all.push(entry)
    this.#all = all
    return all
  }

  /** The entries from an index on. Loads none if they are at hand. */
  from(index: number): readonly Each[] {
    return index >= this.#before ? this.#open.slice(index - this.#before) : this.all().slice(index)
  }

  /** Allows entries to be changed: every part is written again. */
  reopen(): void {
    if (this.#closed > 0) this.replace(this.all())
  }

  /** Replaces all entries, so that every part is written again. */
  replace(entries: readonly Each[]): void {
    this.#open = [...entries]
    this.#all = this.#open
    this.#closed = 0
    this.#before = 0
    this.#first = 0
  }

  /** Adds the parts that are full. At least one entry stays at hand. `pack` turns entries into plain data. */
  save(
    changed: ChangedParts,
    pack: (entries: readonly Each[]) => Iterable<Each> = (entries) => entries,
  ): LongListState<Each> {
    let closed = this.#closed
    let from = 0
    if (closed > 0 || this.#open.length > FEW_PARTS * this.#size)
      for (; this.#open.length - from > this.#size; from += this.#size)
        changed.set(this.#nameOf(closed++), pack(this.#open.slice(from, from + this.#size)))
    return { closed, before: this.#before + from, open: pack(this.#open.slice(from)) }
  }

  #nameOf(number: number): string {
    return `${this.#name}.${number}`
  }
}
