import type { SessionRow } from '../../api/shapes.ts'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { titleOf } from '../../text/names.ts'
import { dateOf, ms } from '../../text/times.ts'

const WIDTH = 1000
const HEIGHT = 90
const LEAST_WIDTH = 4

/** The sessions of a project over time. Each links to its session. */
export function Timeline({ sessions }: { sessions: readonly SessionRow[] }) {
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
