import type { Context } from '../context/context.ts'
import type { SessionFlags } from '../context/filters.ts'
import {
  type FactNeeds,
  filterNames,
  needsOf,
  SESSION_LISTS,
  type SessionFacts,
  type SessionFilter,
  selectsSession,
} from '../model/session-filter.ts'
import { slipsBetween } from '../model/slips.ts'
import { type Filters, noFilters } from '../search/query.ts'
import type { Search } from '../store/store.ts'

/** How many existing names are listed. */
const SOME = 6
const SLIPS = 2

type Lists = Record<(typeof SESSION_LISTS)[number], readonly string[]>

/** Reports each value of a filter that no session matches, and suggests existing ones. */
export function unknownFilters(
  filters: Lists & { without: Lists },
  all: (needs: FactNeeds) => readonly SessionFacts[],
): string[] {
  const { without } = filters
  if (!SESSION_LISTS.some((name) => filters[name].length + without[name].length > 0)) return []
  const sessions = all(needsOf(filters, without))
  if (sessions.length === 0) return []
  return SESSION_LISTS.flatMap((name) =>
    [...new Set([...filters[name], ...without[name]])]
      .filter((value) => !sessions.some((session) => selectsSession({ [name]: [value] }, session)))
      .map((value) =>
        `${name}:${value}: no such ${name} in any session. ${instead(name, value, sessions)}`.trim(),
      ),
  )
}

function valuesOf(
  session: SessionFacts,
  name: (typeof SESSION_LISTS)[number],
): readonly (string | undefined)[] {
  if (name === 'branch') return session.branches ?? []
  if (name === 'tag' || name === 'kind') return filterNames[name](session)
  return [session[name] ?? undefined]
}

function instead(
  name: (typeof SESSION_LISTS)[number],
  value: string,
  sessions: readonly SessionFacts[],
): string {
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

/** Reports each tool of a filter that no session used. */
export function unknownTools(
  { tool, without }: Filters,
  store: Pick<Search, 'search'>,
  { now, suggest }: Pick<Context, 'now' | 'suggest'>,
): string[] {
  const isUsed = (name: string): boolean =>
    store.search({
      query: { text: '', filters: { ...noFilters(), tool: [name] }, remarks: [] },
      limit: 1,
      now,
      deleted: true,
      backups: true,
    }).total > 0
  const unknown = [...new Set([...tool, ...without.tool])].filter((name) => !isUsed(name))
  const tools = suggest('stats', [], { flag: '--by', values: ['tool'] })
  return unknown.map((name) => `tool:${name}: no such tool in any session. Those there are: ${tools}`)
}

const NAMING = ['branch', 'model', 'tag'] as const satisfies readonly (keyof SessionFilter)[]

/** Reports each of these flags that no session matches, and suggests existing names. */
export function unknownFlags(
  input: SessionFlags & { platform?: string | undefined },
  sessions: readonly SessionFacts[],
): string[] {
  if (sessions.length === 0) return []
  const isNone = (filter: SessionFilter): boolean =>
    !sessions.some((session) => selectsSession(filter, session))
  const { title, agent, platform } = input
  const where = agent === undefined && platform === undefined ? '' : ' of this agent'
  return [
    ...NAMING.flatMap((name) => {
      const value = input[name]
      return value === undefined || !isNone({ [name]: [value] })
        ? []
        : `--${name}: no session${where} has the ${name} "${value}". ${instead(name, value, sessions)}`.trim()
    }),
    ...(title !== undefined && isNone({ title }) ? [`--title: no title${where} contains "${title}".`] : []),
  ]
}
