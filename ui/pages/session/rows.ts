import type { Rows } from '../../parts/window-rows.ts'
import type { Fork, Path } from './path.ts'
import { type Shape, UNKNOWN } from './shape.ts'

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
