import { type Summed, tokensOf } from './sum.ts'

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
