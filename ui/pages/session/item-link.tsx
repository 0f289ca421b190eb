import type { Item } from '../../api/shapes.ts'
import { Time } from '../../parts/time.tsx'
import { sessionAddress } from '../../state/router.ts'
import { timeOfDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'

interface LinkProperties {
  conversation: Conversation
  item: Item
  what: 'message' | 'call' | 'error' | 'marker'
}

/** The address of an item, shown as its time. */
export function ItemLink({ conversation, item, what }: LinkProperties) {
  const id = conversation.outline.value?.session.id ?? item.session
  return (
    <a class="message-link" href={sessionAddress(id, item.line)} title={`Link to this ${what}`}>
      {item.at === null ? `line ${item.line}` : <Time at={item.at} text={timeOfDay} />}
    </a>
  )
}
