import type { LiveAnswer } from '../../api/shapes.ts'
import type { Asked } from '../../api/use-answer.ts'
import { Time } from '../../parts/time.tsx'
import { Section } from '../../shell/page.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { modelName, titleOf } from '../../text/names.ts'
import { distance } from '../../text/times.ts'

/** Sessions that are going on now, as they write. */
export function Live({ asked: { answer } }: { asked: Asked<LiveAnswer> }) {
  if (!answer) return null
  if (answer.sessions.length === 0)
    return (
      <p class="note">
        No agent has written anything in the last 15 minutes. New sessions appear here by themselves.
      </p>
    )
  return (
    <Section title="Now" more={counted(answer.sessions.length, 'session')} class="now">
      <ul class="cards">
        {answer.sessions.map((row) => (
          <li key={row.path}>
            <a class="card" href={sessionAddress(row.id)}>
              <span class="card-title" dir="auto">
                {titleOf(row)}
              </span>
              <span class="card-facts">
                {row.open && <span class="live-mark">open now</span>}
                <span dir="auto">{row.project ?? row.agent}</span>
                {row.model && <span dir="auto">{modelName(row.model)}</span>}
                <Time at={row.lastActivityAt} text={distance} />
              </span>
              <ul class="live-words">
                {row.last.map((item, index) => (
                  <li key={index} data-who={item.who} dir="auto">
                    {(
                      item.text ??
                      (item.tool ? `${item.tool.name} ${item.tool.target ?? ''}` : (item.marker ?? ''))
                    ).slice(0, 240)}
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
