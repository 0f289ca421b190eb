import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ask, type DevlogAnswer, type ListingAnswer, type SessionRow, type StatsAnswer } from '../api/ask.ts'
import { type Asked, useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { FileBars, ToolBars, UsageFigures } from '../parts/charts.tsx'
import { Button } from '../parts/controls.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { InOrder, Page, Section, Time } from '../parts/page.tsx'
import { SessionLine } from '../parts/session-line.tsx'
import { Table } from '../parts/table.tsx'
import { projectAddress, segments, sessionAddress } from '../state/router.ts'
import { bytes, count, counted, titleOf } from '../text/format.ts'
import { age, dateOf, ms } from '../text/times.ts'
import { DayColumns } from './day-columns.tsx'
import { sessionsOf } from './query-filters.ts'
import { statsAddress } from './stats-dimensions.ts'

export function Projects() {
  const asked = useAnswer(ask('projects'), { live: 5000, keep: true })
  return (
    <Page title="Projects" subtitle={asked.answer ? counted(asked.answer.total, 'project') : ' '}>
      <Awaited asked={asked} what="The projects">
        {({ projects }) =>
          projects.length === 0 ? (
            <Empty title="No projects yet">A project is a folder that sessions worked in.</Empty>
          ) : (
            <Table
              label="Projects"
              stacked
              columns={['Project', 'Agents', 'Sessions', 'Messages', 'Size', 'Last activity']}
              numbers={['Sessions', 'Messages', 'Size', 'Last activity']}
            >
              {projects.map((project) => (
                <tr key={`${project.name} ${project.path}`}>
                  <th scope="row">
                    <a href={projectAddress(project.name)} dir="auto">
                      {project.name}
                    </a>
                    {project.path !== project.name && (
                      <p class="note folder" dir="auto" title={project.path ?? undefined}>
                        {project.path}
                      </p>
                    )}
                  </th>
                  <td data-label="Agents">
                    <span class="badges">
                      {project.platforms.map((platform) => (
                        <AgentBadge key={platform} platform={platform} />
                      ))}
                    </span>
                  </td>
                  <td class="right" data-label="Sessions">
                    {count(project.sessions)}
                  </td>
                  <td class="right" data-label="Messages">
                    {count(project.messages.human + project.messages.agent)}
                  </td>
                  <td class="right" data-label="Size">
                    {bytes(project.bytes)}
                  </td>
                  <td class="right" data-label="Last activity">
                    <Time at={project.lastActivityAt} text={age} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Awaited>
    </Page>
  )
}

const MOST_SESSIONS = 8
/** More sessions are in the time line on request. */
const MOST_IN_LINE = 500

export function Project() {
  const name = segments.value[1] ?? ''
  const [all, setAll] = useState(false)
  const sessions = useAnswer(ask('listing', { project: name, limit: all ? 0 : MOST_IN_LINE }), {
    live: 4000,
    keep: true,
  })
  const stats = useAnswer(statsAddress({ project: name, by: 'day', breakdown: true }))
  const projects = useAnswer(ask('projects'))
  const path = projects.answer?.projects.find((project) => project.name === name)?.path
  if (stats.failure?.status === 404)
    return (
      <Page title="There is no such project">
        <Empty title={`No session worked in “${name}”`}>
          <p>
            See <a href="/projects">all projects</a>, or{' '}
            <a href={`/search?${new URLSearchParams({ q: name })}`}>search every message for it</a>.
          </p>
        </Empty>
      </Page>
    )
  return (
    <Page title={name} subtitle={path && path !== name ? <span dir="auto">{path}</span> : ' '}>
      <InOrder
        what="The project"
        parts={[
          {
            asked: [stats],
            draw: () => (
              <Awaited asked={stats} what="The figures of the project">
                {({ totals, activeDays, silent, ofPeople, notPriced }) => (
                  <UsageFigures
                    totals={totals}
                    activeDays={activeDays}
                    silent={silent}
                    ofPeople={ofPeople}
                    notPriced={notPriced}
                  />
                )}
              </Awaited>
            ),
          },
          {
            asked: [sessions],
            draw: () => <ProjectSessions name={name} asked={sessions} showAll={() => setAll(true)} />,
          },
          {
            asked: [],
            draw: () => (
              <>
                <ProjectEvidence project={name} />
                {stats.answer && <Work asked={stats} answer={stats.answer} />}
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}

interface ProjectSessionsProperties {
  name: string
  asked: Asked<ListingAnswer>
  showAll(): void
}

/** The sessions of a project over time, and the latest of them. */
const ProjectSessions = ({ name, asked, showAll }: ProjectSessionsProperties) => (
  <Awaited asked={asked} what="The sessions of the project">
    {({ sessions, total }) =>
      total === 0 ? (
        <Empty title="No sessions">No session worked in this project.</Empty>
      ) : (
        <>
          <Section
            title="Time line"
            more="one bar per session: its width is the duration, its height the messages"
          >
            <Timeline sessions={sessions} />
            {total > sessions.length && (
              <p class="more-rows">
                <span class="note">{`The newest ${count(sessions.length)} of ${count(total)} sessions. `}</span>
                <Button label={`Show all ${count(total)}`} onClick={showAll} />
              </p>
            )}
          </Section>
          <Section
            title="Sessions"
            more={
              total > MOST_SESSIONS && <a href={sessionsOf({ project: name })}>{`All ${count(total)}`}</a>
            }
          >
            <ul class="rows">
              {sessions.slice(0, MOST_SESSIONS).map((row) => (
                <li key={row.path}>
                  <SessionLine row={row} withoutProject />
                </li>
              ))}
            </ul>
          </Section>
        </>
      )
    }
  </Awaited>
)

/** What the work on a project cost, and what it touched. */
const Work = ({ asked, answer: { files, tools } }: { asked: Asked<StatsAnswer>; answer: StatsAnswer }) => (
  <>
    <DayColumns asked={asked} />
    <div class="two">
      {files.length > 0 && (
        <Section title="Most edited files">
          <FileBars files={files} />
        </Section>
      )}
      {tools.length > 0 && (
        <Section title="Tools">
          <ToolBars tools={tools} />
        </Section>
      )}
    </div>
  </>
)

type Evidence = NonNullable<DevlogAnswer['evidence']>
type Citation = Evidence['commits'][number]['commit']

interface Row {
  label: string
  cited: Citation
}

const MOST_ROWS = 8
const STEPS: Record<string, string> = { correction: 'Correction', course: 'Change of course' }

/**
 * What the sessions of a project show: phases, what the human accepted, where they stepped in, and what is open. It is
 * gathered when somebody asks, because that reads every session.
 */
function ProjectEvidence({ project }: { project: string }) {
  const [wanted, setWanted] = useState<string>()
  const asked = useAnswer(
    wanted === project ? ask('devlog', { project, yes: true, evidence: true }) : undefined,
  )
  return (
    <Section title="Evidence" more="corrections, agreement and open ends, each with its record">
      {wanted === project ? (
        <Awaited asked={asked} what="The evidence">
          {({ evidence }) => evidence && <Lists evidence={evidence} />}
        </Awaited>
      ) : (
        <Button label="Show the evidence" onClick={() => setWanted(project)} />
      )}
    </Section>
  )
}

function Lists({ evidence }: { evidence: Evidence }) {
  const { phases, dynamics, errors, questions, coverage } = evidence
  const { used, fitting } = coverage.sessions
  const open = [
    ...errors
      .filter(({ ending }) => ending === 'still-failing')
      .map(({ error }) => ({ label: 'Still failing', cited: error })),
    ...questions
      .filter(({ answer }) => answer === null)
      .map(({ question }) => ({ label: 'No answer', cited: question })),
  ]
  return (
    <>
      <p class="note">
        {used < fitting || coverage.items.read < coverage.items.there
          ? `From ${used} of ${counted(fitting, 'session')}, the rest did not fit`
          : `From ${fitting === 1 ? 'its session' : `all ${count(fitting)} sessions`}`}
      </p>
      <Cited
        title="Phases"
        rows={phases.map(({ title, asked }) => ({ label: title, cited: asked }))}
        empty="No human wrote in these sessions."
      />
      <Cited
        title="What the human accepted"
        rows={dynamics.flatMap(({ kind, citations: [cited] }) =>
          kind === 'agreement' && cited ? [{ label: 'Agreement', cited }] : [],
        )}
        empty="The rules found no agreement."
      />
      <Cited
        title="Where the human stepped in"
        rows={dynamics.flatMap(({ kind, citations: [cited] }) =>
          STEPS[kind] && cited ? [{ label: STEPS[kind], cited }] : [],
        )}
        empty="The rules found nothing."
      />
      <Cited title="Open" rows={open} empty="Nothing is open." />
    </>
  )
}

function Cited({ title, rows, empty }: { title: string; rows: readonly Row[]; empty: ComponentChildren }) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, MOST_ROWS)
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 && <p class="note">{empty}</p>}
      <ul class="hits">
        {shown.map(({ label, cited }, place) => (
          <li key={place}>
            <a class="hit" href={sessionAddress(cited.session, cited.line)}>
              <span class="hit-head">
                <span class="hit-who" dir="auto">
                  {label}
                </span>
                <Time at={cited.at} />
              </span>
              <span class="hit-words" dir="auto">
                {cited.quote}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Button label={`Show all ${rows.length}`} onClick={() => setAll(true)} />
      )}
    </div>
  )
}

const WIDTH = 1000
const HEIGHT = 90
const LEAST_WIDTH = 4

/** The sessions of a project over time. Each links to its session. */
function Timeline({ sessions }: { sessions: readonly SessionRow[] }) {
  const dated = sessions.flatMap((row) => {
    const start = ms(row.startedAt)
    const end = ms(row.lastActivityAt)
    return start === undefined || end === undefined ? [] : [{ row, start, end }]
  })
  if (dated.length === 0) return null
  const first = Math.min(...dated.map(({ start }) => start))
  const last = Math.max(...dated.map(({ end }) => end))
  const span = last - first || 1
  const most = Math.max(...dated.map(({ row }) => row.messages.human + row.messages.agent), 1)
  return (
    <figure>
      <svg
        class="timeline"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label="Sessions over time"
      >
        {dated.map(({ row, start, end }) => {
          const messages = row.messages.human + row.messages.agent
          const width = Math.max(LEAST_WIDTH, ((end - start) / span) * WIDTH)
          const x = Math.min(((start - first) / span) * WIDTH, WIDTH - width)
          const height = 12 + Math.sqrt(messages / most) * (HEIGHT - 14)
          const name = `${titleOf(row)}, ${dateOf(start)}, ${counted(messages, 'message')}`
          return (
            <a key={row.path} href={sessionAddress(row.id)} data-kind={row.kind} aria-label={name}>
              <title>{name}</title>
              <rect x={x} y={HEIGHT - height} width={width} height={height} rx={1.5} />
            </a>
          )
        })}
      </svg>
      <div class="axis">
        <span>{dateOf(first)}</span>
        <span>{dateOf(last)}</span>
      </div>
    </figure>
  )
}
