import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Curve as CurveColumns, Outline as OutlineAnswer } from '../../api/ask.ts'
import { Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/page.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { brief } from '../../text/format.ts'
import { timeOfDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import type { Shape } from './rows.ts'
import { subagentName } from './run.tsx'
import { showItem } from './steps.ts'

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

const WIDTH = 288
const HEIGHT = 72
/** More points than pixels are merged: the highest of each pixel counts. */
const MOST_POINTS = WIDTH

interface CurvePoint {
  index: number
  context: number
  output: number
}

const pointsOf = ({ index, context, output }: CurveColumns): CurvePoint[] =>
  index.map((each, at) => ({ index: each, context: context[at]!, output: output[at]! }))

function thinned(points: readonly CurvePoint[]): CurvePoint[] {
  if (points.length <= MOST_POINTS) return [...points]
  const per = points.length / MOST_POINTS
  return Array.from({ length: MOST_POINTS }, (_, slot) =>
    points
      .slice(Math.floor(slot * per), Math.floor((slot + 1) * per))
      .reduce((most, point) => (point.context > most.context ? point : most)),
  )
}

/** How full the context was, and how much each reply wrote, over the session. */
export function Curve({ conversation, viewport }: { conversation: Conversation; viewport: Viewport }) {
  const curve = conversation.outline.value?.curve
  const drawn = useMemo(
    () => curve && <Drawn points={pointsOf(curve)} viewport={viewport} />,
    [curve, viewport],
  )
  return curve && curve.index.length > 1 ? drawn : null
}

function Drawn({ points: all, viewport }: { points: readonly CurvePoint[]; viewport: Viewport }) {
  const points = thinned(all)
  const most = Math.max(...points.map(({ context }) => context), 1)
  const mostOut = Math.max(...points.map(({ output }) => output), 1)
  const x = (position: number): number => (position / (points.length - 1)) * WIDTH
  const y = (context: number): number => HEIGHT - 2 - (context / most) * (HEIGHT - 8)
  const line = points
    .map((point, position) => `${x(position).toFixed(1)},${y(point.context).toFixed(1)}`)
    .join(' L')
  const total = all.reduce((sum, { output }) => sum + output, 0)
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const position = Math.round(((event.clientX - box.left) / box.width) * (all.length - 1))
    viewport.show(all[Math.max(0, position)]!.index)
  }
  return (
    <figure class="curve">
      <figcaption>
        <span>Context</span>
        <span class="number">{`up to ${brief(most)} tokens · ${brief(total)} written`}</span>
      </figcaption>
      <div class="curve-plot">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the outline below reaches the same messages by key. */}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Context of up to ${brief(most)} tokens over ${all.length} replies`}
          onClick={go}
        >
          <path class="curve-area" d={`M0,${HEIGHT} L${line} L${WIDTH},${HEIGHT}Z`} />
          <path class="curve-line" d={`M${line}`} vector-effect="non-scaling-stroke" />
          {points.map((point, position) => (
            <rect
              key={position}
              class="curve-output"
              x={x(position) - 0.6}
              width={1.2}
              y={HEIGHT - (point.output / mostOut) * 18}
              height={(point.output / mostOut) * 18}
            />
          ))}
        </svg>
        <Mark viewport={viewport} />
      </div>
    </figure>
  )
}

/** Where the view is in the curve. It moves by a transform, so the curve is not painted again. */
function Mark({ viewport }: { viewport: Viewport }) {
  const { from } = viewport.part.value
  return <span class="curve-mark" style={{ transform: `translateX(${Math.min(1, from) * 100}%)` }} />
}
