import { DatabaseSync } from 'node:sqlite'
import type { DayFigures, FiguresRequest, ZoneSpan } from '../src/store/figures.ts'
import { sumUp } from '../src/store/sqlite/figures/figures.ts'
import type { Store } from '../src/store/store.ts'

/** Half an hour off the full hours, and an hour less from the middle of the invented days on. */
export const ODD_ZONE: readonly ZoneSpan[] = [
  { fromMs: Number.MIN_SAFE_INTEGER, offsetMs: 5.5 * 3_600_000 },
  { fromMs: Date.UTC(2026, 10, 1, 19), offsetMs: 4.5 * 3_600_000 },
]

/** The cached sums of the store, and the same sums computed again, both in order. */
export function figuresTwice(
  store: Store,
  wanted: FiguresRequest,
): [cached: DayFigures[], recomputed: DayFigures[]] {
  const { zone, fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = wanted
  const database = new DatabaseSync(store.path, { readOnly: true })
  try {
    const recomputed = sumUp(database, zone, [Math.max(fromMs, 0), Math.min(untilMs + 1, 8.64e15)])
    const timeless = wanted.fromMs === undefined && wanted.untilMs === undefined
    if (timeless) recomputed.push(...sumUp(database, zone, undefined))
    return [inOrder(store.figures(wanted)), inOrder(recomputed)]
  } finally {
    database.close()
  }
}

/** Days without activity may be present or missing. */
const inOrder = (days: readonly DayFigures[]): DayFigures[] =>
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
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
