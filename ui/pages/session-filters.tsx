import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Address, ask } from '../api/ask.ts'
import { stated } from '../api/use-answer.ts'
import { Check, Select, Words } from '../parts/controls.tsx'
import {
  AgentSelect,
  Chosen,
  ClientSelect,
  DayField,
  MoreFilters,
  named,
  ProjectSelect,
  SpanSelect,
  useChoices,
} from '../parts/filters.tsx'
import { loadTags, marksAvailable, tags } from '../state/marks.ts'
import { query, setQuery } from '../state/router.ts'
import { momentOf, readerZone, weekHourIn, weekHourName } from '../text/times.ts'

const MORE = ['agent', 'model', 'branch', 'platform', 'until', 'deleted', 'backups'] as const

/** Every filter of the list. All of them are in the address. */
export function FilterBar() {
  useEffect(() => {
    void loadTags().catch(() => {})
  }, [])
  const known = tags.value ?? []
  const choices = useChoices()
  const kind = query('kind')
  const isOpen = useSignal(MORE.some((name) => query(name) !== '') || query('kind').includes(','))
  const set = (name: string) => (value: string) => setQuery({ [name]: value })
  const hour = weekHourIn(query('hour'))
  const isOn = (name: string) => query(name) === 'true'
  const flip = (name: string) => (on: boolean) => setQuery({ [name]: on ? 'true' : '' })
  return (
    <search class="filters" aria-label="Filters">
      <div class="filter-row">
        <Words label="Title" value={query('title')} placeholder="Words" onChange={set('title')} />
        <ProjectSelect />
        <Select
          label="Kind"
          value={kind}
          options={[
            { value: '', label: 'Every kind' },
            ...KINDS,
            ...(kind.includes(',') ? [{ value: kind, label: 'Several kinds' }] : []),
          ]}
          onChange={set('kind')}
        />
        <SpanSelect label="Active since" options={SINCE} />
        <DayField label="Active from" name="since" />
        <Select
          label="Tag"
          value={query('tag')}
          options={named(
            'Any or none',
            known.map(({ tag }) => tag),
          )}
          onChange={set('tag')}
        />
        <Select label="Order" value={query('sort')} options={SORTS} onChange={set('sort')} />
        <MoreFilters isOpen={isOpen} />
      </div>
      {isOpen.value && (
        <div class="filter-row">
          <ClientSelect />
          <AgentSelect />
          <Words
            label="Model"
            value={query('model')}
            placeholder="opus, sonnet-4"
            known={choices?.models}
            onChange={set('model')}
          />
          <Words
            label="Git branch"
            value={query('branch')}
            placeholder="Part of its name"
            known={choices?.branches}
            onChange={set('branch')}
          />
          <DayField label="Started before" name="until" />
        </div>
      )}
      {isOpen.value && <KindChecks />}
      <div class="filter-chips">
        <Check
          label="Group by project"
          on={query('group') === 'project'}
          onChange={(on) => setQuery({ group: on ? 'project' : '' })}
        />
        {marksAvailable.value && <Check label="Starred" on={isOn('starred')} onChange={flip('starred')} />}
        {hour && <Chosen label={`Active on ${weekHourName(hour)}`} onRemove={() => setQuery({ hour: '' })} />}
        {isOpen.value && (
          <>
            <Check label="Deleted sessions too" on={isOn('deleted')} onChange={flip('deleted')} />
            <Check label="Backups too" on={isOn('backups')} onChange={flip('backups')} />
          </>
        )}
        {hasFilters() && (
          <button type="button" class="quiet" onClick={() => setQuery(withoutFilters())}>
            Clear all filters
          </button>
        )}
      </div>
    </search>
  )
}

/** Several kinds at once, as the command line takes them: separated by commas. */
function KindChecks() {
  const chosen = query('kind').split(',').filter(Boolean)
  const flip = (kind: string) => (on: boolean) =>
    setQuery({ kind: (on ? [...chosen, kind] : chosen.filter((each) => each !== kind)).join(',') })
  return (
    <fieldset class="checks">
      <legend>Kinds</legend>
      {KINDS.map(({ value, label }) => (
        <Check key={value} label={label} on={chosen.includes(value)} onChange={flip(value)} />
      ))}
    </fieldset>
  )
}

/** The filters of the list that the server applies, by the name of the command's parameter. */
const FILTERS = [
  'project',
  'platform',
  'agent',
  'kind',
  'model',
  'branch',
  'title',
  'since',
  'until',
  'deleted',
  'backups',
  'tag',
  'starred',
  'hour',
] as const

export const SORTS = [
  { value: '', label: 'Last activity' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'size', label: 'Size' },
  { value: 'duration', label: 'Duration' },
] as const

const SINCE = [
  { value: '', label: 'Any time' },
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '365d', label: 'Last year' },
] as const

const KINDS = [
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
