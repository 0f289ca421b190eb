import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { ClientSelect, ProjectSelect } from '../../parts/scope-selects.tsx'
import { Check, Select, Words } from '../../parts/select.tsx'
import { marksAvailable } from '../../state/marks.ts'
import { query, setQuery } from '../../state/router.ts'
import { loadTags, tags } from '../../state/tags.ts'
import { weekHourIn, weekHourName } from '../../text/week.ts'
import { hasFilters, KINDS, SINCE, SORTS, withoutFilters } from './filters.ts'

const MORE = ['agent', 'model', 'branch', 'platform', 'until', 'deleted', 'backups'] as const

/** Every filter of the list. All of them are in the address. */
export function FilterBar({ agents }: { agents: readonly string[] }) {
  useEffect(() => {
    void loadTags().catch(() => {})
  }, [])
  const known = tags.value ?? []
  const isOpen = useSignal(MORE.some((name) => query(name) !== ''))
  const set = (name: string) => (value: string) => setQuery({ [name]: value })
  const hour = weekHourIn(query('hour'))
  const isOn = (name: string) => query(name) === 'true'
  const flip = (name: string) => (on: boolean) => setQuery({ [name]: on ? 'true' : '' })
  return (
    <search class="filters" aria-label="Filters">
      <div class="filter-row">
        <Words
          label="Title"
          value={query('title')}
          placeholder="Words in the title"
          onChange={set('title')}
        />
        <ProjectSelect />
        <Select label="Kind" value={query('kind')} options={KINDS} onChange={set('kind')} />
        <Select label="Active since" value={query('since')} options={SINCE} onChange={set('since')} />
        {known.length > 0 && (
          <Select
            label="Tag"
            value={query('tag')}
            options={[
              { value: '', label: 'Any or none' },
              ...known.map(({ tag }) => ({ value: tag, label: tag })),
            ]}
            onChange={set('tag')}
          />
        )}
        <Select label="Order" value={query('sort')} options={SORTS} onChange={set('sort')} />
        <Button
          label={isOpen.value ? 'Fewer filters' : 'More filters'}
          expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        />
      </div>
      {isOpen.value && (
        <div class="filter-row">
          <ClientSelect />
          <Select
            label="Agent"
            value={query('agent')}
            options={[
              { value: '', label: 'Every agent' },
              ...agents.map((name) => ({ value: name, label: name })),
            ]}
            onChange={set('agent')}
          />
          <Words label="Model" value={query('model')} placeholder="opus, sonnet-4" onChange={set('model')} />
          <Words
            label="Git branch"
            value={query('branch')}
            placeholder="Part of its name"
            onChange={set('branch')}
          />
          <label class="field">
            <span>Started until</span>
            <input
              type="date"
              value={query('until')}
              onChange={(event) => set('until')(event.currentTarget.value)}
            />
          </label>
        </div>
      )}
      <div class="filter-chips">
        <Check
          label="Group by project"
          on={query('group') === 'project'}
          onChange={(on) => setQuery({ group: on ? 'project' : '' })}
        />
        {marksAvailable.value && <Check label="Starred" on={isOn('starred')} onChange={flip('starred')} />}
        {hour && <Chosen label={`Going on ${weekHourName(hour)}`} name="hour" />}
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

/** A filter without a control of its own, and how to remove it. */
function Chosen({ label, name }: { label: string; name: string }) {
  return (
    <button type="button" class="chip" data-on onClick={() => setQuery({ [name]: '' })}>
      {label}
      <span aria-hidden="true">×</span>
      <span class="unseen">, remove this filter</span>
    </button>
  )
}
