import { useCallback } from 'preact/hooks'
import type { Viewport } from '../../parts/viewport.ts'
import { Windowed } from '../../parts/windowed.tsx'
import type { Conversation } from './conversation.ts'
import { Nested } from './nested.tsx'
import { NestedContext } from './nested-context.ts'
import { PlainRow } from './plain-row.tsx'
import { RowView } from './row-view.tsx'
import type { RowList } from './rows.ts'

/** So many items before and after those in view are fetched, so that a scrolling person does not wait. */
const AHEAD = 150

interface ListProperties {
  conversation: Conversation
  rows: RowList
  viewport: Viewport
  /** The line that the address names. */
  chosen: number | undefined
}

/** The rows of a conversation, which scroll. */
export function List({ conversation, rows, viewport, chosen }: ListProperties) {
  const arrived = conversation.arrived.value
  const onRange = useCallback(
    (from: number, to: number, isFast: boolean) => {
      // What flies by is not worth a request for each frame: one at a time, for what is in view now.
      if (to <= from || (isFast && conversation.isWaiting)) return
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
          <RowView conversation={conversation} rows={rows} index={index} chosen={chosen} arrived={arrived} />
        )}
        renderPlain={(index) => (
          <PlainRow conversation={conversation} rows={rows} index={index} height={viewport.heightOf(index)} />
        )}
      />
    </NestedContext.Provider>
  )
}

const drawNested = (session: string) => <Nested session={session} />
