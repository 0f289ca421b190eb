import { useCallback, useMemo, useState } from 'preact/hooks'
import type { SessionRow, SessionsAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
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
import { ms } from '../../text/times.ts'
import { spansWeekHour, type WeekHour, weekHourIn } from '../../text/week.ts'
import { FilterBar } from './filter-bar.tsx'
import { hasFilters, listAddress, SORTS, withoutFilters } from './filters.ts'
import { rowsOf } from './list.ts'

/** The first sessions come fast; the rest is fetched when somebody scrolls there. */
const FIRST = 300

function wasGoingOn({ startedAt, lastActivityAt }: SessionRow, hour: WeekHour): boolean {
  const from = ms(startedAt)
  return from !== undefined && spansWeekHour(from, ms(lastActivityAt) ?? from, hour)
}

export function Sessions() {
  const [limit, setLimit] = useState(FIRST)
  const byProject = query('group') === 'project'
  const hour = query('hour')
  const weekHour = useMemo(() => weekHourIn(hour), [hour])
  const address = listAddress(byProject || weekHour ? 0 : limit)
  const asked = useAnswer<SessionsAnswer>(address, { live: 3000, keep: true })
  const { answer } = asked
  const sessions = useMemo(
    () => (answer?.sessions ?? []).filter((row) => !weekHour || wasGoingOn(row, weekHour)),
    [answer, weekHour],
  )
  const rows = useMemo(() => rowsOf(sessions, byProject), [sessions, byProject])
  const viewport = useMemo(() => new Viewport(), [])
  const agents = useMemo(() => [...new Set(sessions.map(({ agent }) => agent))].sort(), [sessions])

  useListKeys(viewport, rows, (index) => 'session' in rows.row(index))
  useKeys({
    o: () => {
      const next = (SORTS.findIndex(({ value }) => value === query('sort')) + 1) % SORTS.length
      setQuery({ sort: SORTS[next]!.value })
    },
    '/': () => document.querySelector<HTMLInputElement>('.filters input')?.focus(),
  })
  const onRange = useCallback(
    (_from: number, to: number) => {
      if (answer && to >= answer.sessions.length - 20 && answer.sessions.length < answer.total) setLimit(0)
    },
    [answer],
  )
  const total = answer ? counted(weekHour ? sessions.length : answer.total, 'session') : ' '
  return (
    <Page title="Sessions" tells={total} fixed class="sessions-page">
      <FilterBar agents={agents} />
      {asked.failure && <Failed asked={asked} what="The sessions" />}
      {!answer && !asked.failure && <Skeleton lines={9} />}
      {answer && sessions.length === 0 && (
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
      <Windowed
        rows={rows}
        viewport={viewport}
        label="Sessions"
        class="session-list"
        onRange={onRange}
        render={(index) => {
          const row = rows.row(index)
          if ('session' in row) return <SessionLine row={row.session} sort={query('sort')} />
          return (
            <h2 class="group-title" dir="auto">
              <a href={projectAddress(row.group)}>{row.group}</a>
              <span class="note">{counted(row.count, 'session')}</span>
            </h2>
          )
        }}
      />
    </Page>
  )
}
