import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Chosen } from '../../parts/chosen.tsx'
import { memo } from '../../parts/memo.ts'
import { MoreFilters } from '../../parts/more-filters.tsx'
import { CLIENTS, useChoices, useProjects } from '../../parts/scope-selects.tsx'
import { Check, Select, Words } from '../../parts/select.tsx'
import { DayField, SpanSelect } from '../../parts/span-fields.tsx'
import { marksAvailable } from '../../state/marks.ts'
import { query, setQuery } from '../../state/router.ts'
import { loadTags, tags } from '../../state/tags.ts'
import {
  type ControlName,
  hasFilters,
  heldFilters,
  setControl,
  shownValue,
  withoutFilters,
} from './narrowing.ts'
import { filtersIn, without } from './query-filters.ts'

const VOICES = [
  { value: '', label: 'Everybody' },
  { value: 'human', label: 'Human' },
  { value: 'agent', label: 'Agent' },
  { value: 'program', label: 'Program' },
  { value: 'tool', label: 'Tool calls' },
  { value: 'error', label: 'Errors' },
  { value: 'memory', label: 'Memory' },
] as const

const SINCE = [
  { value: '', label: 'Any time' },
  { value: '1d', label: 'Last day' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '365d', label: 'Last year' },
] as const

const MORE = ['agent', 'tag', 'branch', 'tool', 'file', 'until', 'deleted', 'backups'] as const

const named = (any: string, values: readonly string[]) => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: value })),
]

interface FiltersProperties {
  /** The words of the query, which may contain filters as well. */
  text: Signal<string>
  setText(text: string): void
}

/**
 * What narrows a search down: filters in the words and in the address, as controls and as chips. It is drawn again
 * when a filter changes, not for each key.
 */
export const Filters = memo(drawFilters, () => true)

function drawFilters({ text, setText }: FiltersProperties) {
  useEffect(() => {
    void loadTags().catch(() => {})
  }, [])
  const projects = useProjects()
  const choices = useChoices()
  const isOpen = useSignal(MORE.some((name) => query(name) !== ''))
  const inWords = useComputed(() => JSON.stringify(filtersIn(text.value)))
  const words = inWords.value === '[]' ? '' : text.peek()
  const control = (name: ControlName) => ({
    value: shownValue(name, words),
    onChange: (value: string) => setControl(name, value, text.peek(), setText),
  })
  const flag = (name: string) => ({
    on: query(name) === 'true',
    onChange: (on: boolean) => setQuery({ [name]: on ? 'true' : '' }),
  })
  const held = heldFilters(words, setText)
  const clear = () => {
    setText(without(text.peek(), filtersIn(text.peek())))
    setQuery(withoutFilters())
  }
  return (
    <div class="filters">
      <div class="filter-row">
        <Select label="Who" options={VOICES} {...control('who')} />
        <Select
          label="Project"
          options={named(
            'Every project',
            projects.map(({ name }) => name),
          )}
          {...control('project')}
        />
        <Select label="Client" options={CLIENTS} {...control('platform')} />
        <SpanSelect label="When" options={SINCE} />
        <Select
          label="Order"
          value={query('sort')}
          options={[
            { value: '', label: 'Best match first' },
            { value: 'newest', label: 'Newest first' },
          ]}
          onChange={(sort) => setQuery({ sort })}
        />
        <MoreFilters isOpen={isOpen} />
      </div>
      {isOpen.value && (
        <div class="filter-row">
          <Select label="Agent" options={named('Every agent', choices?.agents ?? [])} {...control('agent')} />
          <Select
            label="Tag"
            options={named(
              'Any or none',
              (tags.value ?? []).map(({ tag }) => tag),
            )}
            {...control('tag')}
          />
          <Words
            label="Git branch"
            placeholder="Part of its name"
            known={choices?.branches}
            {...control('branch')}
          />
          <Words label="Tool" placeholder="Bash, Edit" {...control('tool')} />
          <Words label="File" placeholder="src/auth.ts" {...control('file')} />
          <DayField label="From" name="since" />
          <DayField label="Until" name="until" />
        </div>
      )}
      <div class="filter-chips">
        <Check label="Tool output too (slower)" {...flag('raw')} />
        {marksAvailable.value && <Check label="Starred" {...flag('starred')} />}
        {isOpen.value && (
          <>
            <Check label="Deleted sessions too" {...flag('deleted')} />
            <Check label="Backups too" {...flag('backups')} />
          </>
        )}
        {held.map(({ key, label, remove }) => (
          <Chosen key={key} label={label} onRemove={remove} />
        ))}
        {(held.length > 0 || hasFilters()) && (
          <button type="button" class="quiet" onClick={clear}>
            Clear all filters
          </button>
        )}
      </div>
    </div>
  )
}
