import { styleText } from 'node:util'
import measure from 'fast-string-truncated-width'
import { printable } from '../condense/printable.ts'
import { largest } from '../model/lists.ts'
import type { Screen } from './command.ts'
import { cutNames, widthOf } from './cut-names.ts'

export interface Column<Row> {
  title: string
  value(row: Row): string
  align?: 'right'
  /** Takes what is left, and is cut when that is little. */
  rest?: boolean
  /** Where the screen has a width: names wider than this are cut. */
  most?: number
  /** Left out on screens narrower than this; where a table does not fit, the column that wants the widest screen goes first. */
  from?: number
  /** Left out where no row has anything to say in it. */
  sparse?: boolean
  paint?: Parameters<typeof styleText>[0]
}

/** A column with what stands in it. */
interface Filled<Row> {
  column: Column<Row>
  cells: string[]
  width: number
}

const GAP = 2
const LEAST_REST = 20
/** Names are not cut to less than this. */
const LEAST_NAME = 8

/** Rows in columns that fit the screen. A screen of unknown width (a pipe) cuts nothing. */
export function* table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  screen: Screen,
): Generator<string> {
  const filled = fitted(
    columns
      .filter(({ from = 0 }) => from <= screen.columns || !Number.isFinite(screen.columns))
      .map((column) => fill(column, rows, screen))
      .filter(({ column, cells }) => !column.sparse || cells.some((cell) => cell !== '')),
    screen.columns,
  )
  const line = (texts: readonly string[], heading: boolean): string =>
    texts
      .map((text, index) => {
        const { column, width } = filled[index]!
        const gap = ' '.repeat(Math.max(0, width - widthOf(text)))
        const format = heading ? 'dim' : column.paint
        const shown = screen.color && format ? styleText(format, text, { validateStream: false }) : text
        return column.align === 'right' ? gap + shown : index === filled.length - 1 ? shown : shown + gap
      })
      .join(' '.repeat(GAP))
  yield `${line(
    filled.map(({ column, width }) => cutTo(column.title, width)),
    true,
  )}\n`
  for (const row of rows.keys())
    yield `${line(
      filled.map(({ cells }) => cells[row]!),
      false,
    )}\n`
}

function fill<Row>(column: Column<Row>, rows: readonly Row[], screen: Screen): Filled<Row> {
  const cells = rows.map((row) => oneLine(column.value(row)))
  const width = largest(cells.map(widthOf), widthOf(column.title))
  const most = Number.isFinite(screen.columns) ? (column.most ?? width) : width
  return { column, cells, width: Math.max(widthOf(column.title), Math.min(width, most)) }
}

/** The columns that fit, with their cells cut to them: the least important go first, then names are cut, then what is left over. */
function fitted<Row>(all: readonly Filled<Row>[], room: number): Filled<Row>[] {
  if (!Number.isFinite(room)) return [...all]
  let kept = [...all]
  const wanted = ({ column, width }: Filled<Row>): number =>
    column.rest ? Math.min(width, LEAST_REST) : width
  const excess = (): number => kept.reduce((sum, each) => sum + wanted(each) + GAP, -GAP) - room
  while (excess() > 0) {
    const least = kept.reduce<Filled<Row> | undefined>(
      (found, each) =>
        (each.column.from ?? 0) > (found?.column.from ?? 0) && !each.column.rest ? each : found,
      undefined,
    )
    if (!least) break
    kept = kept.filter((each) => each !== least)
  }
  for (const each of [...kept].sort((a, b) => b.width - a.width)) {
    const over = excess()
    if (over <= 0) break
    if (!each.column.rest && each.column.align !== 'right')
      each.width = Math.max(Math.min(each.width, LEAST_NAME), each.width - over)
  }
  while (excess() > 0 && kept.length > 1) kept.pop()
  const others = kept.reduce((sum, { column, width }) => sum + (column.rest ? 0 : width + GAP), 0)
  return kept.map(({ column, cells, width }) => {
    const own = column.rest ? Math.max(Math.min(width, room), room - others) : width
    const most = column.rest ? Math.min(own, Math.max(LEAST_NAME, room - others)) : own
    return {
      column,
      width: most,
      cells: column.rest ? cells.map((cell) => cutTo(cell, most)) : cutNames(cells, most),
    }
  })
}

const oneLine = (text: string): string => printable(text.slice(0, 600)).replace(/\s+/g, ' ').trim()

/** As much of a text as fits into so many terminal columns. */
export function cutTo(text: string, width: number): string {
  const { index, truncated } = measure(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 })
  return truncated ? `${text.slice(0, index)}…` : text
}

/** `1.2 MB`, for people. */
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

/** Home as `~`. */
export const homely = (path: string, home: string): string =>
  home !== '' && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path

/** `146,828`. The system's own formatting takes a tenth of a second to load its rules. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `5 sessions`, `1 session`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
