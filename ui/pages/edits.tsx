import { useState } from 'preact/hooks'
import { openCalls } from '../../src/model/open-calls.ts'
import { filesWritten } from '../../src/model/written-files.ts'
import { ask, type Hit } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Button } from '../parts/controls.tsx'
import { Awaited, Empty, Incomplete } from '../parts/notice.tsx'
import { Page, Time } from '../parts/page.tsx'
import { projectAddress, sessionAddress } from '../state/router.ts'
import { counted, fileName } from '../text/format.ts'
import { dayName, ms, timeOfDay } from '../text/times.ts'
import { FileReview } from './session/file-review.tsx'

/** The calls that edit files, as a search. */
const EDITS = 'edited:* who:tool'

const FIRST = 100

/** What became of a call is among so many items after it. */
const AFTER = 8

/** What one session did to one file. */
interface Edited {
  file: string
  /** The last edit. */
  last: Hit
  edits: number
}

/** A patch may be of several files. */
const filesOf = ({ tool }: Hit): string[] =>
  tool?.target ? filesWritten({ name: tool.name, target: tool.target }) : []

/** Whether a call did what it says: it did not fail, and nobody declined it. */
function isDone(hit: Hit): boolean {
  const open = openCalls<unknown>()
  open.made(hit, hit)
  for (const item of hit.context?.after ?? [])
    if (item.who === 'tool') open.made(item, item)
    else if (item.sure !== false && open.answered(item) === hit) return false
  return true
}

/** Each file of a session once, where it was edited last. */
function editedIn(hits: readonly Hit[]): Edited[] {
  const found = new Map<string, Edited>()
  for (const hit of hits.filter(isDone))
    for (const file of filesOf(hit)) {
      const key = `${hit.path} ${file}`
      const known = found.get(key)
      if (known) known.edits++
      else found.set(key, { file, last: hit, edits: 1 })
    }
  return [...found.values()]
}

/** The files that agents changed in all sessions, newest first. */
export function Edits() {
  const [limit, setLimit] = useState(FIRST)
  const asked = useAnswer(ask('search', { query: [EDITS], sort: 'newest', limit, context: AFTER }), {
    live: 3000,
    keep: true,
  })
  return (
    <Page title="Recent edits" subtitle="Files that agents changed, with the session and what it changed">
      <Awaited asked={asked} what="The edits">
        {({ hits, total, more, incomplete }) => {
          const days = Map.groupBy(editedIn(hits), ({ last }) => dayName(ms(last.at) ?? 0))
          if (hits.length === 0)
            return (
              <>
                <Incomplete of={incomplete} verb="Searched" />
                <Empty title="No edits yet">Files that an agent writes appear here.</Empty>
              </>
            )
          return (
            <>
              <Incomplete of={incomplete} verb="Searched" />
              {[...days].map(([day, edited]) => (
                <section key={day} class="edits">
                  <h2>{day}</h2>
                  <ul class="changes">
                    {edited.map((each) => (
                      <EditedFile key={`${each.last.path} ${each.file}`} edited={each} />
                    ))}
                  </ul>
                </section>
              ))}
              {(total > hits.length || more) && (
                <Button label="Show more" onClick={() => setLimit(limit * 2)} />
              )}
            </>
          )
        }}
      </Awaited>
    </Page>
  )
}

/** The folder of a file, within its project if the path shows that. */
function folderIn(project: string | null, file: string): string {
  const folder = file.slice(0, -fileName(file).length)
  const inside = `/${project}/`
  const at = project === null ? -1 : folder.indexOf(inside)
  return at < 0 ? folder : folder.slice(at + inside.length)
}

function EditedFile({ edited: { file, last, edits } }: { edited: Edited }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details class="change" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary title={file}>
          <span class="change-name" dir="auto">
            {fileName(file)}
          </span>
          {edits > 1 && <span class="note">{counted(edits, 'edit')}</span>}
          <span class="note edit-folder" dir="auto">
            {folderIn(last.project, file)}
          </span>
        </summary>
        {isOpen && <NetChange session={last.session} file={file} />}
      </details>
      <p class="edit-session note">
        <AgentBadge platform={last.platform} agent={last.agent} />
        <Time at={last.at} text={timeOfDay} />
        {last.project && (
          <a href={projectAddress(last.project)} dir="auto">
            {last.project}
          </a>
        )}
        <a class="link" href={sessionAddress(last.session, last.line)} dir="auto">
          {last.title ?? last.session.slice(0, 8)}
        </a>
      </p>
    </li>
  )
}

/** First state against last, as the session itself shows it. */
function NetChange({ session, file }: { session: string; file: string }) {
  const asked = useAnswer(ask('changes', { session, file }))
  return (
    <Awaited asked={asked} what="The change">
      {({ files }) =>
        files.length === 0 ? (
          <p class="note">The edit failed, or its file is not recorded.</p>
        ) : (
          files.map((each) => <FileReview key={each.path} file={each} session={session} />)
        )
      }
    </Awaited>
  )
}
