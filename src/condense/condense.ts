import type { Item } from '../model/session.ts'
import { estimateTokens } from './tokens.ts'

/** Tokens of an item besides those of its text. */
const LINE_COST = 3
/** Lengths that long messages are cut to, tried in this order. */
const CUTS = [4000, 1500, 600, 300, 160]

export interface Omitted {
  /** Of several sessions, those of which nothing is left. */
  sessions: number
  tools: number
  messages: number
  /** Number of characters cut out of the middle of long messages. */
  characters: number
  /** Where something was left out. */
  places: { path: string; line: number; what: string }[]
}

export const nothingOmitted = (): Omitted => ({
  sessions: 0,
  tools: 0,
  messages: 0,
  characters: 0,
  places: [],
})

/** The items of a session with its path, which says where to find what is left out. */
interface SessionItems {
  path: string
  items: Item[]
  /** The tokens of its heading. That of a single session does not count: it has to be shown. */
  heading?: number
}

/** Parses `20k`, `1.5m` or a plain number of tokens. Undefined if it is neither. */
export function parseBudget(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim())
  if (!match) return undefined
  const unit = match[2]!.toLowerCase()
  return Math.floor(Number(match[1]) * (unit === 'k' ? 1000 : unit === 'm' ? 1_000_000 : 1))
}

const costOf = (text = ''): number => estimateTokens(text) + LINE_COST

const isSpeech = (item: Item): boolean =>
  item.who === 'human' || item.who === 'agent' || item.who === 'program'

/**
 * Makes items fit a budget. If headings would take more than half of it, the first sessions are left out:
 * they are the oldest. Messages come first, with their middle cut out as far as necessary; then tools,
 * errors and markers; then longer messages again while there is room. Messages are dropped only if even short
 * ones do not fit: the agent's before the human's, from the middle outwards. Changes the items in place and
 * reports what was left out.
 */
export function fitBudget(sessions: SessionItems[], tokens: number): Omitted {
  const omitted = nothingOmitted()
  let headings = sessions.reduce((sum, { heading = 0 }) => sum + heading, 0)
  const dropped = new Set<Item>()
  let first = 0
  for (; first < sessions.length - 1 && headings > tokens / 2; first++) {
    const { path, items, heading = 0 } = sessions[first]!
    headings -= heading
    for (const item of items) {
      dropped.add(item)
      if (isSpeech(item)) omitted.messages++
      else omitted.tools++
    }
    omitted.places.push({ path, line: 1, what: 'the session' })
  }
  const entries = sessions.slice(first).flatMap(({ path, items }) => items.map((item) => ({ path, item })))
  const speech = entries.filter(({ item }) => isSpeech(item))
  const rest = entries.filter(({ item }) => !isSpeech(item))
  const cost = (cut: number): number =>
    speech.reduce((sum, { item }) => sum + costOf(item.text && cutMiddle(item.text, cut).text), headings)
  const cut = CUTS.find((each) => cost(each) <= tokens) ?? CUTS.at(-1)!
  let spent = cost(cut)
  for (const who of ['program', 'agent', 'human'] as const)
    for (const entry of fromTheMiddle(speech.filter(({ item }) => item.who === who))) {
      if (spent <= tokens) break
      dropped.add(entry.item)
      spent -= costOf(entry.item.text && cutMiddle(entry.item.text, cut).text)
      omitted.messages++
      omitted.places.push({ path: entry.path, line: entry.item.line, what: `a message of ${who}` })
    }
  for (const { path, item } of rest) {
    const price = costOf(`${item.tool?.name ?? ''}${item.tool?.target ?? ''}${item.text ?? ''}`)
    if (spent + price <= tokens) spent += price
    else {
      dropped.add(item)
      omitted.tools++
      const last = omitted.places.at(-1)
      if (last?.path !== path || !last.what.startsWith('tools'))
        omitted.places.push({ path, line: item.line, what: 'tools from here on' })
    }
  }
  for (const { path, item } of speech) {
    if (dropped.has(item) || item.text === undefined) continue
    const short = cutMiddle(item.text, cut)
    if (short.left === 0) continue
    const more = costOf(item.text) - costOf(short.text)
    if (spent + more <= tokens) {
      spent += more
      continue
    }
    omitted.characters += short.left
    omitted.places.push({ path, line: item.line, what: `${short.left} characters` })
    item.text = short.text
  }
  for (const each of sessions) each.items = each.items.filter((item) => !dropped.has(item))
  if (sessions.length > 1) omitted.sessions = sessions.filter(({ items }) => items.length === 0).length
  return omitted
}

function* fromTheMiddle<T>(list: readonly T[]): Generator<T> {
  const middle = Math.floor(list.length / 2)
  for (let step = 0; step <= middle; step++) {
    if (list[middle + step] !== undefined) yield list[middle + step]!
    if (step > 0 && list[middle - step] !== undefined) yield list[middle - step]!
  }
}

function cutMiddle(text: string, limit: number): { text: string; left: number } {
  if (text.length <= limit + 40) return { text, left: 0 }
  const head = Math.ceil(limit * 0.6)
  const tail = limit - head
  const left = text.length - limit
  return {
    text: `${text.slice(0, head)} […${left} characters left out…] ${text.slice(text.length - tail)}`.toWellFormed(),
    left,
  }
}

const NAMED_TARGETS = 3

/** Folds consecutive calls of the same tool into one line: `Read ×7 a.ts, b.ts, c.ts, …`. */
export function foldTools(items: readonly Item[]): Item[] {
  const folded: Item[] = []
  let run: Item[] = []
  const close = (): void => {
    for (const group of Map.groupBy(run, (item) => item.tool!.name).values()) folded.push(together(group))
    run = []
  }
  for (const item of items) {
    if (item.who === 'tool' && item.tool) run.push(item)
    else {
      close()
      folded.push(item)
    }
  }
  close()
  return folded
}

function together(group: Item[]): Item {
  const [first] = group
  if (group.length === 1) return first!
  const targets = [
    ...new Set(group.flatMap((item) => (item.tool?.target ? [shortened(item.tool.target)] : []))),
  ]
  const shown = targets.slice(0, NAMED_TARGETS).join(', ')
  const target = targets.length > NAMED_TARGETS ? `${shown}, …` : shown
  return {
    ...first!,
    folded: group.slice(1),
    tool: { name: `${first!.tool!.name} ×${group.length}`, target: target || undefined },
  }
}

/** Folds what is the same several times in a row: a call, an error, or a call with its error. */
export function foldRepeats(items: readonly Item[]): Item[] {
  const folded: Item[] = []
  for (let at = 0; at < items.length; ) {
    const [length, times] = repeatAt(items, at)
    for (let part = 0; part < length; part++) {
      const item = items[at + part]!
      const others = Array.from({ length: times - 1 }, (_, time) => items[at + (time + 1) * length + part]!)
      folded.push(times === 1 ? item : { ...counted(item, times), folded: others })
    }
    at += length * times
  }
  return folded
}

/** How many items from a position on repeat, and how often they occur. */
function repeatAt(items: readonly Item[], at: number): [length: number, times: number] {
  for (const length of [1, 2]) {
    let times = 1
    while (isSame(items, at, at + times * length, length)) times++
    if (times > 1) return [length, times]
  }
  return [1, 1]
}

const isSame = (items: readonly Item[], one: number, other: number, length: number): boolean =>
  other + length <= items.length &&
  Array.from({ length }, (_, part) => part).every((part) => {
    const [first, second] = [items[one + part]!, items[other + part]!]
    const isRepeatable = first.who === 'error' || (first.who === 'tool' && first.folded === undefined)
    return (
      isRepeatable &&
      first.who === second.who &&
      first.text === second.text &&
      first.tool?.name === second.tool?.name &&
      first.tool?.target === second.tool?.target &&
      first.offBranch === second.offBranch
    )
  })

const counted = (item: Item, times: number): Item =>
  item.who === 'tool' && item.tool
    ? { ...item, tool: { ...item.tool, name: `${item.tool.name} ×${times}` } }
    : { ...item, text: `${item.text ?? ''} ×${times}`.trim() }

/** Shortens a path to its file name, anything else to its beginning. */
function shortened(target: string): string {
  if (/^[~/.\w-]*\/[^\s/]+$/.test(target)) return target.slice(target.lastIndexOf('/') + 1)
  return target.length > 40 ? `${target.slice(0, 39)}…` : target
}

/** Selects a part of a session. An empty object selects all of it. */
export interface Excerpt {
  /** Start at this line of the transcript. */
  line?: number
  /** Number of items before and after each match of `grep`, or else before and after `line`. */
  around?: number
  /** Only the last items, this many. */
  last?: number
  /** Only items that contain these words, ignoring case. */
  grep?: string
}

export const isExcerpt = ({ line, around, last, grep }: Excerpt): boolean =>
  line !== undefined || around !== undefined || last !== undefined || grep !== undefined

/** Receives items one by one and returns those that are selected. `end` returns the rest. */
interface Excerpting {
  take(items: readonly Item[]): Item[]
  end(): Item[]
}

export function createExcerpt({ line, around, last, grep }: Excerpt): Excerpting {
  const words = grep?.toLowerCase()
  const isCenter =
    words !== undefined
      ? (item: Item) => holds(item, words)
      : line !== undefined && around !== undefined
        ? firstFrom(line)
        : undefined
  // What the client has cut off its file has lines below 0.
  const begin =
    line !== undefined && (words !== undefined || around === undefined) ? line : Number.NEGATIVE_INFINITY
  const surrounded = isCenter && withNeighbors(isCenter, around ?? 0)
  let ending: Item[] = []
  return {
    take(items) {
      const following = items.filter((item) => item.line >= begin)
      const wanted = surrounded ? following.flatMap(surrounded) : following
      if (last === undefined) return wanted
      ending = last === 0 ? [] : [...ending, ...wanted].slice(-last)
      return []
    },
    end: () => ending,
  }
}

/** Returns a test for items of the first line, from `line` on, that yields any. */
function firstFrom(line: number): (item: Item) => boolean {
  let found: number | undefined
  return (item) => {
    if (item.line >= line) found ??= item.line
    return item.line === found
  }
}

/** Returns a function that, for each item, returns the items that are known to be selected by then. */
function withNeighbors(isCenter: (item: Item) => boolean, count: number): (item: Item) => Item[] {
  const before: Item[] = []
  let after = 0
  return (item) => {
    if (isCenter(item)) {
      after = count
      return [...before.splice(0), item]
    }
    if (after > 0) {
      after--
      return [item]
    }
    before.push(item)
    if (before.length > count) before.shift()
    return []
  }
}

const holds = ({ text, tool, detail }: Item, words: string): boolean =>
  [text, tool?.name, tool?.target, detail].some((each) => each?.toLowerCase().includes(words))
