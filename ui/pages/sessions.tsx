import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask, askMore, type FacetsAnswer, type SessionRow } from '../api/ask.ts'
import { type Asked, stated, useAnswer } from '../api/use-answer.ts'
import { Check, Choice, Select } from '../parts/controls.tsx'
import { Chosen } from '../parts/filters.tsx'
import { Menu } from '../parts/menu.tsx'
import { Empty, Failed, Incomplete, Skeleton } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { SessionLine } from '../parts/session-line.tsx'
import { Viewport } from '../parts/viewport.ts'
import { Windowed } from '../parts/windowed.tsx'
import { indexing } from '../state/events.ts'
import { useKeys } from '../state/keys.ts'
import { isTwoPanes } from '../state/panes.ts'
import { navigate, projectAddress, query, sessionAddress, setQuery, setQueryLater } from '../state/router.ts'
import { brief, costOrRecorded, counted } from '../text/format.ts'
import { headingOfDay, readerZone, weekHourIn, weekHourName } from '../text/times.ts'
import { Facets, isAnswered, useFacets } from './facets.tsx'
import { type ListRow, type SessionRows, useListing } from './listing.ts'
import { takeOldFilters } from './old-addresses.ts'
import { QueryField, SavedSearches } from './query-field.tsx'
import { withMoments } from './query-filters.ts'
import { useTypedQuery } from './typed-query.ts'

const PAUSE_MS = 200
/** A session is shown beside the list when the keys rest on it for so long. */
const PREVIEW_MS = 120

export function Sessions() {
  takeOldFilters()
  const address = listAddress()
  const listing = useListing(address)
  const { rows, total, incomplete, remarks, failure, show } = listing
  const viewport = useMemo(() => new Viewport(), [])
  const selected = useSignal(query('at'))
  const isWide = isTwoPanes.value
  const first = firstSession(rows)
  const shownId = selected.value || first?.id

  const select = useCallback((row: SessionRow) => {
    selected.value = row.id
  }, [])
  useEffect(() => {
    if (query('at') === selected.value) return
    return setQueryLater({ at: selected.value }, PAUSE_MS)
  }, [selected.value])
  useListKeys(address, viewport, rows, select)
  useKeys({
    o: () => {
      const next = (SORTS.findIndex(({ value }) => value === query('sort')) + 1) % SORTS.length
      setQuery({ sort: SORTS[next]!.value })
    },
    '/': () => document.querySelector<HTMLInputElement>('.search-field input')?.focus(),
  })
  const onRange = useCallback(
    (from: number, to: number) => {
      if (to > from) show(rows.row(from).position, rows.row(to - 1).position + 1)
    },
    [rows],
  )
  const costs = useGroupCosts(total !== undefined)
  const facets = useFacets(query('q'), narrowing())
  // What is below the facets appears after them, so that they move nothing.
  const isReady = total !== undefined && isAnswered(facets)
  return (
    <Page
      title={query('q') === '' ? 'Sessions' : `${query('q')} · Sessions`}
      heading="Sessions"
      fixed
      class="sessions-page"
    >
      <FilterBar total={total} facets={facets} />
      <Incomplete of={incomplete} verb={query('q') === '' ? 'Indexed' : 'Searched'} />
      {remarks.length > 0 && (
        <p class="remarks" role="status">
          {remarks.join(' · ')}
        </p>
      )}
      {failure && <Failed asked={listing} what="The sessions" />}
      {!isReady && !failure && <Skeleton key={String(isAnswered(facets))} lines={9} />}
      {total === 0 && isReady && !failure && <Nothing isYet={incomplete !== undefined} />}
      {isReady && (
        <div class="panes" data-two={isWide && total > 0}>
          <Windowed
            rows={rows}
            viewport={viewport}
            label="Sessions"
            class="session-list"
            onRange={onRange}
            render={(index) => (
              <Row
                row={rows.row(index)}
                cost={(key) => costs.get(key)}
                isSelected={(row) => isWide && row.id === shownId}
                onChoose={isWide ? select : undefined}
              />
            )}
          />
          {isWide && total > 0 && <PreviewOf id={shownId} />}
        </div>
      )}
    </Page>
  )
}

function Nothing({ isYet }: { isYet: boolean }) {
  return (
    <Empty
      title={!isNarrowed() ? 'No sessions yet' : isYet ? 'No session matches yet' : 'No session matches'}
    >
      {isNarrowed() ? (
        <>
          <button type="button" class="quiet" onClick={() => setQuery({ q: '', hour: '', at: '' })}>
            Clear all filters
          </button>{' '}
          {query('q') !== '' && (
            <a href={`/search?${new URLSearchParams({ q: query('q') })}`}>Search every message for it</a>
          )}
        </>
      ) : (
        <p>
          Sessions appear here {indexing.value ? 'as they are indexed' : 'as soon as an agent writes one'}.{' '}
          <a href="/doctor">Doctor</a> shows which folders are read.
        </p>
      )}
    </Empty>
  )
}

interface RowProperties {
  row: ListRow
  cost(key: string | null): string | undefined
  isSelected(row: SessionRow): boolean
  onChoose: ((row: SessionRow) => void) | undefined
}

function Row({ row, cost, isSelected, onChoose }: RowProperties) {
  if ('group' in row) {
    const { key, sessions, messages } = row.group
    return (
      <h2 class="group-title" dir="auto">
        <GroupName name={key} />
        <span class="group-figures" title="Of the sessions below this heading">
          <span>{counted(sessions, 'session')}</span>
          <span>{`${brief(messages)} ${messages === 1 ? 'message' : 'messages'}`}</span>
          <span class="group-cost">{cost(key) ?? ''}</span>
        </span>
      </h2>
    )
  }
  const { session } = row
  if (!session) return <div class="session-line waiting" />
  return (
    <SessionLine
      row={session}
      sort={query('sort')}
      isSelected={isSelected(session)}
      withoutProject={groupOf() === 'project'}
      onChoose={onChoose}
    />
  )
}

function GroupName({ name }: { name: string | null }) {
  if (name === null) return <span>Without a project</span>
  if (groupOf() === 'project') return <a href={projectAddress(name)}>{name}</a>
  return <span>{headingOfDay(Date.parse(`${name}T12:00`))}</span>
}

/** The code of a conversation is loaded when there is room for one. */
function PreviewOf({ id }: { id: string | undefined }) {
  const [Preview, setPreview] = useState<ComponentType<{ id: string }>>()
  const [shown, setShown] = useState(id)
  useEffect(() => {
    void import('./session/preview.tsx').then((loaded) => setPreview(() => loaded.Preview))
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => setShown(id), PREVIEW_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <section class="preview" aria-label="The chosen session">
      {Preview && shown !== undefined ? <Preview key={shown} id={shown} /> : <Skeleton lines={9} />}
    </section>
  )
}

/** What the groups of the list cost. It is asked for after the rows, because it is added up from all replies. */
function useGroupCosts(isReady: boolean): ReadonlyMap<string | null, string> {
  const address = askMore(listAddress(), { costs: true, limit: 1 })
  const { answer } = useAnswer(isReady && groupOf() !== undefined ? address : undefined, {
    keep: true,
    live: 15_000,
  })
  return useMemo(
    () =>
      new Map(
        (answer?.groups ?? []).flatMap(({ key, cost, recorded }) =>
          cost == null && recorded == null ? [] : [[key, costOrRecorded(cost, recorded)] as const],
        ),
      ),
    [answer],
  )
}

/** The query, the facets that fill it, and how the list is shown. */
function FilterBar({ total, facets }: { total: number | undefined; facets: Asked<FacetsAnswer> }) {
  const typed = useSignal(query('q'))
  const field = useRef<HTMLInputElement>(null)
  const inAddress = query('q')
  useTypedQuery(typed, field)
  const setText = (text: string) => {
    typed.value = text
    // Going back leads to what was chosen before.
    setQuery({ q: text, at: '' }, {})
  }
  const hour = weekHourIn(query('hour'))
  return (
    <search class="query-bar" aria-label="Filters">
      <div class="query-row">
        <QueryField
          field={field}
          label="Words and filters"
          placeholder="Words, agent:codex, after:7d, file:auth.ts …"
          value={typed.value}
          onInput={(text) => {
            typed.value = text
          }}
        />
        <span class="total number" role="status">
          {total === undefined ? '' : counted(total, 'session')}
        </span>
        <SavedSearches isEmpty={!isNarrowed()} suggested={inAddress} />
        <View />
      </div>
      <div class="facet-bar">
        <Facets asked={facets} text={inAddress} setText={setText} />
        {hour && <Chosen label={`Active on ${weekHourName(hour)}`} onRemove={() => setQuery({ hour: '' })} />}
        {isNarrowed() && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setText('')
              setQuery({ hour: '' })
            }}
          >
            Clear
          </button>
        )}
      </div>
    </search>
  )
}

const GROUPS = [
  { value: '', label: 'Day' },
  { value: 'project', label: 'Project' },
  { value: 'none', label: 'None' },
] as const

const SORTS = [
  { value: '', label: 'Last activity' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'size', label: 'Size' },
  { value: 'duration', label: 'Duration' },
] as const

/** How the list is shown. */
function View() {
  const flip = (name: string) => (on: boolean) => setQuery({ [name]: on ? 'true' : '' })
  const isOn = (name: string) => query(name) === 'true'
  const isChanged = ['group', 'sort', 'deleted', 'backups'].some((name) => query(name) !== '')
  const group = GROUPS.find(({ value }) => value === query('group')) ?? GROUPS[0]
  return (
    <Menu label="View" icon="layout" isOn={isChanged} side="end">
      {() => (
        <div class="view-options">
          <div class="view-option">
            <span>Groups</span>
            <Choice
              label="Groups"
              value={group.value}
              options={GROUPS}
              onChange={(value) => setQuery({ group: value })}
            />
          </div>
          <Select
            label="Order"
            value={query('sort')}
            options={SORTS}
            onChange={(sort) => setQuery({ sort })}
          />
          <Check label="Deleted sessions too" on={isOn('deleted')} onChange={flip('deleted')} />
          <Check label="Backups too" on={isOn('backups')} onChange={flip('backups')} />
        </div>
      )}
    </Menu>
  )
}

/** Days make sense only in their order. */
const groupOf = (): 'project' | 'day' | undefined =>
  query('group') === 'project' ? 'project' : query('group') === '' && query('sort') === '' ? 'day' : undefined

const isNarrowed = (): boolean => query('q') !== '' || query('hour') !== ''

/** What narrows the list down besides the query. */
const narrowing = () => ({
  hour: query('hour') || undefined,
  timezone: query('hour') === '' ? undefined : readerZone(),
  deleted: query('deleted') === 'true',
  backups: query('backups') === 'true',
})

/** The endpoint with the filters of the page's address. Days are those of the reader. */
const listAddress = () =>
  ask('listing', {
    query: withMoments(query('q')),
    ...narrowing(),
    ...stated<'listing'>(['sort']),
    group: groupOf(),
    timezone: readerZone(),
    all: true,
  })

function firstSession(rows: SessionRows): SessionRow | undefined {
  for (let index = 0; index < Math.min(rows.length, 2); index++) {
    const row = rows.row(index)
    if ('session' in row) return row.session
  }
  return undefined
}

/** Moves the focus from row to row with `j` and `k`, and chooses the row. Enter follows the link of the row. */
function useListKeys(
  address: string,
  viewport: Viewport,
  rows: SessionRows,
  choose: (row: SessionRow) => void,
): void {
  const chosen = useRef<{ key: number; session: SessionRow | undefined } | undefined>(undefined)
  /** The frame in which the chosen row gets the focus. Keys may come faster. */
  const frame = useRef<number | undefined>(undefined)
  const move = (by: 1 | -1) => {
    // From the row that has the focus, such as the one whose session the person comes back from.
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
    const last = chosen.current ? rows.rowOf(chosen.current.key) : -1
    let next = (focused === undefined || frame.current !== undefined ? last : Number(focused)) + by
    while (next >= 0 && next < rows.length && 'group' in rows.row(next)) next += by
    if (next < 0 || next >= rows.length) return
    viewport.reveal(next)
    const row = rows.row(next)
    const session = 'session' in row ? row.session : undefined
    chosen.current = { key: rows.key(next), session }
    if (session) choose(session)
    cancelAnimationFrame(frame.current ?? 0)
    frame.current = requestAnimationFrame(() => {
      frame.current = undefined
      document.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus()
    })
  }
  const open = () => {
    const session = chosen.current?.session
    if (session) navigate(sessionAddress(session.id))
  }
  useEffect(() => {
    chosen.current = undefined
  }, [address])
  // A row that moves may lose the focus, which stays with its session.
  const focused = document.activeElement?.closest<HTMLElement>('.session-list a')
  useLayoutEffect(() => {
    if (focused?.isConnected && document.activeElement === document.body)
      focused.focus({ preventScroll: true })
  }, [rows])
  useKeys({ j: () => move(1), k: () => move(-1), Enter: open })
}
