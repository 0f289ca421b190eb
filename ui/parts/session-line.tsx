import type { SessionRow } from '../api/ask.ts'
import { marksAvailable, marksOf, toggleStar } from '../state/marks.ts'
import { sessionAddress } from '../state/router.ts'
import {
  agentName,
  brief,
  bytes,
  costOrRecorded,
  counted,
  kindName,
  modelName,
  titleOf,
} from '../text/format.ts'
import { age, duration, ms } from '../text/times.ts'
import { AgentBadge } from './agent-badge.tsx'
import { Button } from './controls.tsx'
import { Time } from './page.tsx'

const tokensOf = ({ usage }: SessionRow): number =>
  usage ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : 0

/** The figure that the list is ordered by. */
function figure(row: SessionRow, sort: string): string | undefined {
  if (sort === 'cost') return costOrRecorded(row.cost, row.usage?.cost)
  if (sort === 'tokens') return `${brief(tokensOf(row))} tokens`
  if (sort === 'size') return bytes(row.bytes)
  const start = ms(row.startedAt)
  const end = ms(row.lastActivityAt)
  return sort === 'duration' && start !== undefined && end !== undefined ? duration(end - start) : undefined
}

function size({ messages, toolCalls }: SessionRow): string {
  const many = messages.human + messages.agent
  return many === 0 && toolCalls > 0 ? counted(toolCalls, 'call') : counted(many, 'message')
}

/** What a session was about, in one line below its title. */
function about(row: SessionRow): string {
  const last = row.lastHuman.at(-1)
  if (last && last !== row.firstHuman) return last
  return row.firstHuman ?? row.firstProgram ?? ''
}

interface LineProperties {
  row: SessionRow
  sort?: string
  /** It is shown beside the list. */
  isSelected?: boolean
  /** The heading above names its project. */
  withoutProject?: boolean
  /** What a click does instead of opening it, unless it is selected already. */
  onChoose?: ((row: SessionRow) => void) | undefined
}

/** A click that a link follows in its own tab. */
const isPlain = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey

/** One session in a list: its agent, its title, last words, and what helps to recognize it. */
export function SessionLine({ row, sort = '', isSelected, withoutProject, onChoose }: LineProperties) {
  const { name, tags = [] } = marksOf(row)
  const choose = (event: MouseEvent) => {
    if (!onChoose || isSelected || event.detail === 0 || !isPlain(event)) return
    event.preventDefault()
    onChoose(row)
  }
  return (
    <div class="session-line" data-kind={row.kind ?? 'empty'} data-selected={isSelected}>
      <AgentBadge platform={row.platform} agent={row.agent} />
      <a
        class="session-link"
        href={sessionAddress(row.id)}
        aria-current={isSelected ? 'true' : undefined}
        onClick={choose}
      >
        <span class="session-title">
          <span class="session-name" dir="auto">
            {name || titleOf(row)}
          </span>
          {row.open && <span class="live-mark">open now</span>}
          {row.kind !== 'human' && <span class="tag">{kindName(row.kind)}</span>}
          {row.state !== 'live' && <span class="tag">{row.state}</span>}
          {row.goneSince && <span class="tag gone">deleted by its client</span>}
          {tags.map((tag) => (
            <span key={tag} class="tag own" dir="auto">
              {tag}
            </span>
          ))}
        </span>
        <span class="session-about" dir="auto">
          {about(row).replace(/\s+/g, ' ').slice(0, 240)}
        </span>
      </a>
      <span class="session-meta">
        <span class="session-where">
          {!withoutProject && row.project && (
            <span class="session-project" dir="auto">
              {row.project}
            </span>
          )}
          <span class="session-model" dir="auto">
            {row.model ? modelName(row.model) : agentName(row.platform, row.agent)}
          </span>
        </span>
        <span class="session-size">
          <span>{figure(row, sort) ?? size(row)}</span>
          {row.errors > 0 && <span class="error-words">{counted(row.errors, 'error')}</span>}
        </span>
      </span>
      <Time class="session-age" at={row.lastActivityAt ?? row.modifiedAt} text={age} />
      <Star row={row} />
    </div>
  )
}

export function Star({ row }: { row: SessionRow }) {
  if (!marksAvailable.value) return null
  const isStarred = marksOf(row).star === true
  return (
    <span class="star" data-on={isStarred}>
      <Button
        label={isStarred ? 'Remove the star' : 'Star'}
        icon="star"
        bare
        filled={isStarred}
        pressed={isStarred}
        onClick={() => void toggleStar(row)}
      />
    </span>
  )
}
