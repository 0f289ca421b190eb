import type { Artifact } from '../artifact.ts'
import type { SessionEvent } from '../event.ts'
import type { Item } from '../session.ts'
import type { Dispatch } from '../session-links.ts'
import type { ItemContent } from './item.ts'
import type { FoldTraits } from './traits.ts'

/**
 * `counts`: the session row only. `condensed`: also the items. `full`: also the positions of thinking, inputs
 * and outputs.
 */
export type Keep = 'counts' | 'condensed' | 'full'

/** What `createReplies` needs from the fold. */
export interface ReplyContext {
  artifact: Artifact
  keep: Keep
  /** Redacts a text. */
  clean(text: string): string
  traits: FoldTraits
  push(event: SessionEvent, item: ItemContent): void
  /** Reports a text that a tool call sent to another agent. */
  sent(dispatch: Dispatch): void
  /** The last item, to which more of the same reply is appended. */
  last(): Item | undefined
  /** The number of the current turn. */
  turn(): number
  /** Reports that an item became longer. */
  grown(item: Item): void
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
