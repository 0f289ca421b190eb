import { useState } from 'preact/hooks'
import { counted } from '../../text/figures.ts'
import { CallRow } from './call.tsx'
import type { CallLine } from './calls.ts'
import type { Conversation } from './conversation.ts'

/** So many calls are drawn at once. A run may have thousands. */
const MOST = 200

interface ListProperties {
  conversation: Conversation
  calls: readonly CallLine[]
}

/** The calls of an open run: the first ones, or those around the current one. */
export function CallList({ conversation, calls }: ListProperties) {
  const current = conversation.current.value
  const at = calls.findIndex(({ index }) => index === current)
  const [shown, setShown] = useState(() => around(at))
  const isShown = at < 0 || (at >= shown.from && at < shown.to)
  const { from, to } = isShown ? shown : around(at)
  const later = calls.length - to
  return (
    <>
      {from > 0 && (
        <More many={from} which="earlier" onClick={() => setShown({ from: Math.max(0, from - MOST), to })} />
      )}
      <ul class="run-body calls">
        {calls.slice(from, to).map((call) => (
          <CallRow key={call.index} conversation={conversation} call={call} />
        ))}
      </ul>
      {later > 0 && <More many={later} which="later" onClick={() => setShown({ from, to: to + MOST })} />}
    </>
  )
}

const around = (at: number): { from: number; to: number } => {
  const from = Math.max(0, at - MOST / 2)
  return { from, to: from + MOST }
}

interface MoreProperties {
  many: number
  which: 'earlier' | 'later'
  onClick(): void
}

function More({ many, which, onClick }: MoreProperties) {
  return (
    <button type="button" class="quiet more" onClick={onClick}>
      {`Show ${Math.min(MOST, many)} more of ${counted(many, `${which} call`)}`}
    </button>
  )
}
