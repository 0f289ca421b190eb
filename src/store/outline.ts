import type { Usage } from '../model/event.ts'
import type { Who } from '../model/session.ts'
import type { StoredMessage } from './stored.ts'

/** Some items of a file, by their position. */
export interface ItemWindow {
  /** How many items the file has. */
  total: number
  items: StoredMessage[]
  /** Replies whose first items precede the window. */
  replies: Set<number>
}

/** An item without its text, unless a human sent it or it is a marker. */
export interface OutlineRow {
  who: Who
  at: number | undefined
  line: number
  /** The number of characters of its text. */
  size: number
  /** The beginning of the text of a human or a marker. */
  text: string | undefined
  reply: number | undefined
  marker: string | undefined
  offBranch: boolean
}

/** The usage of a reply by its number in the file. */
export interface OutlineReply extends Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'> {
  reply: number
  at: number | undefined
  model: string | undefined
}
