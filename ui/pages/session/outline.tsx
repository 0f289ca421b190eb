import { useEffect, useRef } from 'preact/hooks'
import { Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { timeOfDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'

interface Entry {
  index: number
  text: string
  at: number | null
  kind: 'human' | 'marker' | 'subagent'
}

const MARKED = new Set(['compaction', 'interruption', 'reset', 'branch'])

function entriesOf(conversation: Conversation): Entry[] {
  const outline = conversation.outline.value
  if (!outline) return []
  const at = (index: number) => outline.at[index] ?? null
  return [
    ...outline.humans.map(
      (human): Entry => ({ index: human.index, text: human.text, at: human.at, kind: 'human' }),
    ),
    ...outline.markers
      .filter(({ marker }) => MARKED.has(marker))
      .map(({ index, marker }): Entry => ({ index, text: marker, at: at(index), kind: 'marker' })),
    ...outline.subagents.map(
      ({ index, title }): Entry => ({ index, text: title ?? 'Subagent', at: at(index), kind: 'subagent' }),
    ),
  ].sort((a, b) => a.index - b.index)
}

/** More entries are shown on request; a browser does not need 10,000 buttons. */
const MOST = 600

/** The human messages of a session, to jump to. */
export function Outline({ conversation, viewport }: { conversation: Conversation; viewport: Viewport }) {
  const list = useRef<HTMLOListElement>(null)
  const entries = entriesOf(conversation)
  const first = viewport.first.value
  const current = entries.findLastIndex(({ index }) => index <= first + 1)
  const from = Math.max(0, Math.min(current - MOST / 2, entries.length - MOST))
  const shown = entries.slice(from, from + MOST)
  useEffect(() => {
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  if (conversation.outline.value && entries.length === 0)
    return <Empty title="No human messages">Nobody typed in this session.</Empty>
  return (
    <ol class="outline" ref={list} aria-label="Human messages">
      {from > 0 && <li class="note">{`${from} earlier`}</li>}
      {shown.map((entry, position) => (
        <li key={`${entry.kind}${entry.index}`}>
          <button
            type="button"
            data-kind={entry.kind}
            aria-current={from + position === current}
            onClick={() => viewport.show(entry.index)}
          >
            <span class="outline-text" dir="auto">
              {entry.text.trim() || '…'}
            </span>
            <Time at={entry.at} text={timeOfDay} />
          </button>
        </li>
      ))}
      {from + MOST < entries.length && <li class="note">{`${entries.length - from - MOST} later`}</li>}
    </ol>
  )
}
