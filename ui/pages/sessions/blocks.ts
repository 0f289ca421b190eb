import { type Address, askMore } from '../../api/ask.ts'
import { Failure, get } from '../../api/client.ts'
import type { ListingAnswer, SessionRow } from '../../api/shapes.ts'

/** How many rows are asked for at a time: more than a window shows. */
const BLOCK = 60

type Head = Pick<ListingAnswer, 'total' | 'groups' | 'incomplete'>

/** The rows of a list that somebody looked at, in blocks. Others are asked for when they come into view. */
export class Blocks {
  /** Undefined until the first block is there. */
  head: Head | undefined
  failure: Failure | undefined

  readonly address: Address<'listing'>
  private readonly rows = new Map<number, SessionRow[]>()
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

  at(position: number): SessionRow | undefined {
    return this.rows.get(Math.floor(position / BLOCK))?.[position % BLOCK]
  }

  /** Asks for the rows in view that are not there yet. */
  show(from: number, to: number): void {
    this.shown = { from, to: Math.max(from + 1, to) }
    for (const block of this.blocksInView())
      if (!this.rows.has(block) && !this.asked.has(block)) void this.ask(block)
  }

  /** Asks again for what is in view, and forgets the rest, because a change may have moved it. */
  refresh(): void {
    const inView = new Set(this.blocksInView())
    for (const block of this.rows.keys()) if (!inView.has(block)) this.rows.delete(block)
    for (const block of inView) void this.ask(block)
  }

  private blocksInView(): number[] {
    const last = this.head ? Math.max(0, this.head.total - 1) : 0
    const from = Math.floor(Math.min(this.shown.from, last) / BLOCK)
    const to = Math.floor(Math.min(this.shown.to - 1, last) / BLOCK)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }

  private async ask(block: number): Promise<void> {
    this.asked.get(block)?.abort()
    const control = new AbortController()
    this.asked.set(block, control)
    try {
      const address = askMore(this.address, { from: block * BLOCK, limit: BLOCK })
      const { total, groups, sessions, incomplete } = await get(address, control.signal)
      if (control.signal.aborted) return
      this.head = { total, groups, incomplete }
      this.rows.set(block, sessions)
      this.failure = undefined
    } catch (error) {
      if (control.signal.aborted) return
      this.failure = error instanceof Failure ? error : new Failure(0, String(error))
    }
    this.asked.delete(block)
    this.changed()
  }
}
