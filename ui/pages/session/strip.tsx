import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask, type Outline } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Viewport } from '../../parts/viewport.ts'
import { isDark } from '../../state/theme.ts'
import { counted } from '../../text/format.ts'
import { timeOfDay } from '../../text/times.ts'
import { type Conversation, summed } from './conversation.ts'
import { NAMES, WHO } from './message.tsx'
import type { Row, RowList, Shape } from './rows.ts'

interface StripProperties {
  conversation: Conversation
  rows: RowList
  viewport: Viewport
}

/** Pixels of the strip that are drawn as one bar, and how many of them are seen. */
const SLOT = 4
const BAR = 3
/** From the left: errors, then who spoke how much, then commits and compactions. */
const ERRORS = { from: 4, width: 5 }
const BARS_FROM = 12
const MARKS_WIDTH = 9

/** What happened in the items of one bar. Amounts are characters; a tool call counts as a short line. */
interface Slot {
  human: number
  agent: number
  tools: number
  errors: boolean
  commit: boolean
  compaction: boolean
}

const CALL = 60

const nothing = (): Slot => ({
  human: 0,
  agent: 0,
  tools: 0,
  errors: false,
  commit: false,
  compaction: false,
})

/** What happened in the items of one row. */
function sumOf({ kind, from, to }: Row, { who, size }: Shape, marks: Marks): Slot {
  const sum = nothing()
  if (kind === 'gap') return sum
  for (let at = from; at < to; at++) {
    const letter = who[at]
    const amount = (size[at] ?? 0) + CALL
    if (letter === 'h') sum.human += amount
    else if (letter === 'a' || letter === 'p') sum.agent += amount
    else if (letter === 't' || letter === 'e') sum.tools += CALL
    if (letter === 'e') sum.errors = true
    if (marks.commits.has(at)) sum.commit = true
    if (marks.compactions.has(at)) sum.compaction = true
  }
  return sum
}

/** What each part of the height stands for, whether it is one message or a hundred. */
function slotsOf({ conversation, rows, viewport }: StripProperties, height: number, marks: Marks): Slot[] {
  const shape = conversation.shape.peek()
  const many = Math.max(1, Math.floor(height / SLOT))
  const borders = Array.from({ length: many + 1 }, (_, slot) => viewport.rowAtPart(slot / many))
  /** The last row that was summed up, which may be as high as many parts. */
  let last = -1
  let sum = nothing()
  return borders.slice(0, many).map((first, index): Slot => {
    const slot = nothing()
    const after = index + 1 === many ? rows.length : Math.max(first + 1, borders[index + 1]!)
    for (let row = first; row < Math.min(after, rows.length); row++) {
      const isNew = row > last
      if (isNew) sum = sumOf(rows.row(row), shape, marks)
      last = Math.max(last, row)
      slot.human += sum.human
      slot.agent += sum.agent
      slot.tools += sum.tools
      // The marks of a high row are where it begins.
      if (!isNew) continue
      slot.errors ||= sum.errors
      slot.commit ||= sum.commit
      slot.compaction ||= sum.compaction
    }
    return slot
  })
}

/** The items that have a mark of their own. */
interface Marks {
  commits: ReadonlySet<number>
  compactions: ReadonlySet<number>
}

const COLORS = {
  human: '--accent',
  agent: '--line-strong',
  tools: '--line',
  error: '--error',
  commit: '--series-3',
  compaction: '--series-2',
} as const

function draw(canvas: HTMLCanvasElement, given: StripProperties, marks: Marks): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = window.devicePixelRatio || 1
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const pen = canvas.getContext('2d')
  if (!pen || height === 0) return
  pen.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const color = (name: keyof typeof COLORS): string => style.getPropertyValue(COLORS[name])
  const slots = slotsOf(given, height, marks)
  const isWide = width > 30
  const from = isWide ? BARS_FROM : ERRORS.from + ERRORS.width
  const most = Math.max(...slots.map((slot) => Math.log1p(slot.human + slot.agent + slot.tools)), 1)
  const room = width - from - (isWide ? MARKS_WIDTH + 4 : 2)
  for (const [index, slot] of slots.entries()) {
    const top = index * SLOT
    const all = slot.human + slot.agent + slot.tools
    // A long text is a long bar, and what little there is can still be seen.
    const length = all === 0 ? 0 : Math.max(4, (Math.log1p(all) / most) * room)
    let x = from
    for (const part of ['human', 'agent', 'tools'] as const) {
      const own = all === 0 ? 0 : (slot[part] / all) * length
      // One line of a person among a hundred calls must not vanish.
      const shown = part === 'human' && slot.human > 0 ? Math.max(3, own) : own
      pen.fillStyle = color(part)
      pen.fillRect(x, top, shown, BAR)
      x += shown
    }
    if (slot.errors) {
      pen.fillStyle = color('error')
      pen.fillRect(ERRORS.from, top, ERRORS.width - 1, BAR)
    }
    const mark = slot.commit ? 'commit' : slot.compaction ? 'compaction' : undefined
    if (mark && isWide) {
      pen.fillStyle = color(mark)
      const right = width - MARKS_WIDTH
      if (mark === 'compaction') pen.fillRect(from, top + 1, width - from, 1)
      pen.beginPath()
      pen.arc(right + 4, top + 1.5, 3, 0, 2 * Math.PI)
      pen.fill()
    }
  }
}

const COMMITS = 'who:tool "git commit"'

/** Where the session committed, and where its client made room in the context. */
function useMarks({ outline, session }: Conversation): Marks {
  const row = outline.value?.session
  const markers = outline.value?.markers
  const { answer } = useAnswer(
    row && row.toolCalls > 0 ? ask('positions', { session, query: COMMITS }) : undefined,
    { keep: true, live: 10_000 },
  )
  return useMemo(
    () => ({
      commits: new Set(answer ? summed(answer.positions) : []),
      compactions: new Set(
        markers?.filter(({ marker }) => marker === 'compaction').map(({ index }) => index),
      ),
    }),
    [answer, markers],
  )
}

/** The whole session in one strip: who spoke, tools, errors, commits. A click or a drag goes there. */
export function Strip(given: StripProperties) {
  const { viewport, rows, conversation } = given
  const canvas = useRef<HTMLCanvasElement>(null)
  const marks = useMarks(conversation)
  const hovered = useSignal<number | undefined>(undefined)
  const isReady = conversation.outline.value !== undefined
  useEffect(() => {
    const element = canvas.current!
    let frame = 0
    // Once for all that happens before a frame, and never before the messages are drawn.
    const again = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => draw(element, given, marks))
    }
    const observer = new ResizeObserver(again)
    observer.observe(element)
    const stop = isDark.subscribe(again)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      stop()
    }
  }, [rows, isReady, marks])
  const partAt = (event: PointerEvent): number => {
    const box = canvas.current!.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))
  }
  const go = (event: PointerEvent) => {
    hovered.value = partAt(event)
    if (event.buttons === 1) viewport.showPart(partAt(event))
  }
  return (
    <div
      class="minimap"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={go}
      onPointerLeave={() => {
        hovered.value = undefined
      }}
    >
      <canvas ref={canvas} />
      <InView viewport={viewport} />
      {hovered.value !== undefined && rows.length > 0 && (
        <Hovered {...given} part={hovered.value} marks={marks} />
      )}
    </div>
  )
}

function InView({ viewport }: { viewport: Viewport }) {
  const { from, to } = viewport.part.value
  const height = Math.max(0.012, to - from)
  return (
    // Moving by a transform costs no layout.
    <span class="minimap-track" style={{ transform: `translateY(${Math.min(from, 1 - height) * 100}%)` }}>
      <span class="minimap-view" style={{ height: `${(height * 100).toFixed(2)}%` }} />
    </span>
  )
}

/** The last row that does not begin after a part of the list. */
function rowAt(rows: RowList, viewport: Viewport, part: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (viewport.partOf(middle) <= part) low = middle
    else high = middle - 1
  }
  return low
}

const MOST_LETTERS = 160

const KINDS: Record<string, string> = { ...NAMES, t: 'Tool call', e: 'Error', m: 'Marker' }

const LEGEND = [
  { look: 'human', name: 'you' },
  { look: 'agent', name: 'agent' },
  { look: 'tools', name: 'tools' },
  { look: 'error', name: 'error' },
  { look: 'commit', name: 'commit' },
  { look: 'compaction', name: 'context compacted' },
] as const

/** What is at the pointer, what a person last said before it, and what the colors mean. */
function Hovered({
  conversation,
  rows,
  viewport,
  part,
  marks,
}: StripProperties & { part: number; marks: Marks }) {
  const { from, to } = rows.row(rowAt(rows, viewport, part))
  const { who, at } = conversation.shape.peek()
  const letter = who[from] ?? ''
  const item = conversation.item(from)
  const asked = lastHuman(conversation.outline.value, from)
  const words = item?.text ?? (item?.tool ? `${item.tool.name} ${item.tool.target ?? ''}` : '')
  const errors = who.slice(from, to).split('e').length - 1
  const time = at[from]
  const isCommit = [...Array(to - from).keys()].some((offset) => marks.commits.has(from + offset))
  const [height, setHeight] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => setHeight(box.current?.offsetHeight ?? 0))
  return (
    <div
      class="strip-card"
      ref={box}
      style={{ top: `clamp(0.5rem, ${part * 100}%, calc(100% - ${height + 8}px))` }}
    >
      <p class="strip-head">
        <b>{KINDS[WHO[letter] ?? letter] ?? 'Message'}</b>
        {time != null && <span>{timeOfDay(time)}</span>}
        {errors > 0 && <span class="error-words">{counted(errors, 'error')}</span>}
        {isCommit && <span>commit</span>}
      </p>
      {words !== '' && (
        <p class="strip-words" dir="auto">
          {words.slice(0, MOST_LETTERS).toWellFormed()}
        </p>
      )}
      {letter !== 'h' && asked && (
        <p class="strip-asked" dir="auto">
          {asked}
        </p>
      )}
      <p class="strip-legend">
        {LEGEND.map(({ look, name }) => (
          <span key={look}>
            <span class="strip-sign" data-look={look} />
            {name}
          </span>
        ))}
      </p>
    </div>
  )
}

const lastHuman = (outline: Outline | undefined, before: number): string | undefined =>
  outline?.humans.findLast(({ index }) => index <= before)?.text
