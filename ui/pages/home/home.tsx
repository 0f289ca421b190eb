import { ask } from '../../api/ask.ts'
import type { SessionsAnswer, StatsAnswer, StatsRow } from '../../api/shapes.ts'
import { type Asked, useAnswer } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { YearHeat } from '../../parts/heat.tsx'
import { InOrder } from '../../parts/in-order.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { SessionLine } from '../../parts/session-line.tsx'
import { Page, Section } from '../../shell/page.tsx'
import { indexing } from '../../state/events.ts'
import { brief, counted, dollars } from '../../text/figures.ts'
import { statsAddress } from '../stats/address.ts'
import { DayColumns } from '../stats/day-columns.tsx'
import { dimensionOf } from '../stats/dimensions.ts'
import { FailingJobs } from './failing-jobs.tsx'
import { Live } from './live.tsx'
import { useVanishing, Vanishing } from './vanishing.tsx'

const SLOW_MS = 10_000

export function Home() {
  // Asked first, because the server answers in order and statistics take longest.
  const recent = useAnswer(ask('sessions', { all: true, limit: 6 }), {
    live: 3000,
    keep: true,
  })
  const overview = useAnswer(ask('overview'), { live: SLOW_MS, keep: true })
  const days = useAnswer(statsAddress({ by: 'day', breakdown: true, since: '365d' }), {
    live: SLOW_MS,
    keep: true,
  })
  const projects = useAnswer(statsAddress({ by: 'project', since: '90d', limit: 6 }), {
    keep: true,
  })
  const live = useAnswer(ask('live'), { live: 1000, keep: true })
  const failing = useAnswer(ask('cron', { failed: true }), { live: 30_000, keep: true })
  const vanishing = useVanishing()
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
        <InOrder
          what="The rest"
          parts={[
            { asked: [live], draw: () => <Live asked={live} /> },
            { asked: [recent], draw: () => <Latest asked={recent} /> },
            { asked: [days], draw: () => <LastYear asked={days} /> },
            {
              asked: [projects],
              draw: () => (
                <div class="two">
                  <DayColumns asked={days} newest={90} />
                  <BusyProjects asked={projects} />
                </div>
              ),
            },
            { asked: [failing], draw: () => <FailingJobs asked={failing} /> },
            { asked: [vanishing.asked], draw: () => <Vanishing {...vanishing} /> },
          ]}
        />
      )}
    </Page>
  )
}

const Latest = ({ asked }: { asked: Asked<SessionsAnswer> }) => (
  <Section title="Latest sessions" more={<a href="/sessions">All sessions</a>}>
    <Awaited asked={asked} what="The latest sessions">
      {({ sessions }) => (
        <ul class="rows">
          {sessions.map((row) => (
            <li key={row.path}>
              <SessionLine row={row} />
            </li>
          ))}
        </ul>
      )}
    </Awaited>
  </Section>
)

const messagesOf = ({ messages }: StatsRow): number => messages.human + messages.agent

const LastYear = ({ asked }: { asked: Asked<StatsAnswer> }) => (
  <Section title="The last year" more={<a href="/stats">Statistics</a>}>
    <Awaited asked={asked} what="The calendar">
      {({ rows }) => (
        <YearHeat
          days={rows.map((row) => ({ day: row.key, value: messagesOf(row) }))}
          unit="message"
          addressOf={(day) => `/sessions?since=${day}&until=${day}`}
        />
      )}
    </Awaited>
  </Section>
)

const BusyProjects = ({ asked }: { asked: Asked<StatsAnswer> }) => (
  <Section title="Busiest projects" more="90 days">
    <Awaited asked={asked} what="The projects">
      {({ rows }) =>
        rows.length === 0 ? (
          <Empty title="Nothing in 90 days" />
        ) : (
          <Bars
            rows={rows.map((row) => ({
              key: row.key,
              name: <ProjectName row={row} />,
              value: messagesOf(row),
              shown: `${brief(messagesOf(row))} ${messagesOf(row) === 1 ? 'message' : 'messages'} · ${dollars(row.cost)}`,
            }))}
          />
        )
      }
    </Awaited>
  </Section>
)

/** Sessions without a project have no page of their own. */
function ProjectName({ row }: { row: StatsRow }) {
  const address = dimensionOf('project')?.address?.(row)
  return address ? <a href={address}>{row.key}</a> : row.key
}
