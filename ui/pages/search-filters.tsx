import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ParametersOf } from '../api/ask.ts'
import { stated } from '../api/use-answer.ts'
import { Check, Select, Words } from '../parts/controls.tsx'
import {
  Chosen,
  CLIENTS,
  DayField,
  MoreFilters,
  named,
  SpanSelect,
  useChoices,
  useProjects,
} from '../parts/filters.tsx'
import { memo } from '../parts/memo.ts'
import { loadTags, marksAvailable, tags } from '../state/marks.ts'
import { query, setQuery } from '../state/router.ts'
import { momentOf } from '../text/times.ts'
import { filtersIn, type NamedFilter, without, written } from './query-filters.ts'

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

/** Filters of a query that have a control, and are then in the address by the same name. */
const NAMES = ['who', 'project', 'platform', 'agent', 'tag', 'branch', 'tool', 'file'] as const

type ControlName = (typeof NAMES)[number]

/** What the endpoint takes besides the query. */
const OTHERS = ['since', 'until', 'starred', 'deleted', 'backups', 'raw'] as const

/** The query as the server understands it: the words, and the filters of the address. */
export function fullQuery(words: string): string {
  const filters = NAMES.flatMap((name) => (query(name) === '' ? [] : [written(name, query(name))]))
  return [words.trim(), ...filters, ...(query('starred') === 'true' ? ['is:starred'] : [])]
    .filter(Boolean)
    .join(' ')
}

/** The parameters of the endpoint for the rest of the address. Days are those of the reader. */
export const searchParameters = (): ParametersOf<'search'> => ({
  ...stated<'search'>(['sort']),
  since: momentOf(query('since'), 'since'),
  until: momentOf(query('until'), 'until'),
  raw: query('raw') === 'true',
  deleted: query('deleted') === 'true',
  backups: query('backups') === 'true',
})

const hasFilters = (): boolean => [...NAMES, ...OTHERS].some((name) => query(name) !== '')

const withoutFilters = (): Record<string, string> =>
  Object.fromEntries([...NAMES, ...OTHERS].map((name) => [name, '']))

/** A filter that holds, for people. */
interface Held {
  key: string
  label: string
  remove(): void
}

/** The filters in the words and in the address, each with how to remove it. */
function heldFilters(text: string, setText: (text: string) => void): Held[] {
  const inText = filtersIn(text).map(
    (filter): Held => ({
      key: `${filter.start} ${filter.name} ${filter.value}`,
      label: `${filter.isDenied ? 'not ' : ''}${filter.name}: ${filter.value}`,
      remove: () => setText(without(text, [filter])),
    }),
  )
  const inAddress = NAMES.flatMap((name): Held[] =>
    query(name) === ''
      ? []
      : [{ key: name, label: `${name}: ${query(name)}`, remove: () => setQuery({ [name]: '' }) }],
  )
  return [...inText, ...inAddress]
}

const isOf =
  (name: string) =>
  (filter: NamedFilter): boolean =>
    filter.name === name && !filter.isDenied

/** What a control shows: the filter of the address, or the one in the words. */
const shownValue = (name: ControlName, text: string): string =>
  query(name) || (filtersIn(text).find(isOf(name))?.value ?? '')

/** Sets a control. It takes the place of the same filter in the words. */
function setControl(name: ControlName, value: string, text: string, setText: (text: string) => void): void {
  const inText = filtersIn(text).filter(isOf(name))
  if (inText.length > 0) setText(without(text, inText))
  setQuery({ [name]: value })
}
