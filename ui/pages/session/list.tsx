import { useCallback, useRef } from 'preact/hooks'
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

const drawNested = (session: string) => <Nested session={session} />
