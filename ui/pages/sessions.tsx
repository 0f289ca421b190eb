import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { type Address, askMore, type ListingAnswer, type SessionRow } from '../api/ask.ts'
import { Failure, get } from '../api/client.ts'
import { useNews } from '../api/use-answer.ts'
import { Empty, Failed, Incomplete, Skeleton } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { SessionLine } from '../parts/session-line.tsx'
import { type Rows, Viewport } from '../parts/viewport.ts'
import { Windowed } from '../parts/windowed.tsx'
import { indexing } from '../state/events.ts'
import { useKeys } from '../state/keys.ts'
import { projectAddress, query, setQuery } from '../state/router.ts'
import { counted } from '../text/format.ts'
import { FilterBar, hasFilters, listAddress, SORTS, withoutFilters } from './session-filters.tsx'

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
      subtitle={total === undefined ? ' ' : counted(total, 'session')}
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

const LIVE_MS = 3000

/** The last list, so that going back shows it at once, while it is asked for again. */
let latest: Blocks | undefined

interface Listing {
  rows: SessionRows
  /** Undefined until something is there. */
  total: number | undefined
  incomplete: ListingAnswer['incomplete']
  failure: Failure | undefined
  /** Says which rows are in view. */
  show(from: number, to: number): void
  again(): void
}

/** The list at an address. The previous one stays until the first rows of this one arrive. */
function useListing(address: Address<'listing'>): Listing {
  const [version, setVersion] = useState(0)
  const blocks = useMemo(() => (latest?.address === address ? latest : new Blocks(address)), [address])
  const [before, setBefore] = useState(blocks)
  const shown = blocks.head || blocks.failure ? blocks : before
  useEffect(() => {
    blocks.open(() => {
      latest = blocks
      setBefore(blocks)
      setVersion((n) => n + 1)
    })
    return () => blocks.close()
  }, [blocks])
  useNews(LIVE_MS, () => blocks.refresh())
  const rows = useMemo(() => rowsOf(shown), [shown, version])
  return {
    rows,
    total: shown.head?.total,
    incomplete: shown.head?.incomplete,
    failure: blocks.failure,
    show: (from, to) => shown === blocks && to > from && blocks.show(from, to),
    again: () => blocks.refresh(),
  }
}

/** A row of the list: a session, which may not be there yet, or the title of a group. */
type ListRow =
  | { session: SessionRow | undefined; position: number }
  | { project: string | null; count: number; position: number }

interface SessionRows extends Rows {
  row(index: number): ListRow
}

interface Title {
  /** Its place among all rows. */
  place: number
  project: string | null
  count: number
}

function rowsOf(blocks: Blocks): SessionRows {
  const { total = 0, groups = [] } = blocks.head ?? {}
  let place = 0
  const titles = groups.map(({ project, sessions }): Title => {
    const title = { place, project, count: sessions }
    place += sessions + 1
    return title
  })
  /** How many titles are before a place. */
  const before = (index: number): number => {
    let [low, high] = [0, titles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (titles[middle]!.place < index) low = middle + 1
      else high = middle
    }
    return low
  }
  const titleAt = (index: number): Title | undefined => {
    const title = titles[before(index)]
    return title?.place === index ? title : undefined
  }
  const length = total + titles.length
  return {
    length,
    row(index) {
      const position = index - before(index)
      const title = titleAt(index)
      if (title) return { project: title.project, count: title.count, position }
      return { session: blocks.at(position), position }
    },
    key: (index) => index,
    rowOf: (key) => Math.min(key, length - 1),
    estimate: (index) => (titleAt(index) ? 48 : 66),
  }
}

/** How many rows are asked for at a time: more than a window shows. */
const BLOCK = 60

type Head = Pick<ListingAnswer, 'total' | 'groups' | 'incomplete'>

/** The rows of a list that somebody looked at, in blocks. Others are asked for when they come into view. */
class Blocks {
  /** Undefined until the first block is there. */
  head: Head | undefined
  failure: Failure | undefined

  readonly address: Address<'listing'>
  private readonly rows = new Map<number, SessionRow[]>()
  private readonly asked = new Map<number, AbortController>()
  private shown = { from: 0, to: 1 }
  private changed: () => void = () => {}

  constructor(address: Address<'listing'>) {
    this.address = address
  }

  /** Tells `changed` of everything that arrives, until `close`. */
  open(changed: () => void): void {
    this.changed = changed
    this.refresh()
  }

  close(): void {
    this.changed = () => {}
    for (const control of this.asked.values()) control.abort()
    this.asked.clear()
  }

  at(position: number): SessionRow | undefined {
    return this.rows.get(Math.floor(position / BLOCK))?.[position % BLOCK]
  }

  /** Asks for the rows in view that are not there yet. */
  show(from: number, to: number): void {
    this.shown = { from, to: Math.max(from + 1, to) }
    for (const block of this.blocksInView())
      if (!this.rows.has(block) && !this.asked.has(block)) void this.ask(block)
  }

  /** Asks again for what is in view, and forgets the rest, because a change may have moved it. */
  refresh(): void {
    const inView = new Set(this.blocksInView())
    for (const block of this.rows.keys()) if (!inView.has(block)) this.rows.delete(block)
    for (const block of inView) void this.ask(block)
  }

  private blocksInView(): number[] {
    const last = this.head ? Math.max(0, this.head.total - 1) : 0
    const from = Math.floor(Math.min(this.shown.from, last) / BLOCK)
    const to = Math.floor(Math.min(this.shown.to - 1, last) / BLOCK)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }

  private async ask(block: number): Promise<void> {
    this.asked.get(block)?.abort()
    const control = new AbortController()
    this.asked.set(block, control)
    try {
      const address = askMore(this.address, { from: block * BLOCK, limit: BLOCK })
      const { total, groups, sessions, incomplete } = await get(address, control.signal)
      if (control.signal.aborted) return
      this.head = { total, groups, incomplete }
      this.rows.set(block, sessions)
      this.failure = undefined
    } catch (error) {
      if (control.signal.aborted) return
      this.failure = error instanceof Failure ? error : new Failure(0, String(error))
    }
    this.asked.delete(block)
    this.changed()
  }
}

/** Moves the focus from row to row with `j` and `k`. Enter then follows the link that has the focus. */
function useListKeys(viewport: Viewport, rows: Rows, isRow: (row: number) => boolean = () => true): void {
  const chosen = useSignal(-1)
  const move = (by: 1 | -1) => {
    // From the row that has the focus, such as the one whose session the person comes back from.
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
    let next = (focused === undefined ? chosen.value : Number(focused)) + by
    while (next >= 0 && next < rows.length && !isRow(next)) next += by
    if (next < 0 || next >= rows.length) return
    chosen.value = next
    viewport.reveal(next)
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus())
  }
  useEffect(() => {
    chosen.value = -1
  }, [rows])
  useKeys({ j: () => move(1), k: () => move(-1) })
}
