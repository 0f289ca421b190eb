import { styleText } from 'node:util'
import { shownName } from '../model/hidden.ts'
import { largest } from '../model/iteration.ts'
import { cutOf, type Screen, shownLine, widthOf } from './terminal.ts'

export interface Column<Row> {
  title: string
  value(row: Row): string
  align?: 'right'
  /** Takes the remaining width, and is cut to it. */
  rest?: boolean
  /**
   * The width that columns with `from` make room for, if this one takes the remaining width. On narrow
   * screens, it stays as long as the first column.
   */
  least?: number
  /**
   * On a screen of known width, names wider than this are cut. A cell that is never cut moves the rest of its
   * row instead.
   */
  most?: number
  /**
   * Hidden on screens narrower than this. If a table does not fit, the column with the highest value goes
   * first.
   */
  from?: number
  /** Never cut, because part of a time or an id is useless. */
  whole?: boolean
  /** Continued on the next line of its row instead of cut. A row with such a cell is never moved. */
  wraps?: boolean
  /** Hidden if no row has a value in it. */
  sparse?: boolean
  /** Hidden on a screen if every row has the same value. */
  varied?: boolean
  paint?: Parameters<typeof styleText>[0]
}

/** A column with its cells. */
interface Filled<Row> {
  column: Column<Row>
  cells: string[]
  width: number
}

const GAP = 2
const LEAST_REST = 20
/** Minimum width of a cut name. */
const LEAST_NAME = 8

/**
 * Formats rows in columns that fit the screen. In a pipe, where its width is unknown, every row is a line
 * with all columns, whole, between tabs.
 */
export function* table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  screen: Screen,
): Generator<string> {
  if (!Number.isFinite(screen.columns)) {
    yield `${columns.map(({ title }) => title).join('\t')}\n`
    for (const row of rows) yield `${columns.map(({ value }) => shownLine(value(row))).join('\t')}\n`
    return
  }
  const isShown = ({ column: { sparse, varied }, cells }: Filled<Row>): boolean =>
    (!sparse || cells.some((cell) => cell !== '')) &&
    (!varied || cells.length < 2 || cells.some((cell) => cell !== cells[0]))
  const filled = fitted(
    columns
      .filter(({ from = 0 }) => from <= screen.columns)
      .map((column) => fill(column, rows))
      .filter(isShown),
    screen.columns,
  )
  const line = (texts: readonly string[], heading: boolean): string => {
    // How far a cell that is never cut has moved those after it. Their own gaps make up for it.
    let moved = 0
    return texts
      .map((whole, index) => {
        const { column, width } = filled[index]!
        const text = column.rest && moved > 0 ? cutTo(whole, Math.max(1, width - moved)) : whole
        const free = width - moved - widthOf(text)
        moved = Math.max(0, -free)
        const gap = ' '.repeat(Math.max(0, free))
        const format = heading ? 'dim' : column.paint
        const shown =
          screen.color && format && text !== '' ? styleText(format, text, { validateStream: false }) : text
        return column.align === 'right' ? gap + shown : index === filled.length - 1 ? shown : shown + gap
      })
      .join(' '.repeat(GAP))
  }
  yield `${line(
    filled.map(({ column, width }) => cutTo(column.title, width)),
    true,
  )}\n`
  const isWrapped = filled.some(({ column }) => column.wraps)
  for (const row of rows.keys()) {
    const cells = filled.map(({ cells }) => cells[row]!)
    for (const part of isWrapped ? linesOfRow(cells, filled) : [cells])
      yield `${isWrapped ? line(part, false).trimEnd() : line(part, false)}\n`
  }
}

/** The lines of a row. If its first cell is never cut and too wide, it has a line of its own. */
function linesOfRow<Row>(cells: readonly string[], filled: readonly Filled<Row>[]): string[][] {
  const [first = '', ...others] = cells
  const isWide = widthOf(first) > filled[0]!.width && !filled[0]!.column.wraps
  const parts = [isWide ? '' : first, ...others].map((cell, index) =>
    filled[index]!.column.wraps ? wrapTo(cell, filled[index]!.width) : [cell],
  )
  const height = largest(parts.map(({ length }) => length))
  const lines = Array.from({ length: height }, (_, at) => parts.map((part) => part[at] ?? ''))
  return isWide ? [[first, ...others.map(() => '')], ...lines] : lines
}

/** A text in lines of at most this width, broken at spaces, and within longer words. */
function wrapTo(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  for (let cut = cutOf(rest, width); cut !== undefined; cut = cutOf(rest, width)) {
    const space = rest.lastIndexOf(' ', cut)
    const at = space > 0 ? space : Math.max(1, cut)
    lines.push(rest.slice(0, at))
    rest = rest.slice(at).trimStart()
  }
  return [...lines, rest]
}

function fill<Row>(column: Column<Row>, rows: readonly Row[]): Filled<Row> {
  const cells = rows.map((row) => shownLine(column.value(row).slice(0, WIDEST)))
  const widths = cells.map(widthOf)
  const widest = largest(widths, 0)
  const most = column.most ?? widest
  // A few long ids do not widen their column.
  const width = column.whole
    ? largest(
        widths.filter((each) => each <= most),
        0,
      ) || widest
    : Math.min(widest, most)
  return { column, cells, width: Math.max(widthOf(column.title), width) }
}

/**
 * The columns that fit, with their cells cut. The least important columns are hidden first, then names are
 * cut, then the column with the remaining width.
 */
function fitted<Row>(all: readonly Filled<Row>[], room: number): Filled<Row>[] {
  let fitting = [...all]
  const wanted = ({ column: { rest, least }, width }: Filled<Row>, isHiding: boolean): number =>
    rest ? Math.min(width, isHiding && least !== undefined ? least : LEAST_REST) : width
  const excess = (isHiding = false): number =>
    fitting.reduce((sum, each) => sum + wanted(each, isHiding) + GAP, -GAP) - room
  while (excess(true) > 0) {
    const least = fitting.reduce<Filled<Row> | undefined>(
      (found, each) =>
        (each.column.from ?? 0) > (found?.column.from ?? 0) && !each.column.rest ? each : found,
      undefined,
    )
    if (!least) break
    fitting = fitting.filter((each) => each !== least)
  }
  for (const each of [...fitting].sort((a, b) => b.width - a.width)) {
    const over = excess()
    if (over <= 0) break
    if (!each.column.rest && each.column.align !== 'right' && !each.column.whole)
      each.width = Math.max(Math.min(each.width, LEAST_NAME), each.width - over)
  }
  while (excess() > 0 && fitting.length > 1) {
    const at = fitting.findLastIndex(({ column }) => column.least === undefined)
    fitting.splice(at > 0 ? at : -1, 1)
  }
  const others = fitting.reduce((sum, { column, width }) => sum + (column.rest ? 0 : width + GAP), 0)
  return fitting.map(({ column, cells, width }) => {
    const own = column.rest ? Math.max(Math.min(width, room), room - others) : width
    const most = column.rest ? Math.min(own, Math.max(LEAST_NAME, room - others)) : own
    return {
      column,
      width: most,
      cells: column.wraps
        ? cells
        : column.rest
          ? cells.map((cell) => cutTo(cell, most))
          : column.whole
            ? cells
            : cutNames(cells, most),
    }
  })
}

/** No screen is wider. */
const WIDEST = 600

/** The beginning of a text that fits into the given number of terminal columns. */
export function cutTo(text: string, width: number): string {
  const cut = cutOf(text, width, 1)
  return cut === undefined ? text : `${text.slice(0, cut)}…`
}

/** Formats a size as `1.2 MB`. */
export function readableBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** Abbreviates the home directory as `~`. */
export const homely = (path: string, home: string): string =>
  shownName(
    home !== '' && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path,
  )

/** The share of the width before the ellipsis. The first one that keeps most names distinct is used. */
const SHARES = [0, 1, 0.7, 0.5, 0.3, 0.15]

/**
 * Cuts names that are too wide for a column: at their beginning, because folders differ at their ends, unless
 * another place distinguishes them better.
 */
export function cutNames(names: readonly string[], width: number): string[] {
  if (names.every((name) => widthOf(name) <= width)) return [...names]
  let best: string[] = []
  let most = 0
  for (const share of SHARES) {
    const cut = names.map((name) => cutAt(name, width, share))
    const distinct = new Set(cut).size
    if (distinct > most) {
      most = distinct
      best = cut
    }
  }
  return best
}

function cutAt(name: string, width: number, share: number): string {
  if (widthOf(name) <= width) return name
  const room = Math.max(0, width - 1)
  const head = headOf(name, Math.round(room * share))
  return `${head}…${tailOf(name, room - widthOf(head))}`
}

const headOf = (text: string, width: number): string => (width <= 0 ? '' : text.slice(0, cutOf(text, width)))

/** The end of a text that fits. */
function tailOf(text: string, width: number): string {
  let tail = ''
  for (const character of [...text].reverse()) {
    if (widthOf(character + tail) > width) break
    tail = character + tail
  }
  return tail
}

/** Formats a number as `410`, `20.6k`, `1.2M`, `3.4B`. */
export function amount(count: number): string {
  for (const [unit, size] of [
    ['B', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const)
    if (count >= size) return `${(count / size).toFixed(1)}${unit}`
  return String(Math.round(count))
}

export const dollars = (value: number | null): string =>
  value === null ? '-' : value > 0 && value < 0.01 ? '<$0.01' : `$${value.toFixed(2)}`

/** Formats a number as `146,828`. `toLocaleString` would take a tenth of a second to load its rules. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Formats a count with its noun: `5 sessions`, `1 session`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : nouns}`
