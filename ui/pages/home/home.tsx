import { apiAddress } from '../../api/client.ts'
import type { OverviewAnswer, SessionsAnswer, StatsAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { Columns } from '../../parts/columns.tsx'
import { YearHeat } from '../../parts/heat.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { SessionLine } from '../../parts/session-line.tsx'
import { Page, Section } from '../../shell/page.tsx'
import { indexing } from '../../state/events.ts'
import { projectAddress } from '../../state/router.ts'
import { brief, counted, dollars } from '../../text/figures.ts'
import { statsAddress } from '../stats/address.ts'
import { byModel } from '../stats/models.ts'
import { FailingJobs } from './failing-jobs.tsx'
import { Live } from './live.tsx'
import { Vanishing } from './vanishing.tsx'

const SLOW_MS = 10_000

export function Home() {
  // Asked first, because the server answers in order and statistics take longest.
  const recent = useAnswer<SessionsAnswer>(apiAddress('sessions', { all: true, limit: 6 }), {
    live: 3000,
    keep: true,
  })
  const overview = useAnswer<OverviewAnswer>('/api/overview', { live: SLOW_MS, keep: true })
  const days = useAnswer<StatsAnswer>(statsAddress({ by: 'day', breakdown: true, since: '365d' }), {
    live: SLOW_MS,
    keep: true,
  })
  const projects = useAnswer<StatsAnswer>(statsAddress({ by: 'project', since: '90d', limit: 6 }), {
    keep: true,
  })
  const platforms = overview.answer?.platforms ?? []
  const sessions = platforms.reduce((sum, each) => sum + each.sessions, 0)
  const isNew = overview.answer !== undefined && sessions === 0
  return (
    <Page
      title="Home"
      tells={
        overview.answer
          ? `${counted(sessions, 'session')} of ${platforms.map(({ name }) => name).join(' and ') || 'no agent yet'}`
          : ' '
      }
    >
      {isNew && indexing.value ? (
        <Empty title="Your sessions are being read for the first time">
          <p>Sessions appear here as they are indexed.</p>
        </Empty>
      ) : isNew ? (
        <Empty title="No sessions on this machine yet">
          <p>
            They appear here as soon as an agent writes one. To look around first, start{' '}
            <code>scrollback serve --demo</code>. <a href="/doctor">Doctor</a> shows which folders are read.
          </p>
        </Empty>
      ) : (
        <>
          <Live />
          <Vanishing />
          <FailingJobs />
          <Section title="Latest sessions" more={<a href="/sessions">All sessions</a>}>
            <Awaited asked={recent} what="The latest sessions">
              {(answer) => (
                <ul class="rows">
                  {answer.sessions.map((row) => (
                    <li key={row.path}>
                      <SessionLine row={row} />
                    </li>
                  ))}
                </ul>
              )}
            </Awaited>
          </Section>
          <Section title="The last year" more={<a href="/stats">Statistics</a>}>
            <Awaited asked={days} what="The calendar">
              {({ rows }) => (
                <YearHeat
                  days={rows.map((row) => ({ day: row.key, value: row.messages.human + row.messages.agent }))}
                  unit="message"
                  addressOf={(day) => `/sessions?since=${day}&until=${day}`}
                />
              )}
            </Awaited>
          </Section>
          <div class="two">
            <Section title="Cost by day and model" more={days.answer && dollars(days.answer.totals.cost)}>
              <Awaited asked={days} what="The costs">
                {({ rows }) => <Costs rows={rows} />}
              </Awaited>
            </Section>
            <Section title="Busiest projects" more="90 days">
              <Awaited asked={projects} what="The projects">
                {({ rows }) =>
                  rows.length === 0 ? (
                    <Empty title="Nothing in 90 days" />
                  ) : (
                    <Bars
                      rows={rows.map((row) => ({
                        key: row.key,
                        name: <a href={projectAddress(row.key)}>{row.key}</a>,
                        value: row.messages.human + row.messages.agent,
                        shown: `${brief(row.messages.human + row.messages.agent)} · ${dollars(row.cost)}`,
                      }))}
                    />
                  )
                }
              </Awaited>
            </Section>
          </div>
        </>
      )}
    </Page>
  )
}

/** The newest days fit side by side; more would be hairlines. */
const MOST_DAYS = 60

function Costs({ rows }: { rows: StatsAnswer['rows'] }) {
  const stacked = byModel(rows.slice(-MOST_DAYS), 'cost')
  if (stacked.series.length === 0)
    return <Empty title="No costs yet">Replies that state their tokens appear here.</Empty>
  return <Columns {...stacked} shown={dollars} label="Cost by day and model" />
}
