import type { DatabaseSync } from 'node:sqlite'
import type { DayFigures, FiguresRequest, ZoneSpan } from '../src/store/figures.ts'
import { sumUp } from '../src/store/sqlite/figures.ts'
import type { Store } from '../src/store/store.ts'

/** Half an hour off the full hours, and an hour less from the middle of the invented days on. */
export const ODD_ZONE: readonly ZoneSpan[] = [
  { fromMs: Number.MIN_SAFE_INTEGER, offsetMs: 5.5 * 3_600_000 },
  { fromMs: Date.UTC(2026, 10, 1, 19), offsetMs: 4.5 * 3_600_000 },
]

/** The sums of a SQLite store, computed again. */
export function sumsAgain(database: DatabaseSync, wanted: FiguresRequest): DayFigures[] {
  const { zone, fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = wanted
  const recomputed = sumUp(database, zone, [Math.max(fromMs, 0), Math.min(untilMs + 1, 8.64e15)])
  const timeless = wanted.fromMs === undefined && wanted.untilMs === undefined
  return timeless ? [...recomputed, ...sumUp(database, zone, undefined)] : recomputed
}

/** The sums of the store, and the same sums computed in another way, both in order. */
export const figuresTwice = (
  store: Store,
  audit: { figures(wanted: FiguresRequest): DayFigures[] },
  wanted: FiguresRequest,
): [sums: DayFigures[], recomputed: DayFigures[]] => [
  inOrder([...store.figures(wanted)]),
  inOrder(audit.figures(wanted)),
]

/** Days without activity may be present or missing. */
export const inOrder = (days: readonly DayFigures[]): DayFigures[] =>
  days
    .filter((figures) => listsOf(figures).some((list) => list.length > 0))
    .map(({ day, ...lists }) => ({
      day,
      ...(Object.fromEntries(
        Object.entries(lists).map(([name, list]) => [name, sorted(list)]),
      ) as typeof lists),
    }))
    .sort((a, b) => (a.day ?? -1) - (b.day ?? -1))

const listsOf = ({ usage, messages, hours, touched }: DayFigures): readonly (readonly unknown[])[] => [
  usage,
  messages,
  hours,
  touched,
]

const sorted = (list: readonly unknown[]): unknown[] =>
  list
    .map((row) => ({ row, key: JSON.stringify(Object.entries(row as object).sort()) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row)
