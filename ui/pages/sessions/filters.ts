import { type Address, ask } from '../../api/ask.ts'
import { stated } from '../../api/stated.ts'
import { query } from '../../state/router.ts'
import { momentOf } from '../../text/days.ts'
import { readerZone } from '../../text/zone.ts'

/** The filters of the list that the server applies, by the name of the command's parameter. */
const FILTERS = [
  ...['project', 'platform', 'agent', 'kind', 'model', 'branch', 'title', 'since', 'until'],
  ...['deleted', 'backups', 'tag', 'starred', 'hour'],
] as const

export const SORTS = [
  { value: '', label: 'Last activity' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'size', label: 'Size' },
  { value: 'duration', label: 'Duration' },
] as const

export const SINCE = [
  { value: '', label: 'Any time' },
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '365d', label: 'Last year' },
] as const

export const KINDS = [
  { value: 'human', label: 'With a human' },
  { value: 'cron', label: 'Scheduled' },
  { value: 'subagent', label: 'Subagents' },
  { value: 'heartbeat', label: 'Heartbeats' },
  { value: 'hook', label: 'Hooks' },
  { value: 'program', label: 'Programs' },
  { value: 'prompted', label: 'By another agent' },
  { value: 'script', label: 'Scripts' },
] as const

export const hasFilters = (): boolean => FILTERS.some((name) => query(name) !== '')

export const withoutFilters = (): Record<string, string> =>
  Object.fromEntries(FILTERS.map((name) => [name, '']))

/** The endpoint with the filters of the page's address. Days are those of the reader. */
export function listAddress(): Address<'listing'> {
  return ask('listing', {
    ...stated<'listing'>([...FILTERS, 'sort']),
    since: momentOf(query('since'), 'since'),
    until: momentOf(query('until'), 'until'),
    timezone: query('hour') === '' ? undefined : readerZone(),
    byProject: query('group') === 'project',
    // With a project, this would add those whose name only contains its name.
    all: query('project') === '',
  })
}
