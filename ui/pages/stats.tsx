import { useEffect, useRef } from 'preact/hooks'
import type { ParametersOf, StatsAnswer, StatsRow } from '../api/ask.ts'
import { type Asked, useAnswer } from '../api/use-answer.ts'
import { cacheShare, FileBars, ToolBars, UsageFigures } from '../parts/charts.tsx'
import { Choice } from '../parts/controls.tsx'
import { AgentSelect, ClientSelect, DayField, ProjectSelect } from '../parts/filters.tsx'
import { WeekHeat, YearHeat } from '../parts/heat.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { InOrder, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { queries, query, setQuery } from '../state/router.ts'
import { brief, counted, dollars, percent } from '../text/format.ts'
import { DAY_MS, dayOf, isDay, nextDay, periodName, serverNow, utcDay, weekHourText } from '../text/times.ts'
import { DayColumns } from './day-columns.tsx'
import { ProjectCosts } from './project-costs.tsx'
import { sessionsOf } from './query-filters.ts'
import { costIn, undatedOf, withoutTime } from './stats-data.ts'
import { statsAddress } from './stats-dimensions.ts'
import { InFigures, useFigures } from './stats-table.tsx'

const SINCE = [
  { value: '', label: 'All time' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: 'A year' },
] as const

type Field = keyof ParametersOf<'stats'>

const SCOPE = ['project', 'platform', 'agent'] as const satisfies readonly Field[]
const SPAN = ['since', 'until'] as const satisfies readonly Field[]

/** An address of this page or another one, with the same filters. */
const withFilters = (path: string, filters: Record<string, string>): string =>
  `${path}?${new URLSearchParams(filters)}`

export function Statistics() {
  const scope = queries(SCOPE)
  const shown = { ...scope, ...queries(SPAN) }
  const days = useAnswer(statsAddress({ by: 'day', breakdown: true, ...shown }), { keep: true })
  const year = useAnswer(statsAddress({ by: 'day', since: '365d', ...scope }), { keep: true })
  const projects = useAnswer(statsAddress({ by: 'project', breakdown: true, ...shown }), { keep: true })
  const figures = useFigures(shown)
  const isFiltered = Object.keys(shown).length > 0
  const isEmpty = days.answer?.totals.sessions === 0 && !isFiltered
  // No session has such a project or agent.
  const isUnknown = days.failure?.status === 404
  const everything = () =>
    setQuery(Object.fromEntries([...SCOPE, ...SPAN].map((name) => [name, ''])), { replace: true })
  return (
    <Page
      title="Statistics"
      subtitle="Each reply counts once, even if several files contain it. Costs are list prices."
    >
      <search class="filters" aria-label="Filters">
        <div class="filter-row">
          <ProjectSelect />
          <ClientSelect />
          <AgentSelect />
          <DayField label="From" name="since" />
          <DayField label="Until" name="until" />
        </div>
        <div class="filter-chips">
          {/* A span takes the place of both days. */}
          <Choice
            label="When"
            value={query('since')}
            options={SINCE}
            onChange={(since) => setQuery({ since, until: '' })}
          />
          {isFiltered && (
            <button type="button" class="quiet" onClick={everything}>
              Clear all filters
            </button>
          )}
        </div>
      </search>
      {isEmpty && (
        <Empty title="Nothing to count yet">Sessions are counted as soon as an agent writes one.</Empty>
      )}
      {isUnknown && (
        <Empty title="Nothing to count with these filters">No session has this project or this agent.</Empty>
      )}
      <InOrder
        what="The statistics"
        parts={
          isEmpty || isUnknown
            ? []
            : [
                { asked: [days], draw: () => <OfTime asked={days} filters={shown} /> },
                {
                  asked: [projects],
                  draw: () => (
                    <Section title="Cost by project and model" more="at list price">
                      <Awaited asked={projects} what="The projects">
                        {({ rows }) => <ProjectCosts rows={rows} />}
                      </Awaited>
                    </Section>
                  ),
                },
                { asked: [], draw: () => <TwoSpans filters={shown} /> },
                {
                  asked: [year],
                  draw: () => (
                    <Section title="The last year" more="choose a day to see its figures">
                      <Awaited asked={year} what="The calendar">
                        {({ rows }) => (
                          <YearHeat
                            days={rows.map((row) => ({
                              day: row.key,
                              value: row.messages.human + row.messages.agent,
                            }))}
                            unit="message"
                            addressOf={(day) => withFilters('/stats', { ...scope, since: day, until: day })}
                          />
                        )}
                      </Awaited>
                    </Section>
                  ),
                },
                {
                  asked: [figures.rows],
                  draw: () => (
                    <>
                      <InFigures {...figures} />
                      {days.answer && days.answer.files.length > 0 && (
                        <Section title="Most edited files">
                          <FileBars files={days.answer.files} />
                        </Section>
                      )}
                    </>
                  ),
                },
              ]
        }
      />
    </Page>
  )
}

/** The filters of this page in the language of queries. */
const sessionFilters = ({ since = '', until = '', ...scope }: Record<string, string>) => ({
  ...scope,
  after: since,
  before: isDay(until) ? nextDay(until, 1) : until,
})

interface OfTimeProperties {
  asked: Asked<StatsAnswer>
  filters: Record<string, string>
}

/** The sums over the chosen time, as charts. */
const OfTime = ({ asked, filters }: OfTimeProperties) => (
  <Awaited asked={asked} what="The statistics">
    {({ totals, activeDays, silent, uncounted, ofPeople, notPriced, rows, weekHours, tools }) =>
      totals.sessions === 0 ? (
        <Empty title="Nothing with these filters">Choose another period, or fewer filters.</Empty>
      ) : (
        <>
          <UsageFigures
            totals={totals}
            activeDays={activeDays}
            silent={silent}
            uncounted={uncounted}
            ofPeople={ofPeople}
            notPriced={notPriced}
          />
          <Section title="Over time" more="drag across a chart to choose a time">
            <Series
              rows={rows}
              edges={edgesOf(filters)}
              onBrush={(since, until) => setQuery({ since, until }, {})}
            />
          </Section>
          <DayColumns asked={asked} />
          <div class="two">
            <Section title="Hours of your messages" more="choose one to see its sessions">
              <WeekHeat
                hours={weekHours}
                unit="message"
                addressOf={(weekday, hour) =>
                  sessionsOf(
                    { kind: 'human', ...sessionFilters(filters) },
                    { hour: weekHourText({ weekday, hour }) },
                  )
                }
              />
              <WithoutTime messages={totals.messages.human - weekHours.flat().reduce((a, b) => a + b, 0)} />
            </Section>
            <Section title="Tools">
              <ToolBars tools={tools} />
            </Section>
          </div>
        </>
      )
    }
  </Awaited>
)

/** Says how many of the person's messages the hours leave out. */
const WithoutTime = ({ messages }: { messages: number }) =>
  messages > 0 ? (
    <p class="note">{`Without ${counted(messages, 'message')} that ${messages === 1 ? 'has' : 'have'} no time`}</p>
  ) : null

/** The first and the last day of the chosen span, as far as it is chosen. */
function edgesOf({ since = '', until = '' }: Record<string, string>): string[] {
  if (since === '' && until === '') return []
  const today = dayOf(serverNow())
  const days = /^(\d+)d$/.exec(since)?.[1]
  const first = days === undefined ? since : dayOf(serverNow() - Number(days) * DAY_MS)
  return [first, until !== '' && until < today ? until : today].filter(isDay)
}

interface SeriesProperties {
  rows: readonly StatsRow[]
  edges: readonly string[]
  onBrush(since: string, until: string): void
}

/** Tokens and cost over time. Dragging across it chooses a time. The table below has the same figures. */
function Series({ rows, edges, onBrush }: SeriesProperties) {
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = holder.current!
    let isGone = false
    let remove = () => {}
    void import('./stats-plot.ts').then(({ plot }) => {
      if (isGone) return
      remove = plot(element, rows, edges, (from, to) => {
        const day = (seconds: number) => utcDay(Math.round((seconds * 1000) / DAY_MS) * DAY_MS)
        onBrush(day(from), day(to))
      })
    })
    return () => {
      isGone = true
      remove()
    }
  }, [rows, edges.join()])
  const { read, written, cost } = undatedOf(rows)
  const without = withoutTime([
    read > 0 ? `${brief(read)} tokens read` : undefined,
    written > 0 ? `${brief(written)} written` : undefined,
    cost > 0 ? dollars(cost) : undefined,
  ])
  return (
    <>
      <div
        ref={holder}
        class="series-plot"
        role="img"
        aria-label="Tokens and cost over time; the table below has the figures"
      />
      {without && <p class="note">{without}</p>}
    </>
  )
}

interface Span {
  since: string
  until?: string
}

interface Spans {
  now: Span
  before: Span
  /** What the two are called. */
  names: [now: string, before: string]
}

/** If no span is chosen, the last days of this number are compared. */
const USUAL_DAYS = 30

/** The chosen span, and the one before it that is as long. */
function spansOf({ since = '', until = '' }: { since?: string; until?: string }): Spans {
  if (isDay(since)) {
    const first = Date.parse(since)
    const last = Math.max(first, Date.parse(isDay(until) ? until : dayOf(serverNow())))
    const before = { since: utcDay(first - (last - first) - DAY_MS), until: utcDay(first - DAY_MS) }
    const nameOf = (from: string, to: string): string =>
      from === to ? periodName(from) : `${periodName(from)} to ${periodName(to)}`
    return {
      now: { since, until: utcDay(last) },
      before,
      names: [nameOf(since, utcDay(last)), nameOf(before.since, before.until)],
    }
  }
  const days = Number(/^(\d+)d$/.exec(since)?.[1] ?? USUAL_DAYS)
  return {
    now: { since: `${days}d` },
    before: { since: `${2 * days}d`, until: `${days}d` },
    names: [`Last ${counted(days, 'day')}`, `${counted(days, 'day')} before`],
  }
}

type Totals = StatsAnswer['totals']

const tokensOf = (totals: Totals): number =>
  totals.inputTokens + totals.outputTokens + totals.cacheReadTokens + totals.cacheCreationTokens

const FIGURES: readonly { name: string; of(totals: Totals): number | null; shown(value: number): string }[] =
  [
    { name: 'Sessions', of: ({ sessions }) => sessions, shown: brief },
    { name: 'Your messages', of: ({ messages }) => messages.human, shown: brief },
    { name: 'Agent messages', of: ({ messages }) => messages.agent, shown: brief },
    { name: 'Tool calls', of: ({ toolCalls }) => toolCalls, shown: brief },
    { name: 'Failed calls', of: ({ errors }) => errors, shown: brief },
    { name: 'Tokens', of: tokensOf, shown: brief },
    { name: 'Read from cache', of: cacheShare, shown: percent },
    { name: 'Cost at list price', of: costIn, shown: dollars },
  ]

const orDash = (value: number | null, shown: (value: number) => string): string =>
  value === null ? '–' : shown(value)

/** How much more or less, in the words of the figure and as a part of what was before. */
function differenceOf(now: number | null, before: number | null, shown: (value: number) => string): string {
  if (now === null || before === null) return '–'
  if (now === before) return 'same'
  const sign = now > before ? '+' : '−'
  if (shown === percent) return `${sign}${Math.round(Math.abs(now - before) * 100)} points`
  const part = before > 0 ? ` (${sign}${percent(Math.abs(now - before) / before)})` : ''
  return `${sign}${shown(Math.abs(now - before))}${part}`
}

/** Two spans side by side. `filters` are those of the page. */
function TwoSpans({ filters }: { filters: Record<string, string> }) {
  const { since: _since, until: _until, ...scope } = filters
  const { now, before, names } = spansOf(filters)
  const latest = useAnswer(statsAddress({ by: 'day', limit: 1, ...scope, ...now }), { keep: true })
  const earlier = useAnswer(statsAddress({ by: 'day', limit: 1, ...scope, ...before }), { keep: true })
  const title = 'Compared with the previous period'
  return (
    <Section title={title}>
      <Awaited asked={latest} what="The figures">
        {({ totals }) => (
          <Awaited asked={earlier} what="The figures before">
            {({ totals: past }) => (
              <Table
                label={title}
                columns={['Figure', ...names, 'Difference']}
                numbers={[...names, 'Difference']}
              >
                {FIGURES.map(({ name, of, shown }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td class="right">{orDash(of(totals), shown)}</td>
                    <td class="right">{orDash(of(past), shown)}</td>
                    <td class="right">{differenceOf(of(totals), of(past), shown)}</td>
                  </tr>
                ))}
              </Table>
            )}
          </Awaited>
        )}
      </Awaited>
    </Section>
  )
}
