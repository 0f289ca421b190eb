import { slugMatches } from '../../../src/model/slug.ts'
import { ask } from '../../api/ask.ts'
import type { Document, ProjectsAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import { memoryAddress, query } from '../../state/router.ts'
import { bytes, counted } from '../../text/figures.ts'
import { platformName } from '../../text/names.ts'
import { DocumentView } from './document.tsx'
import { Semantic } from './semantic.tsx'

/** The name of the project or agent that a text belongs to. Texts of projects are in folders named by slugs. */
function ownerOf({ agent, project: slug, platform }: Document, projects: ProjectsAnswer['projects']): string {
  if (slug === null) return agent ?? platform
  const project = projects.find(({ path }) => path === slug || (path !== null && slugMatches(slug, path)))
  return project?.name ?? slug
}

/** What agents remember, with the versions of each text. */
export function Memory() {
  const asked = useAnswer(ask('memory'), { live: 10_000, keep: true })
  const projects = useAnswer(ask('projects'), { keep: true }).answer?.projects ?? []
  const chosen = query('file')
  return (
    <Page title="Memory" tells={asked.answer ? counted(asked.answer.total, 'text') : ' '}>
      <Awaited asked={asked} what="The memory">
        {({ documents, semantic }) =>
          documents.length === 0 ? (
            <Empty title="No memory yet">Notes and logs that agents write for themselves appear here.</Empty>
          ) : (
            <div class="split" data-chosen={chosen !== ''}>
              <nav class="documents" aria-label="Texts">
                {[...Map.groupBy(documents, (document) => ownerOf(document, projects))].map(
                  ([owner, own]) => (
                    <section key={owner}>
                      <h3>
                        <span dir="auto">{owner}</span>
                        {own[0] && owner !== own[0].platform && (
                          <span class="note">{platformName(own[0].platform)}</span>
                        )}
                      </h3>
                      <ul>
                        {own.map((document) => (
                          <li key={document.path}>
                            <Entry document={document} isChosen={document.path === chosen} />
                          </li>
                        ))}
                      </ul>
                    </section>
                  ),
                )}
              </nav>
              <div>
                {chosen === '' ? (
                  <>
                    <Empty title="Choose a text">
                      Each one is shown with its versions, and what changed between them.
                    </Empty>
                    {semantic && semantic.length > 0 && <Semantic rows={semantic} />}
                  </>
                ) : (
                  <>
                    <a class="all-texts" href="/memory">
                      All texts
                    </a>
                    <DocumentView document={documents.find(({ path }) => path === chosen)} />
                  </>
                )}
              </div>
            </div>
          )
        }
      </Awaited>
    </Page>
  )
}

function Entry({ document, isChosen }: { document: Document; isChosen: boolean }) {
  return (
    <a href={memoryAddress(document.path)} aria-current={isChosen ? 'page' : undefined}>
      <span class="document-name">
        <span dir="auto">{document.name}</span>
        <span class="note">
          <Time at={document.modifiedAt} />
        </span>
      </span>
      <span class="note">
        {`${document.kind} · ${bytes(document.bytes)}`}
        {document.versions > 1 && ` · ${counted(document.versions, 'version')}`}
        {document.goneSince && ' · deleted'}
      </span>
    </a>
  )
}
