import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Outline as OutlineAnswer } from '../../api/shapes.ts'
import { Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { timeOfDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import { showItem } from './current.ts'
import type { Shape } from './shape.ts'
import { subagentName } from './subagent.tsx'

interface Entry {
  index: number
  text: string
  at: number | null
  kind: 'human' | 'marker' | 'subagent'
}

const MARKED = new Set(['compaction', 'interruption', 'reset', 'branch'])

type Lists = Pick<OutlineAnswer, 'humans' | 'markers' | 'subagents' | 'children'>

function entriesOf({ humans, markers, subagents, children }: Lists, times: Shape['at']): Entry[] {
  const at = (index: number) => times[index] ?? null
  return [
    ...humans.map(({ index, text }): Entry => ({ index, text, at: at(index), kind: 'human' })),
    ...markers
      .filter(({ marker }) => MARKED.has(marker))
      .map(({ index, marker }): Entry => ({ index, text: marker, at: at(index), kind: 'marker' })),
    ...subagents.map((subagent): Entry => {
      const { index } = subagent
      return { index, text: subagentName(subagent, children), at: at(index), kind: 'subagent' }
    }),
  ].sort((a, b) => a.index - b.index)
}

const NOTHING: Lists = { humans: [], markers: [], subagents: [], children: [] }

/** So many entries are drawn around the current one; a browser does not need 10,000 buttons. */
const PAGE = 200
/** The outline follows when the conversation comes to rest: each move costs a layout. */
const PAUSE_MS = 120

/** The last entry that is not after an item, by halving: a scrolling list asks this for every frame. */
function lastUpTo(entries: readonly Entry[], index: number): number {
  let low = -1
  let high = entries.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (entries[middle]!.index <= index) low = middle
    else high = middle - 1
  }
  return low
}

/** The human messages of a session, to jump to. */
export function Outline({ conversation, viewport }: { conversation: Conversation; viewport: Viewport }) {
  const list = useRef<HTMLOListElement>(null)
  const outline = conversation.outline.value
  const { humans, markers, subagents, children } = outline ?? NOTHING
  const entries = useMemo(
    () => entriesOf({ humans, markers, subagents, children }, conversation.shape.peek().at),
    [conversation, humans, markers, subagents, children],
  )
  // Made again for other entries, which are no signal.
  const { current, page: pages } = useMemo(() => {
    const last = computed(() => lastUpTo(entries, viewport.first.value + 1))
    return { current: last, page: computed(() => Math.max(0, Math.floor(last.value / PAGE))) }
  }, [entries, viewport])
  const page = pages.value
  const from = Math.max(0, (page - 1) * PAGE)
  const to = Math.min(entries.length, (page + 2) * PAGE)
  const drawn = useMemo(
    () =>
      entries.slice(from, to).map((entry, position) => (
        <li key={`${entry.kind}${entry.index}`}>
          <button
            type="button"
            data-kind={entry.kind}
            data-entry={from + position}
            onClick={() => showItem({ conversation, viewport }, entry.index)}
          >
            <span class="outline-text" dir="auto">
              {entry.text.trim() || '…'}
            </span>
            <Time at={entry.at} text={timeOfDay} />
          </button>
        </li>
      )),
    [entries, from, to, conversation, viewport],
  )
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = current.subscribe((entry) => {
      list.current?.querySelector('[aria-current]')?.removeAttribute('aria-current')
      const button = list.current?.querySelector(`[data-entry="${entry}"]`)
      button?.setAttribute('aria-current', 'true')
      clearTimeout(timer)
      timer = setTimeout(() => button?.scrollIntoView({ block: 'nearest' }), PAUSE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [current, drawn])
  if (outline && entries.length === 0)
    return <Empty title="No human messages">Nobody typed in this session.</Empty>
  return (
    <ol class="outline" ref={list} aria-label="Human messages">
      {from > 0 && <li class="note">{`${from} earlier`}</li>}
      {drawn}
      {to < entries.length && <li class="note">{`${entries.length - to} later`}</li>}
    </ol>
  )
}
