import { styleText } from 'node:util'
import measure from 'fast-string-truncated-width'
import { printable } from '../condense/printable.ts'
import { largest } from '../model/lists.ts'
import type { Screen } from './command.ts'

export interface Column<Row> {
  title: string
  value(row: Row): string
  align?: 'right'
  /** Takes what is left, and is cut when that is little. */
  rest?: boolean
  /** Cut to this many columns. */
  most?: number
  /** Left out on screens narrower than this. */
  from?: number
  /** Left out where no row has anything to say in it. */
  sparse?: boolean
  paint?: Parameters<typeof styleText>[0]
}

const GAP = 2
const LEAST_REST = 20

/** Rows in columns that fit the screen. A screen of unknown width (a pipe) cuts nothing. */
export function* table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  screen: Screen,
): Generator<string> {
  const fitting = columns.filter(
    (column) =>
      (!screen.terminal || (column.from ?? 0) <= screen.columns) &&
      (!column.sparse || rows.some((row) => column.value(row) !== '')),
  )
  const cells = rows.map((row) => fitting.map((column) => oneLine(column.value(row), column.most)))
  const widths = fitting.map((column, index) =>
    largest(
      cells.map((row) => widthOf(row[index]!)),
      widthOf(column.title),
    ),
  )
  const rest = fitting.findIndex((column) => column.rest)
  if (rest >= 0) {
    const others = widths.reduce((sum, width, index) => (index === rest ? sum : sum + width + GAP), 0)
    widths[rest] = screen.terminal ? Math.max(LEAST_REST, screen.columns - others) : widths[rest]!
  }
  const line = (texts: readonly string[], heading: boolean): string =>
    texts
      .map((text, index) => {
        const column = fitting[index]!
        const last = index === fitting.length - 1
        const cut = column.rest && screen.terminal ? cutTo(text, widths[index]!) : text
        const gap = ' '.repeat(Math.max(0, widths[index]! - widthOf(cut)))
        const format = heading ? 'dim' : column.paint
        const shown = screen.color && format ? styleText(format, cut, { validateStream: false }) : cut
        return column.align === 'right' ? gap + shown : last ? shown : shown + gap
      })
      .join(' '.repeat(GAP))
  yield `${line(
    fitting.map((column) => column.title),
    true,
  )}\n`
  for (const row of cells) yield `${line(row, false)}\n`
}

const oneLine = (text: string, most = Number.POSITIVE_INFINITY): string => {
  const line = printable(text.slice(0, 600)).replace(/\s+/g, ' ').trim()
  return cutTo(line, most)
}

/** Terminal columns: wide and joined characters count as they are drawn. */
const widthOf = (text: string): number => measure(text).width

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
