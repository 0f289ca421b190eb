import { useState } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import type { ListingAnswer, StatsAnswer } from '../../api/shapes.ts'
import { type Asked, useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { InOrder } from '../../parts/in-order.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { SessionLine } from '../../parts/session-line.tsx'
import { FileBars, ToolBars } from '../../parts/usage-bars.tsx'
import { Page, Section } from '../../shell/page.tsx'
import { segments } from '../../state/router.ts'
import { count } from '../../text/figures.ts'
import { statsAddress } from '../stats/address.ts'
import { DayColumns } from '../stats/day-columns.tsx'
import { ProjectEvidence } from './evidence.tsx'
import { ProjectFigures } from './project-figures.tsx'
import { Timeline } from './timeline.tsx'

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
  return (
    <Page title={name} tells={path && path !== name ? <span dir="auto">{path}</span> : ' '}>
      <InOrder
        what="The project"
        parts={[
          {
            asked: [stats],
            draw: () => (
              <Awaited asked={stats} what="The figures of the project">
                {(answer) => <ProjectFigures totals={answer.totals} activeDays={answer.activeDays} />}
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
          <Section title="Time line" more="each session, as long as it lasted, as high as its messages">
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
              total > MOST_SESSIONS && (
                <a href={`/sessions?${new URLSearchParams({ project: name })}`}>{`All ${count(total)}`}</a>
              )
            }
          >
            <ul class="rows">
              {sessions.slice(0, MOST_SESSIONS).map((row) => (
                <li key={row.path}>
                  <SessionLine row={row} />
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
        <Section title="Files written most">
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
