import { Component, type ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Item } from '../../api/ask.ts'
import { Icon } from '../../parts/controls.tsx'
import { memo } from '../../parts/memo.ts'
import { Skeleton } from '../../parts/notice.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { Windowed } from '../../parts/windowed.tsx'
import { counted } from '../../text/format.ts'
import { Plain } from '../../text/prose.tsx'
import { dayName, isSameDay } from '../../text/times.ts'
import { Conversation, useFollowing } from './conversation.ts'
import { Marker, Message, NAMES, WHO } from './message.tsx'
import { type Fork, isAt, type Layout, type Row, type RowList, rowsOf } from './rows.ts'
import { NestedContext, Run } from './run.tsx'

/** So many items before and after those in view are fetched, so that a scrolling person does not wait. */
const AHEAD = 150
/** While the list scrolls fast, what is in view is fetched once in this time. */
const FAST_MS = 120

interface ListProperties {
  conversation: Conversation
  rows: RowList
  viewport: Viewport
}

/** The rows of a conversation, which scroll. */
export function List({ conversation, rows, viewport }: ListProperties) {
  const arrived = conversation.arrived.value
  const askedAt = useRef(0)
  const onRange = useCallback(
    (from: number, to: number, isFast: boolean) => {
      if (to <= from) return
      const now = performance.now()
      // What flies by is not worth a request for each frame.
      if (isFast && now - askedAt.current < FAST_MS) return
      askedAt.current = now
      const ahead = isFast ? 0 : AHEAD
      conversation.need(rows.row(from).from - ahead, rows.row(to - 1).to + ahead)
    },
    [conversation, rows],
  )
  return (
    <NestedContext.Provider value={drawNested}>
      <Windowed
        rows={rows}
        viewport={viewport}
        label="Conversation"
        class="conversation-list"
        onRange={onRange}
        render={(index) => (
          <RowView conversation={conversation} rows={rows} index={index} arrived={arrived} />
        )}
        renderPlain={(index) => (
          <PlainRow
            conversation={conversation}
            rows={rows}
            index={index}
            height={viewport.heightOf(index)}
            arrived={conversation.item(rows.row(index).from)}
          />
        )}
      />
    </NestedContext.Provider>
  )
}

const drawNested = (session: string, run?: string) => <Nested session={session} run={run} />

interface GuardProperties {
  item: Item | undefined
  children: ComponentChildren
}

/** Shows the plain words of a row that cannot be drawn, so that the others are. */
class RowGuard extends Component<GuardProperties, { isBroken: boolean }> {
  override state = { isBroken: false }

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render({ item, children }: GuardProperties, { isBroken }: { isBroken: boolean }) {
    if (!isBroken) return children
    return (
      <div class="message">
        <Plain text={item ? wordsOf(item) : 'This row cannot be shown.'} />
      </div>
    )
  }
}

const isAgentRow = (conversation: Conversation, row: Row | undefined): boolean =>
  row?.kind === 'run' || (row?.kind === 'message' && conversation.shape.peek().who[row.from] === 'a')

function dayBefore(conversation: Conversation, row: Row, before: Row | undefined): string | undefined {
  const { at } = conversation.shape.peek()
  const now = at[row.from]
  if (now === null || now === undefined) return undefined
  const last = before === undefined ? undefined : at[before.from]
  return last !== null && last !== undefined && isSameDay(now, last) ? undefined : dayName(now)
}

interface RowProperties {
  conversation: Conversation
  rows: RowList
  index: number
  /** Grows when items arrive, so that their rows are drawn again. */
  arrived: number
}

/** One row of a conversation: a message, a run of tool calls, a marker, or where branches part and end. */
function RowView({ conversation, rows, index }: RowProperties) {
  const row = rows.row(index)
  const before = index > 0 ? rows.row(index - 1) : undefined
  const isUnread = conversation.unreadFrom.value === row.from && row.to > row.from
  const day = dayBefore(conversation, row, before)
  return (
    <>
      {day && (
        <p class="day">
          <span>{day}</span>
        </p>
      )}
      {isUnread && (
        <p class="day unread-mark">
          <span>New</span>
        </p>
      )}
      <CurrentRow conversation={conversation} row={row}>
        <RowGuard key={`${row.kind} ${row.from}`} item={conversation.item(row.from)}>
          <Body
            conversation={conversation}
            row={row}
            isFollowing={isAgentRow(conversation, before) && day === undefined}
            arrived={conversation.stateOf(row.from, row.to)}
          />
        </RowGuard>
      </CurrentRow>
    </>
  )
}

interface BodyProperties {
  conversation: Conversation
  row: Row
  isFollowing: boolean
  /** Differs whenever an item of the row has arrived. */
  arrived: unknown
}

const Body = memo(
  function Body({ conversation, row, isFollowing, arrived }: BodyProperties) {
    const item = conversation.item(row.from)
    switch (row.kind) {
      case 'message':
        return <Message conversation={conversation} item={item} index={row.from} isFollowing={isFollowing} />
      case 'run':
        return <Run conversation={conversation} from={row.from} to={row.to} arrived={arrived} />
      case 'marker':
        return <Marker conversation={conversation} item={item} />
      case 'fork':
        return <ForkRow conversation={conversation} fork={row.fork!} />
      case 'end':
        return <BranchEnd conversation={conversation} />
      case 'gap':
        return <div class="gap" aria-hidden="true" />
    }
  },
  (before, after) =>
    before.row.from === after.row.from &&
    before.row.to === after.row.to &&
    before.row.kind === after.row.kind &&
    before.row.fork === after.row.fork &&
    before.isFollowing === after.isFollowing &&
    before.arrived === after.arrived,
)

/** How much of a message its name contains, which is read aloud when the row becomes the current one. */
const WORDS = 400

function nameOf(conversation: Conversation, { kind, from }: Row): string {
  if (kind === 'fork') return 'The human went back here'
  if (kind === 'end') return 'The end of an abandoned branch'
  const item = conversation.item(from)
  if (kind === 'run') return `Tool calls, beginning with ${item?.tool?.name ?? 'one that loads'}`
  const words = item?.text?.slice(0, WORDS).toWellFormed() ?? item?.marker ?? ''
  return item && NAMES[item.who] ? `${NAMES[item.who]}: ${words}` : words || 'A message that loads'
}

/** Whether the focus is nowhere, or in the conversation. It is not taken from anything else. */
const isFocusFree = (): boolean => {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('.conversation-list') !== null
}

interface CurrentProperties {
  conversation: Conversation
  row: Row
  children: ComponentChildren
}

/** A row with the mark of the current one, which has the focus, so that it is read aloud. */
function CurrentRow({ conversation, row, children }: CurrentProperties) {
  const element = useRef<HTMLDivElement>(null)
  const place = conversation.current.value
  const isCurrent = place !== undefined && isAt(row, place)
  useLayoutEffect(() => {
    if (isCurrent && isFocusFree()) element.current?.focus({ preventScroll: true })
  }, [isCurrent, place])
  const current = isCurrent
    ? ({
        'aria-current': 'true',
        role: 'group',
        tabIndex: -1,
        'aria-label': nameOf(conversation, row),
      } as const)
    : {}
  return (
    <div class="row-body" ref={element} {...current}>
      {children}
    </div>
  )
}

/** More characters than fit into a row of a height. */
const CHARACTERS_A_PIXEL = 6

/** What an item says, or calls. */
const wordsOf = ({ text, tool }: Item): string => text ?? (tool ? `${tool.name} ${tool.target ?? ''}` : '')

interface PlainRowProperties {
  conversation: Conversation
  rows: RowList
  index: number
  height: number
  /** Differs whenever the item has arrived. Properties that stay the same are not drawn again. */
  arrived: unknown
}

/** A row of a conversation that scrolls fast: who speaks, and the beginning of the words as they are. */
function PlainRow({ conversation, rows, index, height }: PlainRowProperties) {
  const { kind, from, to } = rows.row(index)
  const item = conversation.item(from)
  const who = WHO[conversation.shape.peek().who[from] ?? ''] ?? 'agent'
  if (to === from) return <p class="plain-line" />
  const words = item && wordsOf(item).slice(0, Math.max(80, height * CHARACTERS_A_PIXEL))
  if (kind !== 'message') return <p class="plain-line">{words}</p>
  return (
    <div class="message" data-who={who}>
      <p class="message-head speaker">{NAMES[who]}</p>
      <p class={words === undefined ? 'plain-waiting' : 'plain'}>{words}</p>
    </div>
  )
}

const STEP = 80

/** What is new is not marked in a conversation within another. */
const always = () => true

/** The conversation of a subagent, in place. */
function Nested({ session, run }: { session: string; run: string | undefined }) {
  const conversation = useMemo(() => new Conversation(session, run), [session, run])
  const [most, setMost] = useState(STEP)
  useEffect(() => {
    conversation.start(false)
    return () => conversation.stop()
  }, [conversation])
  useFollowing(conversation, always)
  const rows = useRows(conversation, 'everything')
  const shown = Math.min(most, rows.length)
  const first = shown === 0 ? 0 : rows.row(0).from
  const last = shown === 0 ? 0 : rows.row(shown - 1).to
  useEffect(() => conversation.need(first, last), [conversation, first, last, rows])
  const arrived = conversation.arrived.value
  if (conversation.failure.value && rows.length === 0)
    return <p class="error-words">{conversation.failure.value.message}</p>
  if (rows.length === 0) return <Skeleton lines={3} />
  return (
    <div class="nested">
      {Array.from({ length: shown }, (_, index) => (
        <RowView
          key={rows.key(index)}
          conversation={conversation}
          rows={rows}
          index={index}
          arrived={arrived}
        />
      ))}
      {shown < rows.length && (
        <button type="button" class="quiet more" onClick={() => setMost(most + STEP)}>
          {`Show ${Math.min(STEP, rows.length - shown)} more of ${rows.length}`}
        </button>
      )}
    </div>
  )
}

/** The rows of the path that the person has chosen, at first the current one. */
export function useRows(conversation: Conversation, layout: Layout): RowList {
  const shape = conversation.shape.value
  const path = conversation.path.value
  return useMemo(() => rowsOf(shape, path, layout), [shape, path, layout])
}

/** Where the human went back and took another way: a switch between the ways. */
function ForkRow({ conversation, fork }: { conversation: Conversation; fork: Fork }) {
  const { branches, taken, other } = fork
  return (
    <fieldset class="fork">
      <legend class="fork-title">
        <Icon name="branch" />
        {`The human went back here. ${counted(branches.length + 1, 'branch', 'branches')}`}
      </legend>
      {branches.map((branch, index) => (
        <Way
          key={branch.from}
          conversation={conversation}
          number={index + 1}
          begin={branch.from}
          note={`abandoned · ${counted(branch.to - branch.from, 'item')}`}
          isTaken={taken === branch}
          onTake={() => conversation.switchTo(branch.from)}
        />
      ))}
      <Way
        conversation={conversation}
        number={branches.length + 1}
        begin={other.begin}
        note={other.branch ? 'abandoned' : 'current'}
        isTaken={taken === undefined}
        onTake={() => conversation.switchTo(other.branch?.from)}
      />
    </fieldset>
  )
}

interface WayProperties {
  conversation: Conversation
  number: number
  /** The first item of the branch. */
  begin: number
  note: string
  isTaken: boolean
  onTake(): void
}

function Way({ conversation, number, begin, note, isTaken, onTake }: WayProperties) {
  return (
    <button type="button" class="way" aria-pressed={isTaken} onClick={onTake}>
      <span class="way-number">{number}</span>
      <span class="way-words" dir="auto">
        {wordsFrom(conversation, begin)}
      </span>
      <span class="note">{note}</span>
    </button>
  )
}

/** How far into a branch its words are looked for: the human's are first, or follow a marker. */
const NEAR = 4

function wordsFrom(conversation: Conversation, begin: number): string {
  const human = conversation.outline.value?.humans.find(({ index }) => index >= begin && index < begin + NEAR)
  return human?.text ?? conversation.item(begin)?.text?.slice(0, 120) ?? '…'
}

/** The end of an abandoned branch. */
function BranchEnd({ conversation }: { conversation: Conversation }) {
  return (
    <p class="marker">
      <span class="marker-words">
        {'This branch was abandoned here · '}
        <button type="button" class="link" onClick={() => conversation.switchTo(undefined)}>
          Back to the current branch
        </button>
      </span>
    </p>
  )
}
