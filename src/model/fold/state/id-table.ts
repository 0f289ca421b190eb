import type { IdHash } from '../../hash.ts'
import { ENTRY, IdPage } from './id-page.ts'
import { mixed, pageOf, pageToSplit } from './pages.ts'
import type { ChangedParts, StateParts } from './parts.ts'
import { FEW_PARTS, ID_PAGE } from './sizes.ts'

const NO_VALUE: IdHash = { high: 0, low: 0 }

/** A table as plain data. */
export interface IdTableState {
  count: number
  pages: number
  /** All entries, if there is one page. The others are parts. */
  entries?: Int32Array
}

/**
 * A table of ids, each with a value of the same form and with flags. An entry without flags counts as none.
 * Entries are in pages, which are loaded when they are needed.
 */
export class IdTable {
  readonly #name: string
  readonly #parts: StateParts
  readonly #pages: (IdPage | undefined)[]
  #count = 0

  /** `name` distinguishes its parts from those of other tables. */
  constructor(name: string, parts: StateParts, state?: IdTableState) {
    this.#name = name
    this.#parts = parts
    if (!state || state.entries) {
      this.#pages = [new IdPage()]
      if (state?.entries) this.#add(state.entries)
    } else {
      this.#pages = Array.from({ length: state.pages }, () => undefined)
      this.#count = state.count
    }
  }

  get size(): number {
    return this.#count
  }

  /** The flags of an id, 0 if it has no entry. Writes its value into `value`. */
  get({ high, low }: IdHash, value?: IdHash): number {
    const page = this.#pageOf(high, low)
    const at = page.find(high, low)
    const flags = page.flagsAt(at)
    if (value && flags !== 0) page.valueAt(at, value)
    return flags
  }

  put({ high, low }: IdHash, flags: number, value: IdHash = NO_VALUE): void {
    const page = this.#pageOf(high, low)
    const before = page.count
    page.put(high, low, flags, value)
    if (page.count === before) return
    this.#count++
    if (this.#count > FEW_PARTS * ID_PAGE) while (this.#count > this.#pages.length * ID_PAGE) this.#split()
  }

  /** Changes the flags of all entries. Loads all pages. */
  mapFlags(change: (flags: number) => number): void {
    for (let number = 0; number < this.#pages.length; number++) this.#page(number).mapFlags(change)
  }

  /** All entries. Loads all pages. */
  entries(): Int32Array {
    const entries = new Int32Array(this.#count * ENTRY)
    let to = 0
    for (let number = 0; number < this.#pages.length; number++) {
      const own = this.#page(number).entries()
      entries.set(own, to)
      to += own.length
    }
    return entries
  }

  /** Adds the pages that have changed. `keep` is a mask for the flags. */
  save(changed: ChangedParts, keep = -1): IdTableState {
    const { length } = this.#pages
    const state = { count: this.#count, pages: length }
    if (length === 1) return { ...state, entries: this.#page(0).entries(keep) }
    for (const [number, page] of this.#pages.entries())
      if (page?.changed) changed.set(this.#nameOf(number), page.entries(keep))
    return state
  }

  #nameOf(number: number): string {
    return `${this.#name}.${number}`
  }

  #pageOf(high: number, low: number): IdPage {
    const { length } = this.#pages
    return this.#page(length === 1 ? 0 : pageOf(mixed(high, low), length))
  }

  #page(number: number): IdPage {
    let page = this.#pages[number]
    if (!page) {
      page = pageFrom(this.#parts.load(this.#nameOf(number)) as Int32Array)
      this.#pages[number] = page
    }
    return page
  }

  #add(entries: Int32Array): void {
    for (let at = 0; at + ENTRY <= entries.length; at += ENTRY)
      if (entries[at + 1] !== 0)
        this.put({ high: entries[at]!, low: entries[at + 1]! }, entries[at + 4]!, {
          high: entries[at + 2]!,
          low: entries[at + 3]!,
        })
  }

  #split(): void {
    const { length } = this.#pages
    const from = pageToSplit(length)
    const entries = this.#page(from).entries()
    const halves = [new IdPage(), new IdPage()] as const
    for (const half of halves) half.changed = true
    this.#pages[from] = halves[0]
    this.#pages.push(halves[1])
    for (let at = 0; at < entries.length; at += ENTRY) {
      const stays = pageOf(mixed(entries[at]!, entries[at + 1]!), length + 1) === from
      putAt(halves[stays ? 0 : 1], entries, at)
    }
  }
}

function pageFrom(entries: Int32Array): IdPage {
  const page = new IdPage()
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY)
    if (entries[at + 1] !== 0) putAt(page, entries, at)
  page.changed = false
  return page
}

const putAt = (page: IdPage, entries: Int32Array, at: number): void =>
  page.put(entries[at]!, entries[at + 1]!, entries[at + 4]!, {
    high: entries[at + 2]!,
    low: entries[at + 3]!,
  })
