import { apiAddress } from '../../api/client.ts'
import type { ProjectsAnswer, SessionsAnswer, StatsAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { Columns } from '../../parts/columns.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { SessionLine } from '../../parts/session-line.tsx'
import { Page, Section } from '../../shell/page.tsx'
import { segments } from '../../state/router.ts'
import { brief, counted, dollars } from '../../text/figures.ts'
import { shortPath } from '../../text/names.ts'
import { statsAddress } from '../stats/address.ts'
import { byModel } from '../stats/models.ts'
import { ProjectEvidence } from './evidence.tsx'
import { ProjectFigures } from './project-figures.tsx'
import { Timeline } from './timeline.tsx'

const MOST_SESSIONS = 8

export function Project() {
  const name = segments.value[1] ?? ''
  const sessions = useAnswer<SessionsAnswer>(apiAddress('sessions', { project: name, limit: 500 }), {
    live: 4000,
    keep: true,
  })
  const stats = useAnswer<StatsAnswer>(
    statsAddress({ all: undefined, project: name, by: 'day', breakdown: true }),
  )
  const projects = useAnswer<ProjectsAnswer>('/api/projects')
  const path = projects.answer?.projects.find((project) => project.name === name)?.path
  return (
    <Page title={name} tells={path && path !== name ? <span dir="auto">{path}</span> : ' '}>
      <Awaited asked={stats} what="The figures of the project">
        {(answer) => <ProjectFigures totals={answer.totals} activeDays={answer.activeDays} />}
      </Awaited>
      <Awaited asked={sessions} what="The sessions of the project">
        {(answer) =>
          answer.sessions.length === 0 ? (
            <Empty title="No sessions">No session worked in this project.</Empty>
          ) : (
            <>
              <Section title="Time line" more="each session, as long as it lasted, as high as its messages">
                <Timeline sessions={answer.sessions} />
              </Section>
              <Section
                title="Sessions"
                more={
                  answer.total > MOST_SESSIONS && (
                    <a href={`/sessions?project=${encodeURIComponent(name)}`}>{`All ${answer.total}`}</a>
                  )
                }
              >
                <ul class="rows">
                  {answer.sessions.slice(0, MOST_SESSIONS).map((row) => (
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
      <ProjectEvidence project={name} />
      {stats.answer && (
        <>
          {(stats.answer.totals.cost ?? 0) > 0 && (
            <Section title="Cost by day and model">
              <Columns
                {...byModel(stats.answer.rows.slice(-90), 'cost')}
                shown={dollars}
                label="Cost by day and model"
              />
            </Section>
          )}
          <div class="two">
            {stats.answer.files.length > 0 && (
              <Section title="Files written most">
                <Bars
                  rows={stats.answer.files.slice(0, 12).map((file) => ({
                    key: file.path,
                    name: shortPath(file.path, 2),
                    value: file.count,
                    shown: counted(file.count, 'time'),
                  }))}
                />
              </Section>
            )}
            {stats.answer.tools.length > 0 && (
              <Section title="Tools">
                <Bars
                  rows={stats.answer.tools.slice(0, 12).map((tool) => ({
                    key: tool.name,
                    name: tool.name,
                    value: tool.calls,
                    shown: `${brief(tool.calls)}${tool.errors > 0 ? ` · ${brief(tool.errors)} failed` : ''}`,
                  }))}
                />
              </Section>
            )}
          </div>
        </>
      )}
    </Page>
  )
}
