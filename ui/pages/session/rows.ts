import type { Rows } from '../../parts/window-rows.ts'
import { type Shape, UNKNOWN } from './shape.ts'

/** `answers`: the human's words, and the last words of the agent before the next ones. */
export type Layout = 'everything' | 'dialogue' | 'answers'
export const LAYOUTS: readonly Layout[] = ['everything', 'dialogue', 'answers']

/** `run`: consecutive tool calls and errors. `branch`: a folded abandoned branch. `gap`: items that are not known yet. */
type RowKind = 'message' | 'run' | 'marker' | 'branch' | 'gap'

export interface Row {
  kind: RowKind
  /** The items of the row: from, and up to but without `to`. */
  from: number
  to: number
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
  /** Abandoned branches that are folded. */
  folded: readonly Span[]
}

const KINDS: Record<string, RowKind> = { t: 'run', e: 'run', m: 'marker', [UNKNOWN]: 'gap' }

const CHARACTER_WIDTH = 7.7
const LINE_HEIGHT = 26
const MOST_WIDTH = 736
const MARGINS = 96

/** The rows of a session in a layout. */
export function rowsOf({ who, size }: Pick<Shape, 'who' | 'size'>, { layout, folded }: Arrangement): RowList {
  const rows: Row[] = []
  let spans = 0
  for (let at = 0; at < who.length; ) {
    while (spans < folded.length && folded[spans]!.to <= at) spans++
    const span = folded[spans]
    if (span && at >= span.from) {
      rows.push({ kind: 'branch', from: at, to: span.to })
      at = span.to
      continue
    }
    const kind = KINDS[who[at]!] ?? 'message'
    let end = at + 1
    if (kind === 'run' || kind === 'gap')
      while (end < who.length && KINDS[who[end]!] === kind && end !== span?.from) end++
    if (isShown(kind, at, who, layout)) rows.push({ kind, from: at, to: end })
    at = end
  }
  return {
    length: rows.length,
    row: (index) => rows[index]!,
    key: (index) => rows[index]?.from ?? 0,
    rowOf: (key) => lastNotAfter(rows, key),
    estimate: (index, width) => estimated(rows[index]!, size, width),
  }
}

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
    if (rows[middle]!.from <= key) low = middle
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
