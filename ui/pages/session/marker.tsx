import type { Item } from '../../api/shapes.ts'
import { Time } from '../../parts/time.tsx'
import { timeOfDay } from '../../text/times.ts'

const WORDS: Record<string, string> = {
  compaction: 'The context was compacted',
  interruption: 'Interrupted',
  denial: 'A tool call was denied',
  reset: 'Reset',
  branch: 'A new branch begins: the messages before were taken back',
  'model-change': 'The model changed',
  retry: 'Tried again',
  note: 'Note',
}

/** A compaction, an interruption, and so on, as a line across the conversation. */
export function Marker({ item }: { item: Item | undefined }) {
  const name = item?.marker ?? ''
  return (
    <p class="marker" data-marker={name}>
      <span class="marker-words" dir="auto">
        {item ? (WORDS[name] ?? (name || 'Note')) : '…'}
        {item?.text && <span class="marker-text">{` · ${item.text}`}</span>}
        {item?.at && (
          <>
            {' · '}
            <Time at={item.at} text={timeOfDay} />
          </>
        )}
      </span>
    </p>
  )
}
