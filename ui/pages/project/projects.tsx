import { ask } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import { projectAddress } from '../../state/router.ts'
import { bytes, count, counted } from '../../text/figures.ts'
import { platformName } from '../../text/names.ts'

export function Projects() {
  const asked = useAnswer(ask('projects'), { live: 5000, keep: true })
  return (
    <Page title="Projects" tells={asked.answer ? counted(asked.answer.total, 'project') : ' '}>
      <Awaited asked={asked} what="The projects">
        {({ projects }) =>
          projects.length === 0 ? (
            <Empty title="No projects yet">A project is a folder that sessions worked in.</Empty>
          ) : (
            <div class="table-holder" tabIndex={0} role="region" aria-label="Projects">
              <table class="data stacked">
                <thead>
                  <tr>
                    <th scope="col">Project</th>
                    <th scope="col">Clients</th>
                    <th scope="col" class="right">
                      Sessions
                    </th>
                    <th scope="col" class="right">
                      Messages
                    </th>
                    <th scope="col" class="right">
                      Size
                    </th>
                    <th scope="col" class="right">
                      Last activity
                    </th>
                  </tr>
                </thead>
                <tbody>
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
                      <td data-label="Clients">{project.platforms.map(platformName).join(', ')}</td>
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
                        <Time at={project.lastActivityAt} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Awaited>
    </Page>
  )
}
