import type { Artifact } from '../artifact.ts'
import type { SessionEvent } from '../event.ts'
import type { Item } from '../session.ts'
import type { FoldedItem, ItemContent } from './item.ts'
import type { FoldTraits } from './traits.ts'

/**
 * `counts`: the session row only. `condensed`: also the items. `full`: also the positions of thinking, inputs
 * and outputs.
 */
export type Keep = 'counts' | 'condensed' | 'full'

/** A text that a tool call sent to another agent. */
export interface SentText {
  line: number
  at: number | undefined
  text: string
  /** The receiving agent. Required for short texts. */
  to?: string | undefined
}

/** What `createReplies` needs from the fold. */
export interface ReplyContext {
  artifact: Artifact
  keep: Keep
  traits: FoldTraits
  push(event: SessionEvent, item: ItemContent): void
  /** Reports a text that a tool call sent to another agent. */
  sent(words: SentText): void
  /** The last item, to which more of the same reply is appended. */
  last(): FoldedItem | undefined
  /** The number of the current turn. */
  turn(): number
  /** Reports that an item became longer. */
  grown(item: FoldedItem): void
}

export interface ReplyCounts {
  toolCalls: number
  errors: number
  possibleErrors: number
  model?: string
  /** The model of the latest turn. */
  turnModel?: string
}

/** The reply of an item, and why it ended. */
export type OfReply = Pick<Item, 'reply' | 'stopReason'>
