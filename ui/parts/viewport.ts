import { signal } from '@preact/signals'

/** How far beyond the edges rows are drawn, and how close an edge may come before the next rows are drawn. */
const BEYOND = 900
const CLOSE = 300
/** After a jump fewer rows are drawn at first, and the others after a pause, which is shorter after a single jump. */
const BEYOND_JUMP = 100
const PAUSE_MS = 90
const PAUSE_ONE_MS = 30
/** A jump over more views than this means a part of the list, also if the spacer is shorter than the list. */
const FAR = 5
/** Browsers limit the height of an element. A longer list moves through a spacer of this height. */
const MOST_PIXELS = 8_000_000
/** The list counts as scrolled to its end within this distance. */
const NEAR_END = 48

/** A row that stays where it is while rows around it change their heights, until the person scrolls. */
interface Pin {
  key: number
  /** Where its top is, as a fraction of the height of the view. */
  at: number
}

/**
 * Which rows a windowed list draws, and where. Heights are estimated until a row is drawn and measured; what is in
 * view never moves when an estimate turns out wrong.
 */
export class Viewport {
  from = 0
  to = 0
  /** Whether the list scrolls by jumps. Rows are then drawn plain, in their known or estimated heights. */
  isFast = false
  /** Whether the end is in view. */
  readonly atEnd = signal(true)
  /** The key of the first row in view, which is not updated while `isFast`; the part in view, from 0 to 1. */
  readonly first = signal(0)
  readonly part = signal({ from: 0, to: 1 })

  private rows: Rows | undefined
  private heights = new Heights(0, () => 0)
  private readonly measured = new Map<number, number>()
  private scroller: HTMLElement | undefined
  private redraw: () => void = () => {}
  private observer: ResizeObserver | undefined
  private width = 0
  private height = 0
  /** How far the list is moved against the spacer. Zero unless the list is longer than the spacer may be. */
  private base = 0
  private setTop = -1
  private pin: Pin | 'end' | undefined
  private spacer: HTMLElement | undefined
  private slab: HTMLElement | undefined
  /** Rows that were drawn and not measured yet. */
  private fresh: HTMLElement[] = []
  private settling: { timer: ReturnType<typeof setTimeout>; frame?: number } | undefined
  /** The frame that will draw for the latest position, while rows are plain. */
  private moving: number | undefined

  /** `start`: whether a new list shows its end or its beginning. */
  constructor(start: 'begin' | 'end' = 'begin') {
    this.pin = start === 'end' ? 'end' : undefined
  }

  attach(scroller: HTMLElement, redraw: () => void): void {
    this.scroller = scroller
    this.redraw = redraw
    this.spacer = scroller.querySelector<HTMLElement>(':scope > .spacer')!
    this.slab = this.spacer.querySelector<HTMLElement>(':scope > .slab')!
    this.observer = new ResizeObserver((entries) => this.resized(entries))
    this.observer.observe(scroller)
    for (const row of this.fresh) this.observeRow(row)
    scroller.addEventListener('scroll', this.scrolled, { passive: true })
    this.width = scroller.clientWidth
    this.height = scroller.clientHeight
    if (this.rows) this.use(this.rows)
    this.follow()
    this.choose(true)
  }

  detach(): void {
    this.observer?.disconnect()
    this.endSettling()
    this.isFast = false
    if (this.moving !== undefined) cancelAnimationFrame(this.moving)
    this.moving = undefined
    this.scroller?.removeEventListener('scroll', this.scrolled)
    this.scroller = undefined
  }

  /** Measures a row once it is drawn, and observes it. */
  readonly watch = (element: HTMLElement | null): void => {
    if (!element) return
    this.fresh.push(element)
    this.observeRow(element)
  }

  /** The padding of the last row goes when another follows, which leaves its content as it is. */
  private observeRow(row: HTMLElement): void {
    this.observer?.observe(row, { box: 'border-box' })
  }

  /** Takes a new list of rows. The first row in view stays where it is. */
  use(rows: Rows): void {
    const before = this.rows
    const top = this.top
    const anchorRow = before && rows.moves ? this.staying(before, rows) : this.heights.at(top)
    const anchor =
      before && before.length > 0
        ? {
            key: before.key(Math.min(anchorRow, before.length - 1)),
            into: top - this.heights.before(anchorRow),
          }
        : undefined
    this.rows = rows
    this.heights = new Heights(
      rows.length,
      (row) => this.measured.get(rows.key(row)) ?? rows.estimate(row, this.width),
    )
    if (anchor && this.pin === undefined && this.scroller && !(rows.moves && top <= 0))
      this.moveTo(this.heights.before(rows.rowOf(anchor.key)) + anchor.into)
    this.follow()
    this.choose(false)
  }

  /** The first row in view that moves as most of them do: others may have gone to the top. */
  private staying(before: Rows, rows: Rows): number {
    const first = this.heights.at(this.top)
    const last = Math.min(this.heights.at(this.top + this.height), before.length - 1)
    const moves: number[] = []
    for (let row = first; row <= last; row++) moves.push(rows.rowOf(before.key(row)) - row)
    const usual = moves.toSorted((one, other) => one - other)[moves.length >> 1]
    return first + Math.max(0, moves.indexOf(usual ?? 0))
  }

  /** Brings a row into view and holds it there until the person scrolls. */
  show(key: number, at = 0.12): void {
    this.pin = { key, at }
    this.follow()
    this.choose(true)
  }

  /** Scrolls only as far as needed to see a row. */
  reveal(row: number): void {
    this.pin = undefined
    const start = this.heights.before(row)
    const end = start + this.heights.of(row)
    if (start < this.top) this.moveTo(start)
    else if (end > this.top + this.height) this.moveTo(end - this.height)
    this.choose(true)
  }

  showEnd(): void {
    this.pin = 'end'
    this.follow()
    this.choose(true)
  }

  showPart(part: number): void {
    this.pin = undefined
    const before = this.top
    this.moveTo(part * this.heights.total - this.height / 2)
    if (Math.abs(this.top - before) > this.height) this.jumped(this.settling !== undefined)
    this.choose(true)
  }

  /** The height in which a plain row is drawn. */
  heightOf(row: number): number {
    return this.heights.of(row)
  }

  /** The key of the pinned row, or of the row just below the top: where a step to the next row starts. */
  get current(): number {
    if (this.pin !== undefined && this.pin !== 'end') return this.pin.key
    const row = this.heights.at(this.top + this.height * 0.13)
    return this.rows && row < this.rows.length ? this.rows.key(row) : 0
  }

  isInView(row: number): boolean {
    const start = this.heights.before(row)
    return start < this.top + this.height && start + this.heights.of(row) > this.top
  }

  /** Where a row is, as a part of the whole. */
  partOf(row: number): number {
    return this.heights.before(row) / (this.heights.total || 1)
  }

  rowAtPart(part: number): number {
    return this.heights.at(part * this.heights.total)
  }

  /**
   * After a drawing. New rows are measured here, so that the browser lays out once for a frame: whatever a
   * `ResizeObserver` changes makes it start again.
   */
  drawn(): void {
    this.arrange()
    const { fresh } = this
    this.fresh = []
    if (this.rows && fresh.length > 0) this.measure(fresh)
    this.follow()
    this.arrange()
  }

  /** Puts the drawn rows where they belong. */
  private arrange(): void {
    if (!this.slab || !this.spacer) return
    this.spacer.style.height = `${Math.min(this.heights.total, MOST_PIXELS)}px`
    this.slab.style.transform = `translateY(${this.heights.before(this.from) - this.base}px)`
  }

  private get top(): number {
    return this.base + (this.scroller?.scrollTop ?? 0)
  }

  /** While jumps follow each other, what scrolls later in the same frame counts as well. */
  private readonly scrolled = (): void => {
    if (this.settling) this.moving ??= requestAnimationFrame(this.moved)
    else this.moved()
  }

  private readonly moved = (): void => {
    this.moving = undefined
    const { scrollTop } = this.scroller!
    const isJump = Math.abs(scrollTop - this.setTop) > this.height
    if (Math.abs(scrollTop - this.setTop) > 2) {
      this.pin = undefined
      this.page(scrollTop)
    }
    this.setTop = this.scroller!.scrollTop
    if (isJump) this.jumped(true)
    this.choose(false)
    if (this.atEnd.peek() && this.pin === undefined) this.pin = 'end'
  }

  /** Rows stay plain until no more jumps follow. */
  private jumped(isFast: boolean): void {
    const pause = this.settling ? PAUSE_MS : PAUSE_ONE_MS
    this.isFast = isFast
    this.endSettling()
    const settling: NonNullable<typeof this.settling> = {
      timer: setTimeout(() => {
        // A frame that takes long is no pause: its scrolling is known by now.
        settling.frame = requestAnimationFrame(() => {
          if (this.moving !== undefined) {
            cancelAnimationFrame(this.moving)
            this.moved()
          }
          if (this.settling !== settling) return
          this.settling = undefined
          this.isFast = false
          this.choose(true)
        })
      }, pause),
    }
    this.settling = settling
  }

  private endSettling(): void {
    if (!this.settling) return
    clearTimeout(this.settling.timer)
    if (this.settling.frame !== undefined) cancelAnimationFrame(this.settling.frame)
    this.settling = undefined
  }

  /** In a list longer than the spacer, a jump means a part of the list, and an edge moves the spacer on. */
  private page(scrollTop: number): void {
    const { total } = this.heights
    if (total <= MOST_PIXELS) return
    const most = MOST_PIXELS - this.height
    if (Math.abs(scrollTop - this.setTop) > this.height * FAR)
      this.base = Math.round((scrollTop / most) * (total - this.height) - scrollTop)
    else if (scrollTop < this.height * 2 || scrollTop > most - this.height * 2)
      this.moveTo(this.base + scrollTop)
  }

  private moveTo(offset: number): void {
    if (!this.scroller) return
    const { total } = this.heights
    const top = Math.max(0, Math.min(offset, total - this.height))
    const most = MOST_PIXELS - this.height
    if (total <= MOST_PIXELS) this.base = 0
    else this.base = Math.round(top - (top / (total - this.height)) * most)
    this.arrange()
    this.scroller.scrollTop = top - this.base
    this.setTop = this.scroller.scrollTop
  }

  /** Moves to the pinned row, or to the end. */
  private follow(): void {
    if (!this.scroller || !this.rows || this.pin === undefined) return
    if (this.pin === 'end') {
      this.moveTo(this.heights.total)
      this.scroller.scrollTop = this.scroller.scrollHeight
      this.setTop = this.scroller.scrollTop
    } else {
      const row = this.rows.rowOf(this.pin.key)
      const start = this.heights.before(row) + this.depthOf(this.pin.key, row)
      this.moveTo(start - this.pin.at * this.height)
    }
  }

  /** How far below the top of its row a part with a key of its own (`data-key`) is, if it is drawn. */
  private depthOf(key: number, row: number): number {
    if (key === this.rows!.key(row)) return 0
    const part = this.slab?.querySelector(`[data-row="${row}"] [data-key="${key}"]`)
    const top = part?.closest('[data-row]')?.getBoundingClientRect().top ?? 0
    return part ? part.getBoundingClientRect().top - top : 0
  }

  private resized(entries: readonly ResizeObserverEntry[]): void {
    if (!this.scroller || !this.rows) return
    if (entries.some(({ target }) => target === this.scroller) && this.resizedView()) this.choose(true)
    this.measure(entries.map(({ target }) => target as HTMLElement))
  }

  /** Takes the heights of drawn rows. What is in view stays where it is. */
  private measure(elements: readonly HTMLElement[]): void {
    let shift = 0
    let changed = false
    const top = this.top
    for (const element of elements) {
      const row = Number(element.dataset.row)
      if (element === this.scroller || !element.isConnected || row >= this.rows!.length) continue
      const key = this.rows!.key(row)
      // Not rounded: over many rows the differences would add up to a jump.
      const { height } = element.getBoundingClientRect()
      const start = this.heights.before(row)
      const end = start + this.heights.of(row)
      const wasMeasured = this.measured.has(key)
      // A row that waits for its words has another height when they arrive.
      if (!element.querySelector('.waiting')) this.measured.set(key, height)
      const difference = this.heights.set(row, height)
      if (difference === 0) continue
      changed = true
      if (end <= top + shift || (start < top + shift && !wasMeasured)) shift += difference
    }
    if (!changed) return
    if (this.pin !== undefined) this.follow()
    else if (shift !== 0) this.moveTo(top + shift)
    this.arrange()
    this.choose(false)
  }

  private resizedView(): boolean {
    const { clientWidth, clientHeight } = this.scroller!
    if (clientWidth === this.width && clientHeight === this.height) return false
    const isNewWidth = clientWidth !== this.width
    this.width = clientWidth
    this.height = clientHeight
    if (isNewWidth) {
      this.measured.clear()
      this.use(this.rows!)
    }
    return true
  }

  /** Chooses the rows to draw. Draws again only if an edge came close, or if it has to. */
  private choose(must: boolean): void {
    if (!this.rows) return
    const { length } = this.rows
    const { total } = this.heights
    const top = this.top
    const view = this.height || 900
    const beyond = this.settling ? BEYOND_JUMP : BEYOND
    const close = Math.min(CLOSE, beyond)
    const first = this.heights.at(Math.max(0, top - close))
    const last = this.heights.at(top + view + close)
    if (must || first < this.from || last >= this.to || this.to > length) {
      this.from = this.heights.at(Math.max(0, top - beyond))
      this.to = length === 0 ? 0 : Math.min(length, this.heights.at(top + view + beyond) + 1)
      this.redraw()
    }
    this.atEnd.value = top + view >= total - NEAR_END
    if (length > 0 && !this.isFast) this.first.value = this.rows.key(this.heights.at(Math.max(0, top)))
    this.part.value = { from: Math.max(0, top) / (total || 1), to: Math.min(1, (top + view) / (total || 1)) }
  }
}

/** The rows of a windowed list. Keys survive a new list of rows, and grow from row to row unless rows move. */
export interface Rows {
  length: number
  /** Rows change their order, and new ones come first: who sees the beginning sees them. */
  moves?: true
  key(row: number): number
  /** The last row whose key is not greater. If rows move: the row of the key, or what is in its place. */
  rowOf(key: number): number
  /** The height in pixels before the row was measured, in a list of this width. */
  estimate(row: number, width: number): number
}

/** Heights of rows with fast sums: a Fenwick tree, so that a list of 100,000 rows costs 17 steps a question. */
export class Heights {
  readonly length: number
  private readonly heights: Float64Array
  private readonly sums: Float64Array
  private readonly top: number

  constructor(length: number, heightOf: (row: number) => number) {
    this.length = length
    this.heights = new Float64Array(length)
    this.sums = new Float64Array(length + 1)
    this.top = length === 0 ? 0 : 2 ** Math.floor(Math.log2(length))
    for (let row = 0; row < length; row++) {
      const height = heightOf(row)
      this.heights[row] = height
      this.sums[row + 1]! += height
      const parent = row + 1 + ((row + 1) & -(row + 1))
      if (parent <= length) this.sums[parent]! += this.sums[row + 1]!
    }
  }

  of(row: number): number {
    return this.heights[row] ?? 0
  }

  /** Changes a height and returns the difference. */
  set(row: number, height: number): number {
    const difference = height - this.heights[row]!
    if (difference === 0) return 0
    this.heights[row] = height
    for (let at = row + 1; at <= this.length; at += at & -at) this.sums[at]! += difference
    return difference
  }

  /** The sum of the heights of all rows before this one. */
  before(row: number): number {
    let sum = 0
    for (let at = Math.min(row, this.length); at > 0; at -= at & -at) sum += this.sums[at]!
    return sum
  }

  get total(): number {
    return this.before(this.length)
  }

  /** The row at this distance from the top; the last row for anything below it. */
  at(offset: number): number {
    let rest = offset
    let row = 0
    for (let step = this.top; step > 0; step >>= 1) {
      if (row + step <= this.length && this.sums[row + step]! <= rest) {
        row += step
        rest -= this.sums[row]!
      }
    }
    return Math.max(0, Math.min(row, this.length - 1))
  }
}
