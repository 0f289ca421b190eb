import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Address, askMore, type ListingAnswer, type SessionRow } from '../api/ask.ts'
import { Failure, get } from '../api/client.ts'
import { useNews } from '../api/use-answer.ts'
import type { Rows } from '../parts/viewport.ts'

/** How often the list is asked for again while sessions change, and what counts them beside it. */
export const LIVE_MS = 3000

/** The last list, so that going back shows it at once, while it is asked for again. */
let latest: Blocks | undefined

export interface Listing {
  rows: SessionRows
  /** Undefined until something is there. */
  total: number | undefined
  incomplete: ListingAnswer['incomplete']
  remarks: readonly string[]
  failure: Failure | undefined
  /** Says which rows are in view. */
  show(from: number, to: number): void
  again(): void
}

/** The list at an address. The previous one stays until the first rows of this one arrive. */
export function useListing(address: Address<'listing'>): Listing {
  const [version, setVersion] = useState(0)
  const blocks = useMemo(() => (latest?.address === address ? latest : new Blocks(address)), [address])
  const [before, setBefore] = useState(blocks)
  const shown = blocks.head || blocks.failure ? blocks : before
  useEffect(() => {
    blocks.open(() => {
      latest = blocks
      setBefore(blocks)
      setVersion((n) => n + 1)
    })
    return () => blocks.close()
  }, [blocks])
  useNews(LIVE_MS, () => blocks.refresh())
  const rows = useMemo(() => rowsOf(shown), [shown, version])
  return {
    rows,
    total: shown.head?.total,
    incomplete: shown.head?.incomplete,
    remarks: shown.head?.remarks ?? [],
    failure: blocks.failure,
    show: (from, to) => shown === blocks && to > from && blocks.show(from, to),
    again: () => blocks.refresh(),
  }
}

/** A row of the list: a session, which may not be there yet, or the title of a group. */
export type ListRow =
  | { session: SessionRow | undefined; position: number }
  | { group: Group; position: number }

export interface SessionRows extends Rows {
  row(index: number): ListRow
}

type Group = ListingAnswer['groups'][number]

interface Title {
  /** Its place among all rows. */
  place: number
  group: Group
}

/** What was in a list, and where it was last: it keeps its key while others come and go. */
const known = new Map<string, number>()
const lastPlaces: number[] = []

function keyOf(what: string, index: number): number {
  let key = known.get(what)
  if (key === undefined) {
    key = known.size
    known.set(what, key)
  }
  lastPlaces[key] = index
  return key
}

function rowsOf(blocks: Blocks): SessionRows {
  const { total = 0, groups = [] } = blocks.head ?? {}
  const loaded = new Map(blocks.rows)
  let place = 0
  const titles = groups.map((group): Title => {
    const title = { place, group }
    place += group.sessions + 1
    return title
  })
  /** How many titles are before a place. */
  const before = (index: number): number => {
    let [low, high] = [0, titles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (titles[middle]!.place < index) low = middle + 1
      else high = middle
    }
    return low
  }
  const titleAt = (index: number): Title | undefined => {
    const title = titles[before(index)]
    return title?.place === index ? title : undefined
  }
  const length = total + titles.length
  const sessionAt = (position: number) => loaded.get(Math.floor(position / BLOCK))?.[position % BLOCK]
  const row = (index: number): ListRow => {
    const position = index - before(index)
    const title = titleAt(index)
    return title ? { group: title.group, position } : { session: sessionAt(position), position }
  }
  /** A row that is not there yet has a negative key, which says where it is. */
  const key = (index: number): number => {
    const found = row(index)
    if ('group' in found) return keyOf(`group ${found.group.key}`, index)
    return found.session ? keyOf(`session ${found.session.path}`, index) : -1 - index
  }
  return {
    length,
    moves: true,
    row,
    key,
    rowOf(wanted) {
      const place = Math.max(0, Math.min(wanted < 0 ? -1 - wanted : lastPlaces[wanted]!, length - 1))
      // What went farther is not in view.
      for (let far = 0; far <= BLOCK; far++)
        for (const index of [place + far, place - far])
          if (index >= 0 && index < length && key(index) === wanted) return index
      return place
    },
    estimate: (index, width) => (titleAt(index) ? 44 : width < NARROW ? 88 : 64),
  }
}

/** Where rows have three lines, as their style says. */
const NARROW = 640

/** How many rows are asked for at a time: more than a window shows. */
const BLOCK = 40

type Head = Pick<ListingAnswer, 'total' | 'groups' | 'incomplete' | 'remarks'>

/** The rows of a list that somebody looked at, in blocks. Others are asked for when they come into view. */
class Blocks {
  /** Undefined until the first block is there. */
  head: Head | undefined
  failure: Failure | undefined

  readonly address: Address<'listing'>
  readonly rows = new Map<number, SessionRow[]>()
  private readonly asked = new Map<number, AbortController>()
  private shown = { from: 0, to: 1 }
  private changed: () => void = () => {}

  constructor(address: Address<'listing'>) {
    this.address = address
  }

  /** Tells `changed` of everything that arrives, until `close`. */
  open(changed: () => void): void {
    this.changed = changed
    this.refresh()
  }

  close(): void {
    this.changed = () => {}
    for (const control of this.asked.values()) control.abort()
    this.asked.clear()
  }

  /** Asks for the rows in view that are not there yet. */
  show(from: number, to: number): void {
    this.shown = { from, to: Math.max(from + 1, to) }
    for (const block of this.blocksInView())
      if (!this.rows.has(block) && !this.asked.has(block)) void this.ask([block])
  }

  /** Asks again for what is in view, and forgets the rest, because a change may have moved it. */
  refresh(): void {
    void this.ask(this.blocksInView(), [...this.rows.keys()])
  }

  private blocksInView(): number[] {
    const last = this.head ? Math.max(0, this.head.total - 1) : 0
    const from = Math.floor(Math.min(this.shown.from, last) / BLOCK)
    const to = Math.floor(Math.min(this.shown.to - 1, last) / BLOCK)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }

  /** Asks for blocks, which take their places together, instead of `old` ones. */
  private async ask(blocks: readonly number[], old: readonly number[] = []): Promise<void> {
    const control = new AbortController()
    for (const block of blocks) {
      this.asked.get(block)?.abort()
      this.asked.set(block, control)
    }
    try {
      const answers = await Promise.all(
        blocks.map((block) =>
          get(askMore(this.address, { from: block * BLOCK, limit: BLOCK }), control.signal),
        ),
      )
      if (control.signal.aborted) return
      const { total, groups, incomplete, remarks } = answers.at(-1)!
      this.head = { total, groups, incomplete, remarks }
      for (const block of old) this.rows.delete(block)
      for (const [index, block] of blocks.entries()) this.rows.set(block, answers[index]!.sessions)
      this.failure = undefined
    } catch (error) {
      if (control.signal.aborted) return
      this.failure = error instanceof Failure ? error : new Failure(0, String(error))
    } finally {
      for (const block of blocks) if (this.asked.get(block) === control) this.asked.delete(block)
    }
    this.changed()
  }
}
