import { useCallback, useMemo } from 'preact/hooks'
import { Incomplete } from '../../parts/incomplete.tsx'
import { useListKeys } from '../../parts/list-keys.ts'
import { Empty, Failed, Skeleton } from '../../parts/notice.tsx'
import { SessionLine } from '../../parts/session-line.tsx'
import { Viewport } from '../../parts/viewport.ts'
import { Windowed } from '../../parts/windowed.tsx'
import { Page } from '../../shell/page.tsx'
import { indexing } from '../../state/events.ts'
import { useKeys } from '../../state/keys.ts'
import { projectAddress, query, setQuery } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { FilterBar } from './filter-bar.tsx'
import { hasFilters, listAddress, SORTS, withoutFilters } from './filters.ts'
import { useListing } from './use-listing.ts'

export function Sessions() {
  const listing = useListing(listAddress())
  const { rows, total, incomplete, failure, show } = listing
  const viewport = useMemo(() => new Viewport(), [])

  useListKeys(viewport, rows, (index) => 'session' in rows.row(index))
  useKeys({
    o: () => {
      const next = (SORTS.findIndex(({ value }) => value === query('sort')) + 1) % SORTS.length
      setQuery({ sort: SORTS[next]!.value })
    },
    '/': () => document.querySelector<HTMLInputElement>('.filters input')?.focus(),
  })
  const onRange = useCallback(
    (from: number, to: number) => {
      if (to > from) show(rows.row(from).position, rows.row(to - 1).position + 1)
    },
    [rows],
  )
  return (
    <Page
      title="Sessions"
      tells={total === undefined ? ' ' : counted(total, 'session')}
      fixed
      class="sessions-page"
    >
      <FilterBar />
      <Incomplete of={incomplete} verb="Indexed" />
      {failure && <Failed asked={listing} what="The sessions" />}
      {total === undefined && !failure && <Skeleton lines={9} />}
      {total === 0 && !failure && (
        <Empty title={hasFilters() ? 'No session matches' : 'No sessions yet'}>
          {hasFilters() ? (
            <button type="button" class="quiet" onClick={() => setQuery(withoutFilters())}>
              Clear all filters
            </button>
          ) : (
            <p>
              Sessions appear here {indexing.value ? 'as they are indexed' : 'as soon as an agent writes one'}
              . <a href="/doctor">Doctor</a> shows which folders are read.
            </p>
          )}
        </Empty>
      )}
      {total !== undefined && (
        <Windowed
          rows={rows}
          viewport={viewport}
          label="Sessions"
          class="session-list"
          onRange={onRange}
          render={(index) => {
            const row = rows.row(index)
            if ('session' in row)
              return row.session ? (
                <SessionLine row={row.session} sort={query('sort')} />
              ) : (
                <div class="session-line waiting" />
              )
            return <GroupTitle project={row.project} sessions={row.count} />
          }}
        />
      )}
    </Page>
  )
}

/** Sessions without a project have no page of their own. */
const GroupTitle = ({ project, sessions }: { project: string | null; sessions: number }) => (
  <h2 class="group-title" dir="auto">
    {project === null ? <span>Without a project</span> : <a href={projectAddress(project)}>{project}</a>}
    <span class="note">{counted(sessions, 'session')}</span>
  </h2>
)
