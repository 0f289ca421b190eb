import { useState } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import type { VanishingAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ShowAll } from '../../parts/show-all.tsx'
import { Time } from '../../parts/time.tsx'
import { Section } from '../../shell/page.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { distance } from '../../text/times.ts'

/** More are shown on request. */
const MOST = 8

/** The sessions that clients are about to delete: the first of them, or all. */
export function useVanishing() {
  const [all, setAll] = useState(false)
  const asked = useAnswer(ask('vanishing', { limit: all ? 0 : MOST }), {
    live: 30_000,
    keep: true,
  })
  return { asked, all, setAll }
}

/** What clients are about to delete, and whether the store already has it. */
export function Vanishing({ asked: { answer }, all, setAll }: ReturnType<typeof useVanishing>) {
  if (!answer || answer.sessions.length === 0) return null
  return (
    <Section title="About to be deleted" more={remark(answer)}>
      <Deletions sessions={answer.sessions} />
      {answer.total > MOST && <ShowAll total={answer.total} all={all} setAll={setAll} />}
    </Section>
  )
}

const remark = ({ total, stored }: VanishingAnswer): string =>
  stored === total
    ? 'All of it stays readable here.'
    : `${counted(total - stored, 'session')} not in the store yet: run scrollback index.`

function Deletions({ sessions }: Pick<VanishingAnswer, 'sessions'>) {
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label="About to be deleted">
      <table class="data stacked">
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">Project</th>
            <th scope="col">Its client deletes it</th>
            <th scope="col">Stored here</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.path}>
              <th scope="row" dir="auto">
                <a href={sessionAddress(session.id)}>{session.title ?? session.id}</a>
              </th>
              <td dir="auto" data-label="Project">
                {session.project ?? '–'}
              </td>
              <td data-label="Its client deletes it">
                <Time at={session.deletesAt} text={distance} />
              </td>
              <td data-label="Stored here">
                <span class="status" data-state={session.stored ? 'ok' : 'warning'}>
                  {session.stored ? 'yes' : 'not yet'}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
