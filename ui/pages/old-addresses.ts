import { queries, query, setQuery } from '../state/router.ts'
import { isDay, nextDay } from '../text/times.ts'
import { withFilters } from './query-filters.ts'

/** Parameters that are filters of the query now. Addresses with them are in bookmarks. */
const FILTERS = ['project', 'platform', 'agent', 'model', 'branch', 'tag', 'who', 'tool', 'file'] as const
const OTHERS = ['kind', 'title', 'since', 'until', 'starred'] as const

/** Before anything is asked: moves filters from parameters of their own into the query of the address. */
export function takeOldFilters(): void {
  const old = queries([...FILTERS, ...OTHERS])
  if (Object.keys(old).length === 0) return
  const { kind = '', title = '', since = '', until = '', starred } = old
  const filters = Object.fromEntries(FILTERS.map((name) => [name, old[name] ?? '']))
  const before = isDay(until) ? nextDay(until, 1) : until
  let text = [query('q'), title].filter(Boolean).join(' ')
  for (const [name, value] of Object.entries({ ...filters, after: since, before }))
    if (value !== '') text = withFilters(text, { [name]: value })
  const rest = kind
    .split(',')
    .filter(Boolean)
    .map((each) => `kind:${each}`)
  text = [text, ...rest, ...(starred === 'true' ? ['is:starred'] : [])].filter(Boolean).join(' ')
  setQuery({ q: text, ...Object.fromEntries([...FILTERS, ...OTHERS].map((name) => [name, ''])) })
}
