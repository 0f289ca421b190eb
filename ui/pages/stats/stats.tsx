import { useSignal } from '@preact/signals'
import type { StatsAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Columns } from '../../parts/columns.tsx'
import { YearHeat } from '../../parts/heat.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Select } from '../../parts/select.tsx'
import { WeekHeat } from '../../parts/week-heat.tsx'
import { Page, Section } from '../../shell/page.tsx'
import { query, setQuery } from '../../state/router.ts'
import { brief, dollars } from '../../text/figures.ts'
import { weekHourText } from '../../text/week.ts'
import { ProjectFigures } from '../project/project-figures.tsx'
import { statsAddress } from './address.ts'
import { byModel } from './models.ts'
import { Series } from './series.tsx'
import { StatsTable } from './table.tsx'

const BY = [
  { value: '', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'block', label: 'Block' },
  { value: 'model', label: 'Model' },
  { value: 'project', label: 'Project' },
  { value: 'session', label: 'Session' },
  { value: 'tool', label: 'Tool' },
  { value: 'agent', label: 'Agent' },
  { value: 'platform', label: 'Client' },
] as const

const SINCE = [
  { value: '', label: 'All time' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '365d', label: 'Last year' },
] as const

/** The sessions that were going on at an hour of the week, within the time that is shown. */
const hourAddress = (hour: string, range: { since: string; until: string }): string => {
  const parameters = new URLSearchParams({ hour, kind: 'human', ...range })
  for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name)
  return `/sessions?${parameters}`
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

export function Statistics() {
  const figure = useSignal<'cost' | 'tokens'>('cost')
  const by = query('by') || 'day'
  const range = { since: query('since'), until: query('until') }
  const days = useAnswer<StatsAnswer>(statsAddress({ by: 'day', breakdown: true, ...range }), { keep: true })
  const rows = useAnswer<StatsAnswer>(statsAddress({ by, breakdown: by !== 'tool', limit: 200, ...range }), {
    keep: true,
  })
  const year = useAnswer<StatsAnswer>(statsAddress({ by: 'day', since: '365d' }))
  const isBrushed = isDay(range.since) || range.until !== ''
  return (
    <Page
      title="Statistics"
      tells="Each reply counts once, even if several files contain it. Costs are list prices."
      actions={
        <>
          {isBrushed && (
            <button type="button" class="chip" data-on onClick={() => setQuery({ since: '', until: '' })}>
              {`${range.since || 'the beginning'} to ${range.until || 'now'}`}
              <span aria-hidden="true">×</span>
              <span class="unseen">, remove this range</span>
            </button>
          )}
          <Select
            label="When"
            value={range.since}
            options={SINCE}
            onChange={(since) => setQuery({ since, until: '' })}
          />
        </>
      }
    >
      <Awaited asked={days} what="The statistics">
        {(answer) =>
          answer.totals.sessions === 0 ? (
            <Empty title="Nothing in this time">Choose another time.</Empty>
          ) : (
            <>
              <ProjectFigures totals={answer.totals} />
              <Section title="Over time" more="drag across the chart to choose a time">
                <Series rows={answer.rows} onBrush={(since, until) => setQuery({ since, until }, {})} />
              </Section>
              <Section
                title="By day and model"
                more={
                  <Choice
                    label="Figure"
                    value={figure.value}
                    options={[
                      { value: 'cost', label: 'Cost' },
                      { value: 'tokens', label: 'Tokens' },
                    ]}
                    onChange={(value) => {
                      figure.value = value
                    }}
                  />
                }
              >
                <Columns
                  {...byModel(answer.rows.slice(-120), figure.value)}
                  shown={figure.value === 'cost' ? dollars : brief}
                  label={`${figure.value} by day and model`}
                />
              </Section>
              <div class="two">
                <Section title="Hours of your messages" more="choose one to see its sessions">
                  <WeekHeat
                    hours={answer.weekHours}
                    unit="message"
                    addressOf={(weekday, hour) => hourAddress(weekHourText({ weekday, hour }), range)}
                  />
                </Section>
                <Section title="Tools">
                  <Bars
                    rows={answer.tools.slice(0, 10).map((tool) => ({
                      key: tool.name,
                      name: tool.name,
                      value: tool.calls,
                      shown: `${brief(tool.calls)}${tool.errors > 0 ? ` · ${brief(tool.errors)} failed` : ''}`,
                    }))}
                  />
                </Section>
              </div>
            </>
          )
        }
      </Awaited>
      <Section title="The last year">
        <Awaited asked={year} what="The calendar">
          {(answer) => (
            <YearHeat
              days={answer.rows.map((row) => ({
                day: row.key,
                value: row.messages.human + row.messages.agent,
              }))}
              unit="message"
              addressOf={(day) => `/stats?since=${day}&until=${day}`}
            />
          )}
        </Awaited>
      </Section>
      <Section
        title="In figures"
        more={<Select label="By" value={query('by')} options={BY} onChange={(by) => setQuery({ by })} />}
      >
        <Awaited asked={rows} what="The table">
          {(answer) => <StatsTable answer={answer} />}
        </Awaited>
      </Section>
    </Page>
  )
}
