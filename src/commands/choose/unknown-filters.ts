import { type FilterLists, noFilters, type SessionFacts, selectsSession } from '../../search/query.ts'
import { slipsBetween } from '../../search/words.ts'
import type { SearchRequest } from '../../store/search.ts'
import type { Store } from '../../store/store.ts'

/** How many existing names are listed. */
const SOME = 6
const SLIPS = 2
const NAMES = ['project', 'agent', 'platform', 'session', 'branch', 'tag', 'device', 'person'] as const

/** Reports each value of a filter that no session matches, and suggests existing ones. */
export function unknownFilters(
  filters: FilterLists & { without: FilterLists },
  store: Pick<Store, 'sessionFacts'>,
  { roots, annotations }: Required<Pick<SearchRequest, 'roots'>> & Pick<SearchRequest, 'annotations'>,
): string[] {
  const { without } = filters
  if (!NAMES.some((name) => filters[name].length + without[name].length > 0)) return []
  const branches = filters.branch.length + without.branch.length > 0
  const sessions: SessionFacts[] = store
    .sessionFacts(roots, { branches })
    .map((facts) => ({ ...facts, annotation: annotations?.get(facts.session) }))
  if (sessions.length === 0) return []
  return NAMES.flatMap((name) =>
    [...new Set([...filters[name], ...without[name]])]
      .filter(
        (value) => !sessions.some((session) => selectsSession({ ...noFilters(), [name]: [value] }, session)),
      )
      .map((value) =>
        `${name}:${value}: no such ${name} in any session. ${instead(name, value, sessions)}`.trim(),
      ),
  )
}

function valuesOf(session: SessionFacts, name: (typeof NAMES)[number]): readonly (string | undefined)[] {
  if (name === 'branch') return session.branches ?? []
  if (name === 'tag') return session.annotation?.tags ?? []
  return [session[name] ?? undefined]
}

function instead(name: (typeof NAMES)[number], value: string, sessions: readonly SessionFacts[]): string {
  if (name === 'session') return ''
  const names = new Map<string, number>()
  for (const session of sessions)
    for (const each of valuesOf(session, name))
      if (each !== undefined) names.set(each, (names.get(each) ?? 0) + 1)
  const wanted = value.toLowerCase()
  const near = [...names.keys()].filter((each) => slipsBetween(each.toLowerCase(), wanted, SLIPS) <= SLIPS)
  if (near.length > 0) return `Did you mean ${near.slice(0, SOME).join(', ')}?`
  const most = [...names].sort((one, other) => other[1] - one[1]).map(([each]) => each)
  if (most.length === 0) return ''
  return `Known: ${most.slice(0, SOME).join(', ')}${most.length > SOME ? `, and ${most.length - SOME} more` : ''}.`
}
