import type { Item } from '../../api/shapes.ts'
import type { Conversation } from './conversation.ts'
import type { RowList } from './rows.ts'
import { NAMES, WHO } from './speakers.ts'

/** More characters than fit into a row of a height. */
const CHARACTERS_A_PIXEL = 6

/** What an item says, or calls. */
export const wordsOf = ({ text, tool }: Item): string =>
  text ?? (tool ? `${tool.name} ${tool.target ?? ''}` : '')

interface PlainRowProperties {
  conversation: Conversation
  rows: RowList
  index: number
  height: number
  /** Differs whenever the item has arrived. Properties that stay the same are not drawn again. */
  arrived: unknown
}

/** A row of a conversation that scrolls fast: who speaks, and the beginning of the words as they are. */
export function PlainRow({ conversation, rows, index, height }: PlainRowProperties) {
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
