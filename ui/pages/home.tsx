import type { ComponentChildren } from 'preact'
import {
  ask,
  type JobsAnswer,
  type LiveAnswer,
  type SessionsAnswer,
  type StatsAnswer,
  type StatsRow,
  type VanishingAnswer,
} from '../api/ask.ts'
import { type Asked, useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Bars } from '../parts/charts.tsx'
import { Icon } from '../parts/controls.tsx'
import { YearHeat } from '../parts/heat.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { InOrder, Page, Section, Time } from '../parts/page.tsx'
import { SessionLine } from '../parts/session-line.tsx'
import { indexing } from '../state/events.ts'
import { sessionAddress } from '../state/router.ts'
import { brief, counted, dollars, modelName, titleOf } from '../text/format.ts'
import { age, DAY_MS, distance, periodName, serverNow, utcDay } from '../text/times.ts'
import { DayColumns } from './day-columns.tsx'
import { ofDay, sessionsOf } from './query-filters.ts'
import { dimensionOf, statsAddress } from './stats-dimensions.ts'

/** `Claude Code, OpenClaw and Codex`. */
const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const SLOW_MS = 10_000
/** While sessions are read for the first time. */
const FIRST_MS = 1000

export function Home() {
  // What is on screen first is asked first, because the server answers in order and statistics take longest.
  const vanishing = useAnswer(ask('vanishing', { limit: 1 }), { live: 30_000, keep: true })
  const live = useAnswer(ask('live'), { live: 1000, keep: true })
  const recent = useAnswer(ask('sessions', { all: true, limit: 6 }), {
    live: indexing.value ? FIRST_MS : 3000,
    keep: true,
  })
  // The rest is asked when the first rows are there.
  const isBegun = recent.answer !== undefined || recent.failure !== undefined
  const overview = useAnswer(isBegun ? ask('overview') : undefined, {
    live: indexing.value ? FIRST_MS : SLOW_MS,
    keep: true,
  })
  const days = useAnswer(isBegun ? statsAddress({ by: 'day', breakdown: true, since: '365d' }) : undefined, {
    live: SLOW_MS,
    keep: true,
  })
  // The same days as those of the chart beside it, which end with the last one that has anything.
  const last = lastDay(days.answer?.rows ?? [])
  const since = last && utcDay(Date.parse(last) - (DAYS - 1) * DAY_MS)
  const projects = useAnswer(since ? statsAddress({ by: 'project', since, limit: 6 }) : undefined, {
    keep: true,
  })
  const failing = useAnswer(isBegun ? ask('cron', { failed: true }) : undefined, { live: 30_000, keep: true })
  const platforms = overview.answer?.platforms ?? []
  const sessions = platforms.reduce((sum, each) => sum + each.sessions, 0)
  const isNew = overview.answer !== undefined && sessions === 0
  return (
    <Page
      title="Home"
      subtitle={
        overview.answer
          ? `${counted(sessions, 'session')}${platforms.length > 0 ? ` of ${agentsIn(platforms)}` : ''}`
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
            { asked: [vanishing], draw: () => <Vanishing asked={vanishing} /> },
            { asked: [live], draw: () => <Live asked={live} /> },
            { asked: [recent], draw: () => <Latest asked={recent} /> },
            { asked: [days], draw: () => <LastYear asked={days} /> },
            {
              asked: last ? [projects] : [],
              draw: () =>
                last ? (
                  <div class="two">
                    <DayColumns asked={days} newest={DAYS} />
                    <BusyProjects asked={projects} last={last} />
                  </div>
                ) : null,
            },
            { asked: [failing], draw: () => <FailingJobs asked={failing} /> },
          ]}
        />
      )}
    </Page>
  )
}

/** Names of agents, as far as they fit into one line on a phone. */
const agentsIn = (platforms: readonly { name: string }[]): string =>
  platforms.length > FEW ? counted(platforms.length, 'agent') : AND.format(platforms.map(({ name }) => name))

const FEW = 3

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
          addressOf={(day) => sessionsOf(ofDay(day))}
        />
      )}
    </Awaited>
  </Section>
)

/** How many days the charts show. */
const DAYS = 90

/** The last day that has anything. */
const lastDay = (rows: readonly StatsRow[]): string | undefined =>
  rows
    .map(({ key }) => key)
    .filter((key) => !Number.isNaN(Date.parse(key)))
    .sort()
    .at(-1)

const BusyProjects = ({ asked, last }: { asked: Asked<StatsAnswer>; last: string }) => (
  <Section
    title="Busiest projects"
    more={
      Date.parse(last) > serverNow() - DAYS * DAY_MS
        ? `${DAYS} days`
        : `${DAYS} days until ${periodName(last)}`
    }
  >
    <Awaited asked={asked} what="The projects">
      {({ rows }) => (
        <Bars
          rows={rows.map((row) => ({
            key: row.key,
            name: <ProjectName row={row} />,
            value: messagesOf(row),
            shown: `${brief(messagesOf(row))} ${messagesOf(row) === 1 ? 'message' : 'messages'} · ${dollars(row.cost)}`,
          }))}
        />
      )}
    </Awaited>
  </Section>
)

/** Sessions without a project have no page of their own. */
function ProjectName({ row }: { row: StatsRow }) {
  const address = dimensionOf('project')?.address?.(row)
  return address ? <a href={address}>{row.key}</a> : row.key
}

/** Two lines have room for no more. */
const MOST_LETTERS = 240

/** Markdown without its signs. A parser of all of it is large, and this is on the first page. */
const withoutSigns = (text: string): ComponentChildren[] =>
  text
    .replace(/^ *(?:```.*|#+ )/gm, '')
    .replace(/\*\*(\S[^*]*)\*\*/g, '$1')
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))

/** Sessions that are going on now, as they write. */
function Live({ asked: { answer } }: { asked: Asked<LiveAnswer> }) {
  if (!answer) return null
  if (answer.sessions.length === 0)
    return (
      <p class="note">
        No agent has written anything in the last 15 minutes. New sessions appear here automatically.
      </p>
    )
  return (
    <Section title="Now" more={counted(answer.sessions.length, 'session')} class="now">
      <ul class="cards">
        {answer.sessions.map((row) => (
          <li key={row.path}>
            <a class="card" href={sessionAddress(row.id)}>
              <span class="card-head">
                <AgentBadge platform={row.platform} agent={row.agent} />
                <span class="card-title" dir="auto">
                  {titleOf(row)}
                </span>
              </span>
              <span class="card-facts">
                {row.open && <span class="live-mark">open now</span>}
                <span dir="auto">{row.project ?? row.agent}</span>
                {row.model && <span dir="auto">{modelName(row.model)}</span>}
                <Time at={row.lastActivityAt} text={age} />
              </span>
              <ul class="live-words">
                {row.last.map((item, index) => (
                  <li key={index} data-who={item.who} dir="auto">
                    {typeof item.text === 'string'
                      ? withoutSigns(item.text.slice(0, MOST_LETTERS))
                      : (item.tool
                          ? `${item.tool.name} ${item.tool.target ?? ''}`
                          : (item.marker ?? '')
                        ).slice(0, MOST_LETTERS)}
                  </li>
                ))}
              </ul>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function FailingJobs({ asked: { answer } }: { asked: Asked<JobsAnswer> }) {
  if (!answer || answer.jobs.length === 0) return null
  return (
    <Section title="Failing jobs" more={<a href="/jobs">All jobs</a>}>
      <ul class="cards">
        {answer.jobs.map((job) => (
          <li key={job.id}>
            <a class="card" href={`/jobs?job=${encodeURIComponent(job.id)}`}>
              <span class="status" data-state="failed" dir="auto">
                {job.name}
              </span>
              <span class="card-words" dir="auto">
                {job.last?.error ?? 'Its last run failed.'}
              </span>
              <span class="card-facts">
                <span>{job.schedule.words}</span>
                <Time at={job.last?.at} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What clients are about to delete, in one line. */
function Vanishing({ asked: { answer } }: { asked: Asked<VanishingAnswer> }) {
  const [first] = answer?.sessions ?? []
  if (!answer || !first) return null
  const { total, archived, stored } = answer
  return (
    <a class="warning-line" href="/rescue">
      <Icon name="rescue" />
      <span>
        <b>{`About to be deleted: ${counted(total, 'session')}`}</b>
        {', the first '}
        <Time at={first.deletesAt} text={distance} />
        {archived === total
          ? '. All of it is in an archive.'
          : stored === total
            ? '. Messages stay readable here, tool output does not.'
            : `. ${counted(total - stored, 'session')} not in the store yet.`}
      </span>
      <span class="warning-more">
        Rescue
        <Icon name="chevron" />
      </span>
    </a>
  )
}
