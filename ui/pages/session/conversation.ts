import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  ask,
  type Changed,
  type Item,
  type ItemsAnswer,
  type Outline,
  type RecordAnswer,
} from '../../api/ask.ts'
import { Failure, get } from '../../api/client.ts'
import { changes } from '../../state/events.ts'
import {
  branchAt,
  branchesIn,
  contains,
  noShape,
  pathOf,
  pathWithin,
  type Shape,
  type Start,
  wholeBranches,
  withItems,
} from './rows.ts'

/** Items of one request. */
const BLOCK = 200
/** Items at the end that are asked for together with the outline, so that they are on screen first. */
const TAIL = 60
/** So many items stay in memory; those far from what is in view go first. */
const MOST_ITEMS = 6000
/** New items of a live session may change the last ones, such as a reply that grows. */
const OVERLAP = 3

/** Numbers from their distances. */
export function summed<Each extends number | null>(distances: readonly Each[]): Each[] {
  let last = 0
  return distances.map((each) => {
    if (each === null) return each
    last += each
    return last as Each
  })
}

/** The items of one session, fetched when they come into view. */
export class Conversation {
  readonly session: string
  /** The run of a subagent in this session whose items are shown, instead of those of the session itself. */
  readonly run: string | undefined
  readonly outline = signal<Outline | undefined>(undefined)
  readonly failure = signal<Failure | undefined>(undefined)
  readonly shape = signal<Shape>(noShape())
  /** The branches that the human left, in the order of the file. */
  readonly branches = computed(() =>
    branchesIn(wholeBranches(this.outline.value?.off ?? [], this.shape.value.who), this.starts.value),
  )
  /** What is shown: the current branch, or the one that the person has taken. */
  readonly path = computed(() => {
    const path = pathOf(this.branches.value, this.taken.value, this.count)
    return pathWithin(path, this.outline.value?.subagents ?? [], this.run)
  })
  /** Grows whenever items arrive. */
  readonly arrived = signal(0)
  /** Keys of what the person has opened. It stays open while rows leave the view and come back. */
  readonly opened = signal<ReadonlySet<string>>(new Set())
  /** The error that was shown last, and the place that became the current one then. */
  readonly shownError = signal<{ error: number; place: number } | undefined>(undefined)
  /** The path of a changed file that a message leads to. */
  readonly wantedFile = signal<string | undefined>(undefined)
  /** The place of the current row, which the keys move and the page marks. */
  readonly current = signal<number | undefined>(undefined)
  /** The index of the first item that arrived while the end was out of view. */
  readonly unreadFrom = signal<number | undefined>(undefined)

  /** The first item of the abandoned branch that is shown. */
  private readonly taken = signal<number | undefined>(undefined)
  /** Where abandoned branches begin, as far as their file tells. */
  private readonly starts = signal<readonly Start[]>([])
  private readonly items = new Map<number, Item>()
  /** In which answer an item came. */
  private readonly answerOf = new Map<number, number>()
  private readonly records = new Map<number, Promise<RecordAnswer>>()
  private readonly pending = new Set<number>()
  private readonly control = new AbortController()
  private readonly outlines: Paced
  private refreshing: Promise<void> | undefined
  /** The items at the end, as long as they are the first to be shown. */
  private tail: Promise<unknown> | undefined
  /** The branches whose beginnings were asked for. */
  private startsOf = ''

  constructor(session: string, run?: string) {
    this.session = session
    this.run = run
    this.outlines = paced(() => this.askOutline())
  }

  get count(): number {
    return this.shape.value.who.length
  }

  item(index: number): Item | undefined {
    return this.items.get(index)
  }

  /** Differs whenever one of these items has arrived, also again with another content. */
  stateOf(from: number, to: number): unknown {
    if (to - from === 1) return this.items.get(from)
    let known = 0
    let latest = 0
    for (let index = from; index < to; index++) {
      if (!this.items.has(index)) continue
      known++
      latest = Math.max(latest, this.answerOf.get(index)!)
    }
    return `${known} ${latest}`
  }

  stop(): void {
    this.control.abort()
    this.outlines.stop()
  }

  /** Asks for the outline, and for the end unless another part is shown first. */
  start(withTail: boolean): void {
    this.failure.value = undefined
    this.tail = withTail ? this.ask(-TAIL) : undefined
    void this.askOutline()
  }

  toggle(key: string): void {
    const next = new Set(this.opened.value)
    if (!next.delete(key)) next.add(key)
    this.opened.value = next
  }

  open(...keys: readonly string[]): void {
    this.opened.value = new Set([...this.opened.value, ...keys])
  }

  /** Shows the abandoned branch that begins at an item, or the current one. */
  switchTo(from: number | undefined): void {
    this.taken.value = from
  }

  /** Takes the branch of an item that is not shown, and opens the subagent that it belongs to. */
  reveal(index: number): void {
    const within = this.outline.peek()?.subagents.find(({ own }) => own.some((span) => contains(span, index)))
    const isShown = this.path.peek().spans.some(({ from, to }) => index >= from && index < to)
    if (within) this.open(`subagent ${within.run}`)
    else if (!isShown && Number.isInteger(index)) this.switchTo(branchAt(this.branches.peek(), index)?.from)
  }

  /** Fetches what is missing of these items. */
  need(from: number, to: number): void {
    const last = Math.min(to, this.count)
    for (let index = Math.max(0, from); index < last; index++) {
      if (this.items.has(index)) continue
      const block = Math.floor(index / BLOCK)
      if (!this.pending.has(block)) {
        this.pending.add(block)
        void this.ask(block * BLOCK, Math.min((block + 1) * BLOCK, this.count)).finally(() =>
          this.pending.delete(block),
        )
      }
      index = (block + 1) * BLOCK - 1
    }
    this.forget((from + to) / 2)
  }

  /** The whole record of a line, read from the file. */
  record(line: number): Promise<RecordAnswer> {
    const known = this.records.get(line)
    if (known) return known
    const asked = get(ask('record', { session: this.session, line }), this.control.signal)
    this.records.set(line, asked)
    asked.catch(() => this.records.delete(line))
    return asked
  }

  /** Fetches what was written since. */
  async refresh(isEndInView: boolean): Promise<void> {
    this.outlineSoon()
    if (this.count === 0) return
    this.refreshing ??= this.askNew(isEndInView).finally(() => {
      this.refreshing = undefined
    })
    return this.refreshing
  }

  /** Asks for the outline again: only it tells of subagents, of abandoned branches, and of exact figures. */
  outlineSoon(): void {
    this.outlines.ask()
  }

  private async askNew(isEndInView: boolean): Promise<void> {
    const before = this.count
    let known = Math.max(0, before - OVERLAP)
    for (;;) {
      const answer = await this.ask(known, known + BLOCK)
      if (!answer) return
      if (answer.count < before) {
        this.items.clear()
        return this.askOutline()
      }
      known = answer.to
      if (answer.items.length === 0 || known >= answer.count) break
    }
    if (this.count === before) return
    if (isEndInView) this.unreadFrom.value = undefined
    else this.unreadFrom.value ??= before
  }

  private async askOutline(): Promise<void> {
    try {
      const address = ask('outline', { session: this.session })
      const answer = await get(address, this.control.signal)
      // Rows without their words would move those that have them.
      await this.tail
      const outline = { ...answer, line: summed(answer.line), at: summed(answer.at) }
      this.fit(outline)
      const { who, size, line, at, count } = outline
      const newer = this.itemsFrom(count)
      if (outline.off.length > 0) void this.askStarts(outline.off)
      this.outline.value = outlineWith(outline, newer)
      this.shape.value = withItems({ who, size, line, at }, newer, count + newer.length)
    } catch (error) {
      this.failed(error)
    }
  }

  /** Asks where the branches part, again if there are others. Without an answer, each parts from what precedes it. */
  private async askStarts(off: Outline['off']): Promise<void> {
    const asked = JSON.stringify(off)
    if (asked === this.startsOf) return
    this.startsOf = asked
    try {
      const { branches } = await get(ask('branches', { session: this.session }), this.control.signal)
      this.starts.value = branches
    } catch {
      this.startsOf = ''
    }
  }

  private async ask(from: number, to?: number): Promise<ItemsAnswer | undefined> {
    try {
      const address = ask('items', { session: this.session, from, to })
      const answer = await get(address, this.control.signal)
      this.take(answer)
      return answer
    } catch (error) {
      this.failed(error)
      return undefined
    }
  }

  private failed(error: unknown): void {
    if (this.control.signal.aborted) return
    this.failure.value = error instanceof Failure ? error : new Failure(0, String(error))
  }

  private take({ items, count }: ItemsAnswer): void {
    if (this.control.signal.aborted) return
    const answer = this.arrived.peek() + 1
    for (const item of items) {
      this.items.set(item.index, item)
      this.answerOf.set(item.index, answer)
    }
    this.shape.value = withItems(this.shape.value, items, count)
    if (this.outline.value) this.outline.value = outlineWith(this.outline.value, items)
    this.failure.value = undefined
    this.arrived.value = answer
  }

  /** The items from a position up to the first that is not known. */
  private itemsFrom(from: number): Item[] {
    const items: Item[] = []
    for (let index = from; this.items.has(index); index++) items.push(this.items.get(index)!)
    return items
  }

  /** Forgets items that were replaced in the file, and marks those whose branch was abandoned meanwhile. */
  private fit({ line, off, count }: Outline): void {
    const answer = this.arrived.peek() + 1
    let span = 0
    for (const [index, item] of [...this.items].sort(([a], [b]) => a - b)) {
      if (index >= count) break
      while (span < off.length && off[span]!.to <= index) span++
      const isOff = span < off.length && index >= off[span]!.from
      if (item.line !== line[index]) this.items.delete(index)
      else if (isOff !== (item.offBranch === true)) {
        const { offBranch: _, ...rest } = item
        this.items.set(index, isOff ? { ...rest, offBranch: true } : rest)
        this.answerOf.set(index, answer)
      }
    }
    this.arrived.value = answer
  }

  private forget(center: number): void {
    if (this.items.size <= MOST_ITEMS) return
    for (const index of this.items.keys()) {
      if (Math.abs(index - center) > MOST_ITEMS / 4) this.items.delete(index)
      if (this.items.size <= MOST_ITEMS / 2) return
    }
  }
}

/** How much of a human's text an outline contains. */
const TEXT = 120

/** The outline with items that follow the last one it contains. The same if they do not follow it. */
function outlineWith(outline: Outline, items: readonly Item[]): Outline {
  const fresh = items.filter(({ index }) => index >= outline.count)
  if (fresh[0]?.index !== outline.count) return outline
  const humans = fresh.flatMap(({ who, index, text }) =>
    who === 'human' ? [{ index, text: (text ?? '').slice(0, TEXT).toWellFormed() }] : [],
  )
  const markers = fresh.flatMap(({ who, index, marker, text }) =>
    who === 'marker' ? [{ index, marker: marker ?? 'note', text }] : [],
  )
  return {
    ...outline,
    count: outline.count + fresh.length,
    humans: longer(outline.humans, humans),
    markers: longer(outline.markers, markers),
    curve: curveWith(outline.curve, fresh),
    session: rowWith(outline.session, fresh),
  }
}

/** The same list if nothing is added, so that what shows it is not drawn again. */
const longer = <Each>(list: Each[], more: readonly Each[]): Each[] =>
  more.length === 0 ? list : [...list, ...more]

function curveWith(curve: Outline['curve'], items: readonly Item[]): Outline['curve'] {
  const used = items.flatMap(({ index, usage }) => (usage ? [{ index, usage }] : []))
  if (used.length === 0) return curve
  const contexts = used.map(({ usage }) => usage.input + usage.cacheRead + usage.cacheWrite)
  return {
    index: [...curve.index, ...used.map(({ index }) => index)],
    context: [...curve.context, ...contexts],
    output: [...curve.output, ...used.map(({ usage }) => usage.output)],
  }
}

type Row = Outline['session']

/** The row of the session with what the items add to it, until the server counts again. */
function rowWith(row: Row, items: readonly Item[]): Row {
  const amount = (isMeant: (item: Item) => boolean): number => items.filter(isMeant).length
  const { human, agent } = row.messages
  return {
    ...row,
    lastActivityAt: items.findLast(({ at }) => at !== null)?.at ?? row.lastActivityAt,
    messages: {
      human: human + amount(({ who }) => who === 'human'),
      agent: agent + amount(({ who }) => who === 'agent'),
    },
    toolCalls: row.toolCalls + amount(({ who }) => who === 'tool'),
    errors: row.errors + amount(({ who, sure }) => who === 'error' && sure !== false),
    possibleErrors: row.possibleErrors + amount(({ who, sure }) => who === 'error' && sure === false),
    ...usageWith(row, items),
  }
}

function usageWith({ usage }: Row, items: readonly Item[]): Pick<Row, 'usage'> {
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...usage }
  let isUsed = usage !== undefined
  for (const { usage: more } of items) {
    if (!more) continue
    isUsed = true
    sum.input += more.input
    sum.output += more.output
    sum.cacheRead += more.cacheRead
    sum.cacheWrite += more.cacheWrite
  }
  return isUsed ? { usage: sum } : {}
}

/** Fetches what is new when the store has taken any of it, or may have after a reconnect. */
export function useFollowing(conversation: Conversation, isEndInView: () => boolean): void {
  useEffect(() => {
    let isKnown = true
    const stop = changes.subscribe((changed) => {
      // The last change before this page was opened is contained in its answers.
      if (isKnown) return
      if (isOf(conversation, changed)) void conversation.refresh(isEndInView())
      else if (isOfSubagent(conversation, changed)) conversation.outlineSoon()
    })
    isKnown = false
    return stop
  }, [conversation, isEndInView])
}

function isOf({ outline, session }: Conversation, { sessions }: Changed): boolean {
  const { id, path } = outline.peek()?.session ?? { id: session, path: session }
  return sessions.length === 0 || sessions.some((each) => each.path === path || each.id === id)
}

/** A subagent of a subagent names the session that started both. */
function isOfSubagent({ outline }: Conversation, { sessions }: Changed): boolean {
  const row = outline.peek()?.session
  return row !== undefined && sessions.some(({ parent }) => parent && [row.id, row.parent].includes(parent))
}

/** The shortest pause between two times, in ms, and how many times as long as a time itself a pause lasts. */
const LEAST_MS = 5000
const PAUSE_SHARE = 20

interface Paced {
  /** Runs it now, or as soon as the pause is over. */
  ask(): void
  stop(): void
}

/** Something that costs the server more the longer a session is, and is wanted each time one grows. */
export function paced(run: () => Promise<unknown>): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let mayRunAt = 0
  let isRunning = false
  let isAskedAgain = false
  let isStopped = false

  async function start(): Promise<void> {
    timer = undefined
    // A page that nobody sees asks when somebody does.
    if (document.hidden) return document.addEventListener('visibilitychange', start, { once: true })
    if (isStopped) return
    isRunning = true
    const begun = performance.now()
    try {
      await run()
    } finally {
      const ended = performance.now()
      mayRunAt = ended + Math.max(LEAST_MS, (ended - begun) * PAUSE_SHARE)
      isRunning = false
    }
    if (isAskedAgain) ask()
  }

  function ask(): void {
    isAskedAgain = isRunning
    if (isRunning || timer !== undefined || isStopped) return
    timer = setTimeout(start, Math.max(0, mayRunAt - performance.now()))
  }

  return {
    ask,
    stop() {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', start)
    },
  }
}
