import { openCalls } from '../../../src/model/open-calls.ts'
import type { Item } from '../../api/ask.ts'
import type { Rows } from '../../parts/viewport.ts'
import { fileName } from '../../text/format.ts'

/** `answers`: the human's words, and the last words of the agent before the next ones. */
export type Layout = 'everything' | 'dialogue' | 'answers'
export const LAYOUTS: readonly Layout[] = ['everything', 'dialogue', 'answers']

export const layoutOf = (text: string): Layout => LAYOUTS.find((layout) => layout === text) ?? 'everything'

/**
 * `run`: consecutive tool calls and errors. `fork`: where the human went back. `end`: that of an abandoned branch.
 * `gap`: items that are not known yet.
 */
type RowKind = 'message' | 'run' | 'marker' | 'fork' | 'end' | 'gap'

export interface Row {
  kind: RowKind
  /** The items of the row: from, and up to but without `to`. Forks and ends have none. */
  from: number
  to: number
  fork?: Fork
}

export interface RowList extends Rows {
  row(index: number): Row
}

/** The letter of an item that is not known yet. */
const UNKNOWN = '?'

const KINDS: Record<string, RowKind> = { t: 'run', e: 'run', m: 'marker', [UNKNOWN]: 'gap' }

const CHARACTER_WIDTH = 7.7
const LINE_HEIGHT = 26
const MOST_WIDTH = 736
const MARGINS = 96

/** The rows of a path through a session, in a layout. */
export function rowsOf({ who, size }: Pick<Shape, 'who' | 'size'>, path: Path, layout: Layout): RowList {
  const rows: Row[] = []
  const { spans, forks, end: last } = path
  let passed = 0
  for (const span of spans)
    for (let at = span.from; at < span.to; ) {
      passed = addForks(at, passed)
      const kind = KINDS[who[at]!] ?? 'message'
      const border = Math.min(span.to, forks[passed]?.at ?? span.to)
      let end = at + 1
      if (kind === 'run' || kind === 'gap') while (end < border && KINDS[who[end]!] === kind) end++
      if (isShown(kind, at, who, layout)) rows.push({ kind, from: at, to: end })
      at = end
    }
  const after = spans.at(-1)?.to ?? 0
  addForks(after, passed)
  if (last) rows.push({ kind: 'end', from: after, to: after })
  return {
    length: rows.length,
    row: (index) => rows[index]!,
    key: (index) => (rows[index] ? placeOf(rows[index]) : 0),
    rowOf: (key) => lastNotAfter(rows, key),
    estimate: (index, width) => estimated(rows[index]!, size, width),
  }

  /** Adds the forks up to an item. Returns how many there were so far. */
  function addForks(at: number, before: number): number {
    let next = before
    for (; next < forks.length && forks[next]!.at <= at; next++)
      rows.push({ kind: 'fork', from: at, to: at, fork: forks[next]! })
    return next
  }
}

/**
 * Where a row is among the items. A fork is after the item that its branches go on from, because what follows it
 * depends on the branch that is shown.
 */
export const placeOf = ({ kind, from, fork }: Row): number =>
  fork ? fork.after + 0.5 : kind === 'end' ? from - 0.25 : from

/** Whether a row shows what is at a place. */
export const isAt = (row: Row, place: number): boolean =>
  row.to > row.from ? place >= row.from && place < row.to : place === placeOf(row)

function isShown(kind: RowKind, at: number, who: string, layout: Layout): boolean {
  if (layout === 'everything' || kind === 'gap') return true
  if (layout === 'dialogue') return kind === 'message' || kind === 'marker'
  return who[at] === 'h' || (who[at] === 'a' && isLastAnswer(who, at))
}

/** Whether no words of the agent follow before the human speaks again. */
function isLastAnswer(who: string, at: number): boolean {
  for (let next = at + 1; next < who.length; next++) {
    if (who[next] === 'h') return true
    if (who[next] === 'a') return false
  }
  return true
}

function lastNotAfter(rows: readonly Row[], key: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (placeOf(rows[middle]!) <= key) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

function estimated({ kind, from, to }: Row, size: readonly number[], width: number): number {
  if (kind === 'run') return 34
  if (kind === 'marker' || kind === 'end') return 44
  if (kind === 'fork') return 60
  if (kind === 'gap') return (to - from) * 60
  const column = Math.max(240, Math.min(width - MARGINS, MOST_WIDTH))
  const lines = Math.ceil(((size[from] ?? 80) * CHARACTER_WIDTH * 1.12) / column) || 1
  return 40 + Math.min(lines, 160) * LINE_HEIGHT
}

/** Items of a session: from, and up to but without `to`. */
interface Span {
  from: number
  to: number
}

/** An abandoned branch: the human went back to the item `after` and took another way. */
export interface Branch extends Span {
  after: number
}

/** A place where the human went back, before an item of the path. */
export interface Fork {
  at: number
  /** The item that the branches go on from. */
  after: number
  /** The abandoned branches that part here. */
  branches: readonly Branch[]
  /** The one that the path takes. Undefined if it goes on with the other way. */
  taken: Branch | undefined
  /** What they part from. */
  other: OtherWay
}

/** How a branch, or what was kept, goes on without the branches that part from it. */
interface OtherWay {
  /** Undefined for what was kept. */
  branch: Branch | undefined
  /** Its first item. */
  begin: number
}

/** The items of a conversation from its beginning to an end: its current one, or that of an abandoned branch. */
interface Path {
  spans: readonly Span[]
  forks: readonly Fork[]
  /** The abandoned branch at the end of the path. */
  end: Branch | undefined
}

export const contains = ({ from, to }: Span, index: number): boolean => index >= from && index < to

export const branchAt = (branches: readonly Branch[], index: number): Branch | undefined =>
  branches.findLast((branch) => contains(branch, index))

/** The path through a branch that begins at an item, or else the current one. `count`: of all items. */
export function pathOf(branches: readonly Branch[], taken: number | undefined, count: number): Path {
  const end = lastOf(branches, branchAt(branches, taken ?? -1))
  const spans: Span[] = []
  let to = count
  for (let branch = end; branch; branch = branchAt(branches, branch.after)) {
    spans.unshift({ from: branch.from, to: Math.min(branch.to, to) })
    to = branch.after + 1
  }
  spans.unshift(...keptSpans(branches, to))
  return { spans, forks: forksOf(branches, spans), end }
}

/** The path without what subagents wrote into the session, or only what one of them did. */
export function pathWithin(
  path: Path,
  subagents: readonly { run: string; own: readonly Span[] }[],
  run: string | undefined,
): Path {
  if (run !== undefined)
    return { spans: subagents.find((each) => each.run === run)?.own ?? [], forks: [], end: undefined }
  const others = subagents.flatMap(({ own }) => own).sort((one, other) => one.from - other.from)
  return others.length === 0 ? path : { ...path, spans: path.spans.flatMap((span) => without(span, others)) }
}

function without({ from, to }: Span, others: readonly Span[]): Span[] {
  const rest: Span[] = []
  let next = from
  for (const other of others) {
    if (other.to <= next || other.from >= to) continue
    if (other.from > next) rest.push({ from: next, to: other.from })
    next = other.to
  }
  return next < to ? [...rest, { from: next, to }] : rest
}

/** A person may have gone on with a branch after another one. */
function lastOf(branches: readonly Branch[], branch: Branch | undefined): Branch | undefined {
  const next = branch && branches.findLast(({ after }) => after === branch.to - 1)
  return next ? lastOf(branches, next) : branch
}

/** What lies between the branches, up to an item. */
function keptSpans(branches: readonly Branch[], to: number): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const branch of branches) {
    if (branch.from >= to) break
    if (branch.from > from) spans.push({ from, to: branch.from })
    from = branch.to
  }
  if (from < to) spans.push({ from, to })
  return spans
}

function forksOf(branches: readonly Branch[], spans: readonly Span[]): Fork[] {
  const byPlace = new Map<number, Branch[]>()
  for (const branch of branches) {
    const at = placeAfter(spans, branch.after)
    if (at === undefined) continue
    const others = byPlace.get(at)
    if (others) others.push(branch)
    else byPlace.set(at, [branch])
  }
  return [...byPlace]
    .map(([at, parting]) => ({
      at,
      after: parting.at(-1)!.after,
      branches: parting,
      taken: parting.find(({ from }) => from === at && spans.some((span) => contains(span, from))),
      other: otherWay(branches, parting[0]!),
    }))
    .filter(({ branches: parting, taken, other }) => parting.length > 1 || !taken || goesOn(other))
    .sort((one, other) => one.at - other.at)
}

function otherWay(branches: readonly Branch[], { after }: Branch): OtherWay {
  const branch = branchAt(branches, after)
  let begin = after + 1
  for (let over = branchAt(branches, begin); !branch && over; over = branchAt(branches, begin))
    begin = over.to
  return { branch, begin }
}

const goesOn = ({ branch, begin }: OtherWay): boolean => !branch || begin < branch.to

/** The first item of the path after another one. Undefined if that one is not on the path. */
function placeAfter(spans: readonly Span[], after: number): number | undefined {
  const at = after < 0 ? -1 : spans.findIndex((span) => contains(span, after))
  if (after >= 0 && at < 0) return undefined
  const span = spans[at]
  return span && after + 1 < span.to ? after + 1 : (spans[at + 1]?.from ?? span?.to)
}

/**
 * Abandoned branches with their tool calls. The server marks only messages, because parallel calls are side branches
 * of any branch: the calls between two abandoned messages, and those up to the human's next prompt, were left, too.
 */
export function wholeBranches(messages: readonly Span[], who: string): readonly Span[] {
  const branches: Span[] = []
  for (const [index, { from, to }] of messages.entries()) {
    const end = callsEnd(who, to)
    const isLeft = end === messages[index + 1]?.from || who[end] === 'h'
    const branch = { from, to: isLeft ? end : to }
    const last = branches.at(-1)
    if (last?.to === from) last.to = branch.to
    else branches.push(branch)
  }
  return branches
}

function callsEnd(who: string, from: number): number {
  let end = from
  while (who[end] === 't' || who[end] === 'e') end++
  return end
}

/** Where a branch begins, and the item that it goes on from. */
export interface Start {
  index: number
  after: number
}

/**
 * The branches of these stretches. A stretch has several where the human went back more than once; without
 * their beginnings it is one branch, which parts from the item before it.
 */
export function branchesIn(stretches: readonly Span[], starts: readonly Start[]): Branch[] {
  return stretches.flatMap(({ from, to }) => {
    const own = starts.filter(({ index, after }) => index > from && index < to && after < index)
    const first = starts.find(({ index, after }) => index === from && after < index)
    const begins = [{ index: from, after: first?.after ?? from - 1 }, ...own]
    return begins.map(({ index, after }, at) => ({ from: index, to: begins[at + 1]?.index ?? to, after }))
  })
}

/** What the page knows about the items of a session, without their words. */
export interface Shape {
  who: string
  line: number[]
  size: number[]
  at: (number | null)[]
}

export const noShape = (): Shape => ({ who: '', line: [], size: [], at: [] })

const LETTERS: Record<string, string> = {
  human: 'h',
  agent: 'a',
  program: 'p',
  tool: 't',
  error: 'e',
  marker: 'm',
}
const letterOf = ({ who }: Pick<Item, 'who'>): string => LETTERS[who] ?? 'm'

/**
 * The shape with items that it did not contain yet. `count`: how many the session has. The lists grow in place,
 * because a session that is written for an hour grows thousands of times.
 */
export function withItems(shape: Shape, items: readonly Item[], count: number): Shape {
  const { who, line, size, at } = shape
  const begin = items.findIndex(({ index }) => index >= who.length || who[index] === UNKNOWN)
  if (begin < 0 || count < who.length) return shape
  const fresh = items.slice(begin)
  const first = fresh[0]!.index
  for (const item of fresh) {
    line[item.index] = item.line
    size[item.index] = item.text?.length ?? 0
    at[item.index] = item.at === null ? null : Date.parse(item.at)
  }
  const letters = fresh.map(letterOf).join('')
  return {
    who: who.slice(0, first).padEnd(first, UNKNOWN) + letters + who.slice(first + letters.length),
    line,
    size,
    at,
  }
}

/** One tool call with its error, if it failed. */
export interface CallLine {
  index: number
  item: Item | undefined
  error: Item | undefined
}

/** Items of a session, of which some are not loaded. */
interface Items {
  shape: { peek(): { who: string } }
  item(index: number): Item | undefined
}

export function callsOf(items: Items, from: number, to: number): CallLine[] {
  const { who } = items.shape.peek()
  const calls: CallLine[] = []
  const open = openCalls<CallLine>()
  for (let index = from; index < to; index++) {
    const item = items.item(index)
    const isError = who[index] === 'e'
    const last = calls.at(-1)
    // What is not loaded yet is probably of the last one.
    const failed = isError ? (item ? open.answered(item) : last?.error ? undefined : last) : undefined
    if (failed) failed.error = item
    else {
      const call = { index, item, error: isError ? item : undefined }
      calls.push(call)
      if (!isError && item) open.made(item, call)
    }
  }
  return calls
}

/** Failed calls, of which those with the same error in a row are one, with their number. */
export function foldSame(failed: readonly CallLine[]): (CallLine & { times: number })[] {
  const folded: (CallLine & { times: number })[] = []
  for (const call of failed) {
    const last = folded.at(-1)
    // What is not loaded yet may be anything.
    const isSame =
      last?.error !== undefined &&
      call.error?.text === last.error.text &&
      call.error?.sure === last.error.sure
    if (last && isSame) last.times++
    else folded.push({ ...call, times: 1 })
  }
  return folded
}

/** The tool of a call. A reply that failed has none. */
export const nameOf = (item: Item | undefined): string =>
  item?.tool?.name ?? (item?.who === 'error' ? 'Reply' : '…')

/** What a run did, in few words: `Read store.js, Edit ×2, Bash npm test`. */
export function summary(calls: readonly CallLine[]): { name: string; target: string; times: number }[] {
  const groups: { name: string; target: string; times: number }[] = []
  for (const { item } of calls) {
    const name = nameOf(item)
    const target = shortTarget(item?.tool?.target)
    const last = groups.at(-1)
    if (last?.name === name) {
      last.times++
      if (last.target !== target) last.target = ''
    } else groups.push({ name, target, times: 1 })
  }
  return groups
}

function shortTarget(target: string | null | undefined): string {
  if (!target) return ''
  const line = target.split('\n', 1)[0]!
  return /^[~/.][^\s]*$/.test(line) ? fileName(line) : line.slice(0, 80)
}
