import { noFilters } from '../search/filters.ts'
import { isPlaced, type Placed } from '../search/placed.ts'
import type { FilterLists } from '../search/query.ts'
import { slipsBetween } from '../search/slips.ts'
import type { Store } from '../store/store.ts'

/** So many names are told of those that there are. */
const SOME = 6
const SLIPS = 2
const NAMES = ['project', 'agent', 'platform', 'session', 'branch'] as const

/** For each place that a query names and no session is of: that it is unknown, and what there is instead. */
export function unknownPlaces(
  filters: FilterLists & { without: FilterLists },
  store: Pick<Store, 'sessions'>,
  roots: readonly string[],
): string[] {
  const { without } = filters
  if (!NAMES.some((name) => filters[name].length + without[name].length > 0)) return []
  const places: Placed[] = store.sessions(roots).map(({ session, project, folder }) => ({
    session: session.id,
    platform: session.platform,
    agent: session.agent,
    project: project ?? null,
    folder: folder ?? null,
    branches: session.branches ?? [],
  }))
  if (places.length === 0) return []
  return NAMES.flatMap((name) =>
    [...new Set([...filters[name], ...without[name]])]
      .filter((value) => !places.some((place) => isPlaced({ ...noFilters(), [name]: [value] }, place)))
      .map((value) =>
        `${name}:${value} is not known: no session is of it. ${instead(name, value, places)}`.trim(),
      ),
  )
}

function instead(name: (typeof NAMES)[number], value: string, places: readonly Placed[]): string {
  if (name === 'session') return ''
  const names = new Map<string, number>()
  for (const place of places)
    for (const each of name === 'branch' ? (place.branches ?? []) : [place[name] ?? undefined])
      if (each !== undefined) names.set(each, (names.get(each) ?? 0) + 1)
  const wanted = value.toLowerCase()
  const near = [...names.keys()].filter((each) => slipsBetween(each.toLowerCase(), wanted, SLIPS) <= SLIPS)
  if (near.length > 0) return `Did you mean ${near.slice(0, SOME).join(', ')}?`
  const most = [...names].sort((one, other) => other[1] - one[1]).map(([each]) => each)
  if (most.length === 0) return ''
  return `There are ${most.slice(0, SOME).join(', ')}${most.length > SOME ? `, and ${most.length - SOME} more` : ''}.`
}
