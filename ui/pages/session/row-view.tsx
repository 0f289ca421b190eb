import { Component, type ComponentChildren } from 'preact'
import type { Item } from '../../api/shapes.ts'
import { memo } from '../../parts/memo.ts'
import { Plain } from '../../text/plain.tsx'
import { dayName, isSameDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import { CurrentRow } from './current-row.tsx'
import { BranchEnd, ForkRow } from './fork.tsx'
import { Marker } from './marker.tsx'
import { Message } from './message.tsx'
import { wordsOf } from './plain-row.tsx'
import type { Row, RowList } from './rows.ts'
import { Run } from './run.tsx'

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
export function RowView({ conversation, rows, index }: RowProperties) {
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
