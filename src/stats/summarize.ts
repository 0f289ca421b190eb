import type { DayFigures } from '../store/figures.ts'
import {
  costOf,
  createRows,
  createSum,
  type Owner,
  type PriceOf,
  type StatsRow,
  type Summed,
  tokensOf,
  UNKNOWN,
} from './sum.ts'
import { dayName, monthName, weekdayOf, weekName } from './zone.ts'

interface Summary {
  totals: Summed
  /** Unordered. For rows by day and project, with both parts of the key. */
  rows: (StatsRow & { day?: string; project?: string })[]
  /** Over all rows, as far as it counts for this kind of row. */
  rowTotal: Summed
  tools: { name: string; calls: number; errors: number }[]
  files: { path: string; count: number }[]
  /** Human messages by hour of the day. */
  hours: number[]
  /** The same for each day of the week, from Monday to Sunday. */
  weekHours: number[][]
  activeDays: number
}

const NOBODY = '(no time)'
const TIME_NAMES = { day: dayName, week: weekName, month: monthName }
const DAY_MS = 86_400_000
const FILES = 20

const noHours = (): number[] => Array.from({ length: 24 }, () => 0)

/**
 * Sums figures by owner and skips files without one. Block rows are made in blocks.ts, because they need
 * minutes.
 */
export function summarize(
  figures: Iterable<DayFigures>,
  ownerOf: (artifact: number) => Owner | undefined,
  by: Dimension,
  priceOf: PriceOf,
): Summary {
  const totals = createSum()
  const rows = createRows()
  const parts = new Map<string, { day: string; project: string }>()
  const tools = new Map<string, { calls: number; errors: number }>()
  const days = new Set<number>()
  const hours = noHours()
  const weekHours = Array.from({ length: 7 }, noHours)
  const files = new Map<string, { path: string; count: number }>()
  for (const { day, usage, messages, hours: byHour, touched } of figures) {
    const at = day === null ? new Date() : new Date(day * DAY_MS)
    const keyOf = keysOf(by, day, parts)
    for (const figure of usage) {
      const owner = ownerOf(figure.artifact)
      if (!owner) continue
      const cost = costOf(figure, at, priceOf)
      totals.usage(owner, figure, cost)
      if (by === 'tool' || by === 'block') continue
      rows.usage(keyOf(owner, figure.model ?? UNKNOWN), owner, figure, cost, by === 'model')
    }
    for (const figure of messages) {
      const { artifact, who, tool, count } = figure
      const owner = ownerOf(artifact)
      if (!owner) continue
      totals.messages(owner, figure)
      if (day !== null) days.add(day)
      const name = tool ?? UNKNOWN
      const used = who === 'tool' || who === 'error'
      if (used) {
        const counts = tools.get(name) ?? { calls: 0, errors: 0 }
        counts[who === 'tool' ? 'calls' : 'errors'] += count
        tools.set(name, counts)
      }
      if (by === 'tool' ? used : by !== 'model' && by !== 'block')
        rows.messages(keyOf(owner, name), owner, figure)
    }
    for (const { artifact, hour, count } of byHour) {
      if (!ownerOf(artifact)) continue
      hours[hour]! += count
      if (day !== null) weekHours[weekdayOf(day)]![hour]! += count
    }
    for (const { artifact, path, count } of touched) {
      if (!ownerOf(artifact)) continue
      const file = files.get(path)
      if (file) file.count += count
      else files.set(path, { path, count })
    }
  }
  const made = rows.done()
  return {
    totals: totals.done(),
    rows: made.rows.map((row) => ({ ...row, ...parts.get(row.key) })),
    rowTotal: made.rowTotal,
    tools: [...tools]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
    files: [...files.values()]
      .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
      .slice(0, FILES),
    hours,
    weekHours,
    activeDays: days.size,
  }
}

/** The keys of the rows of one day. Adds the parts of a composed key to `parts`. */
function keysOf(
  by: Dimension,
  day: number | null,
  parts: Map<string, { day: string; project: string }>,
): (owner: Owner, name: string) => string {
  switch (by) {
    case 'day':
    case 'week':
    case 'month': {
      const time = day === null ? NOBODY : TIME_NAMES[by](day)
      return () => time
    }
    case 'project-day': {
      const time = day === null ? NOBODY : dayName(day)
      return ({ project }) => {
        const key = `${time} ${project}`
        if (!parts.has(key)) parts.set(key, { day: time, project })
        return key
      }
    }
    case 'model':
    case 'tool':
      return (_, name) => name
    case 'block':
      return () => NOBODY
    case 'session':
      return ({ session }) => session
    case 'project':
      return ({ project }) => project
    case 'agent':
      return ({ agent }) => agent
    case 'platform':
      return ({ platform }) => platform
    case 'device':
    case 'person':
      return (owner) => owner[by] ?? '(this machine)'
  }
}

export const DIMENSIONS = [
  ...(['day', 'week', 'month', 'block', 'model', 'project', 'project-day'] as const),
  ...(['session', 'tool', 'agent', 'platform', 'device', 'person'] as const),
] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** For these dimensions the newest rows matter, for all others the largest. */
export const isTimed = (by: Dimension): boolean =>
  by === 'day' || by === 'week' || by === 'month' || by === 'block' || by === 'project-day'

type Keyed = Summed & { key: string; day?: string }

const timeOf = ({ day, key }: Keyed): string => day ?? key

/** Oldest first, or smallest first by cost and tokens. */
const ascending =
  (by: Dimension) =>
  (one: Keyed, other: Keyed): number => {
    if (isTimed(by) && timeOf(one) !== timeOf(other)) return timeOf(one) < timeOf(other) ? -1 : 1
    return (
      (one.cost ?? 0) - (other.cost ?? 0) ||
      tokensOf(one) - tokensOf(other) ||
      one.toolCalls - other.toolCalls ||
      (one.key < other.key ? 1 : -1)
    )
  }

/** The newest or largest rows, up to `limit`, in the requested order. */
export function chosenRows<Row extends Keyed>(
  rows: readonly Row[],
  { by, limit, order }: { by: Dimension; limit: number; order: 'asc' | 'desc' },
): Row[] {
  const sorted = rows.toSorted(ascending(by))
  const most = limit === 0 ? sorted : sorted.slice(-limit)
  return order === 'asc' ? most : most.reverse()
}
