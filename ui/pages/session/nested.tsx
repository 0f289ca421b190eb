import { useEffect, useMemo, useState } from 'preact/hooks'
import { Skeleton } from '../../parts/notice.tsx'
import { Conversation } from './conversation.ts'
import { useFollowing } from './following.ts'
import { useRows } from './fork.tsx'
import { RowView } from './row-view.tsx'

const STEP = 80

/** What is new is not marked in a conversation within another. */
const always = () => true

/** The conversation of a subagent, in place. */
export function Nested({ session }: { session: string }) {
  const conversation = useMemo(() => new Conversation(session), [session])
  const [most, setMost] = useState(STEP)
  useEffect(() => {
    conversation.start(false)
    return () => conversation.stop()
  }, [conversation])
  useFollowing(conversation, always)
  const rows = useRows(conversation, 'everything')
  const shown = Math.min(most, rows.length)
  const last = shown === 0 ? 0 : rows.row(shown - 1).to
  useEffect(() => conversation.need(0, last), [conversation, last, rows])
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
