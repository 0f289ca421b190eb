import type { Usage } from '../../event.ts'
import type { CountedUsage } from '../counted-usage.ts'
import { mixed, pageOf, pageToSplit } from './pages.ts'
import type { ChangedParts, StateParts } from './parts.ts'
import { FEW_PARTS, USAGE_PAGE } from './sizes.ts'
import { type UsageColumns, usagesFromColumns, usagesInColumns } from './usage-columns.ts'
import { UsageTotal, type UsageTotalState } from './usage-total.ts'

const NO_TOKENS: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** A table as plain data. */
export interface UsageTableState {
  count: number
  /** How many have negative keys. */
  stated: number
  pages: number
  /** All usages, if there is one page. The others are parts. */
  usages?: UsageColumns
  /** What everything used together, and what the client's own totals say. */
  totals: { all: UsageTotalState; stated: UsageTotalState }
}

interface Page {
  usages: Map<number, CountedUsage>
  changed: boolean
}

/**
 * Usage by reply, with the total. Negative keys have the client's own totals, of which only the cost counts.
 * Usages are in pages, which are loaded when they are needed.
 */
export class UsageTable {
  readonly #parts: StateParts
  readonly #pages: (Page | undefined)[]
  readonly #all: UsageTotal
  readonly #recorded: UsageTotal
  #count: number
  #stated: number

  constructor(parts: StateParts, state?: UsageTableState) {
    this.#parts = parts
    this.#pages = Array.from({ length: state?.pages ?? 1 }, () => undefined)
    if (this.#pages.length === 1) this.#pages[0] = pageFrom(state?.usages)
    this.#all = new UsageTotal(state?.totals.all)
    this.#recorded = new UsageTotal(state?.totals.stated)
    this.#count = state?.count ?? 0
    this.#stated = state?.stated ?? 0
  }

  has(reply: number): boolean {
    return this.#pageOf(reply).usages.has(reply)
  }

  get(reply: number): CountedUsage | undefined {
    return this.#pageOf(reply).usages.get(reply)
  }

  /** Adds or replaces a usage. */
  set(reply: number, usage: CountedUsage): void {
    const page = this.#pageOf(reply)
    const before = page.usages.get(reply)
    if (before) this.#sum(reply, before, -1)
    this.#sum(reply, usage, 1)
    page.usages.set(reply, usage)
    page.changed = true
    if (before) return
    this.#count++
    if (reply < 0) this.#stated++
    if (this.#count > FEW_PARTS * USAGE_PAGE)
      while (this.#count > this.#pages.length * USAGE_PAGE) this.#split()
  }

  /** The keys of all usages. Loads all pages. */
  *keys(): Generator<number> {
    for (let number = 0; number < this.#pages.length; number++) yield* this.#page(number).usages.keys()
  }

  /** What everything used together. Undefined without any usage. */
  total(): Usage | undefined {
    return this.#count === 0 ? undefined : this.#all.value
  }

  /** The client's own total. Undefined if it recorded none. */
  recorded(): Usage | undefined {
    return this.#stated === 0 ? undefined : this.#recorded.value
  }

  /** Adds the pages that have changed. */
  save(changed: ChangedParts): UsageTableState {
    const { length } = this.#pages
    const totals = { all: this.#all.save(), stated: this.#recorded.save() }
    const state = { count: this.#count, stated: this.#stated, pages: length, totals }
    if (length === 1) return { ...state, usages: usagesInColumns(this.#page(0).usages) }
    for (const [number, page] of this.#pages.entries())
      if (page?.changed) changed.set(nameOf(number), usagesInColumns(page.usages))
    return state
  }

  #sum(reply: number, usage: Usage, sign: 1 | -1): void {
    if (reply > 0) {
      this.#all.add(usage, sign)
      return
    }
    this.#all.add(usage.cost === undefined ? NO_TOKENS : { ...NO_TOKENS, cost: usage.cost }, sign)
    this.#recorded.add(usage, sign)
  }

  #pageOf(reply: number): Page {
    const { length } = this.#pages
    return this.#page(length === 1 ? 0 : pageOf(hashOf(reply), length))
  }

  #page(number: number): Page {
    this.#pages[number] ??= pageFrom(this.#parts.load(nameOf(number)) as UsageColumns)
    return this.#pages[number]
  }

  #split(): void {
    const { length } = this.#pages
    const from = pageToSplit(length)
    const usages = [...this.#page(from).usages]
    const stays = ([reply]: [number, CountedUsage]): boolean => pageOf(hashOf(reply), length + 1) === from
    this.#pages[from] = { usages: new Map(usages.filter(stays)), changed: true }
    this.#pages.push({ usages: new Map(usages.filter((each) => !stays(each))), changed: true })
  }
}

const nameOf = (page: number): string => `usages.${page}`

const hashOf = (reply: number): number => mixed(Math.trunc(reply / 0x200000) | 0, reply | 0)

const pageFrom = (columns: UsageColumns | undefined): Page => ({
  usages: columns ? usagesFromColumns(columns) : new Map(),
  changed: false,
})
