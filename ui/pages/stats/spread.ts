import type { Column } from '../../parts/column.ts'

type Unit = 'day' | 'week' | 'month'

export interface Spread {
  unit: Unit
  columns: readonly Column[]
}

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Weeks are named by their Monday: 1 January 1970 was a Thursday. */
const weekOf = (day: string): string => {
  const number = Date.parse(day) / DAY_MS
  return dayText((number - ((number + 3) % 7)) * DAY_MS)
}

/** From the shortest: what a day belongs to, and how the following one is named. */
const UNITS: readonly { unit: Unit; of(day: string): string; next(name: string): string }[] = [
  { unit: 'day', of: (day) => day, next: (name) => dayText(Date.parse(name) + DAY_MS) },
  { unit: 'week', of: weekOf, next: (name) => dayText(Date.parse(name) + 7 * DAY_MS) },
  {
    unit: 'month',
    of: (day) => day.slice(0, 7),
    next: (name) => dayText(Date.parse(`${name}-01`) + 31 * DAY_MS).slice(0, 7),
  },
]

/**
 * Columns of days as a time axis, on which empty days have their place, too. If there were more than `most`,
 * the columns are those of weeks or months. Columns without a day are left out.
 */
export function spread(days: readonly Column[], most: number): Spread {
  const dated = days.filter(({ name }) => DAY.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const [first, last] = [dated[0], dated.at(-1)]
  if (!first || !last) return { unit: 'day', columns: [] }
  for (const { unit, of, next } of UNITS) {
    const end = of(last.name)
    const columns = new Map<string, number[]>()
    for (let name = of(first.name); columns.size <= most && name <= end; name = next(name))
      columns.set(
        name,
        first.parts.map(() => 0),
      )
    if (columns.size > most) continue
    for (const { name, parts } of dated) {
      const sums = columns.get(of(name))!
      for (const [index, part] of parts.entries()) sums[index]! += part
    }
    return { unit, columns: [...columns].map(([name, parts]) => ({ name, parts })) }
  }
  // A single day in another age would make all others invisible.
  return { unit: 'day', columns: dated.slice(-most) }
}
