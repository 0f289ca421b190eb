import type { Rows } from '../../parts/window-rows.ts'
import { type Shape, UNKNOWN } from './shape.ts'

/** `answers`: the human's words, and the last words of the agent before the next ones. */
export type Layout = 'everything' | 'dialogue' | 'answers'
export const LAYOUTS: readonly Layout[] = ['everything', 'dialogue', 'answers']

export const layoutOf = (text: string): Layout => LAYOUTS.find((layout) => layout === text) ?? 'everything'

/**
 * `run`: consecutive tool calls and errors. `branch`: stands for an abandoned branch that is folded, and at the
 * beginning of one that is open. `gap`: items that are not known yet.
 */
type RowKind = 'message' | 'run' | 'marker' | 'branch' | 'gap'

export interface Row {
  kind: RowKind
  /** The items of the row, or of its branch: from, and up to but without `to`. */
  from: number
  to: number
  /** Of a branch. */
  isFolded?: boolean
}

export interface RowList extends Rows {
  row(index: number): Row
}

export interface Span {
  from: number
  to: number
}

interface Arrangement {
  layout: Layout
  /** Abandoned branches, in order. */
  branches: readonly Span[]
  isFolded(branch: Span): boolean
}

const KINDS: Record<string, RowKind> = { t: 'run', e: 'run', m: 'marker', [UNKNOWN]: 'gap' }

const CHARACTER_WIDTH = 7.7
const LINE_HEIGHT = 26
const MOST_WIDTH = 736
const MARGINS = 96

/** The rows of a session in a layout. */
export function rowsOf(
  { who, size }: Pick<Shape, 'who' | 'size'>,
  { layout, branches, isFolded }: Arrangement,
): RowList {
  const rows: Row[] = []
  let passed = 0
  for (let at = 0; at < who.length; ) {
    while (passed < branches.length && branches[passed]!.to <= at) passed++
    const branch = branches[passed]
    if (branch && at === branch.from) {
      rows.push({ kind: 'branch', ...branch, isFolded: isFolded(branch) })
      if (isFolded(branch)) {
        at = branch.to
        continue
      }
    }
    const kind = KINDS[who[at]!] ?? 'message'
    // A row is either on the branch or not, whether that is folded or not.
    const border = branch && at >= branch.from ? branch.to : branch?.from
    let end = at + 1
    if (kind === 'run' || kind === 'gap')
      while (end < who.length && KINDS[who[end]!] === kind && end !== border) end++
    if (isShown(kind, at, who, layout)) rows.push({ kind, from: at, to: end })
    at = end
  }
  return {
    length: rows.length,
    row: (index) => rows[index]!,
    key: (index) => (rows[index] ? placeOf(rows[index]) : 0),
    rowOf: (key) => lastNotAfter(rows, key),
    estimate: (index, width) => estimated(rows[index]!, size, width),
  }
}

/** Where a row is among the items. The row of a branch is before its first item. */
export const placeOf = ({ kind, from }: Row): number => (kind === 'branch' ? from - 0.5 : from)

/** The end of the items that drawing a row needs. The row of a branch needs none of its items. */
export const lastItemOf = ({ kind, from, to }: Row): number => (kind === 'branch' ? from : to)

/** Whether a row shows what is at a place. */
export const isAt = (row: Row, place: number): boolean =>
  place >= placeOf(row) && (row.kind === 'branch' && !row.isFolded ? place < row.from : place < row.to)

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
  if (kind === 'marker' || kind === 'branch') return 44
  if (kind === 'gap') return (to - from) * 60
  const column = Math.max(240, Math.min(width - MARGINS, MOST_WIDTH))
  const lines = Math.ceil(((size[from] ?? 80) * CHARACTER_WIDTH * 1.12) / column) || 1
  return 40 + Math.min(lines, 160) * LINE_HEIGHT
}
