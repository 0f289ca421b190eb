import type { Item } from '../../api/shapes.ts'
import type { Conversation } from './conversation.ts'
import { ItemLink } from './item-link.tsx'

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
export function Marker({ conversation, item }: { conversation: Conversation; item: Item | undefined }) {
  const name = item?.marker ?? ''
  return (
    <p class="marker" data-marker={name}>
      <span class="marker-words" dir="auto">
        {item ? (WORDS[name] ?? (name || 'Note')) : '…'}
        {item?.text && <span class="marker-text">{` · ${item.text}`}</span>}
        {item && (
          <>
            {' · '}
            <ItemLink conversation={conversation} item={item} what="marker" />
          </>
        )}
      </span>
    </p>
  )
}
