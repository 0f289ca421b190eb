import type { VanishingAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Time } from '../../parts/time.tsx'
import { Section } from '../../shell/page.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { distance } from '../../text/times.ts'

const MOST = 8

/** What clients are about to delete, and whether the store already has it. */
export function Vanishing() {
  const { answer } = useAnswer<VanishingAnswer>('/api/vanishing', { live: 30_000, keep: true })
  if (!answer || answer.sessions.length === 0) return null
  const { sessions, total, stored } = answer
  const all =
    stored === total
      ? 'All of it stays readable here.'
      : `${counted(total - stored, 'session')} not in the store yet: run scrollback index.`
  return (
    <Section title="About to be deleted" more={all}>
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
            {sessions.slice(0, MOST).map((session) => (
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
      {total > MOST && <p class="note">{`and ${counted(total - MOST, 'more', 'more')}`}</p>}
    </Section>
  )
}
