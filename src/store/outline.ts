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

/**
 * All items of a file without their texts, as columns: an object for each item would take ten times as long.
 */
export interface OutlineColumns {
  /** One letter for each item. */
  who: string
  line: number[]
  /** The number of characters of each item's text. */
  size: number[]
  at: (number | null)[]
  /** Items on abandoned branches, from the first position to before the second. */
  off: { from: number; to: number }[]
  /** The items of humans, and the markers, in order. */
  texts: OutlineText[]
  /** The usage of replies by the position of their first item, in order. */
  replies: { index: number[]; context: number[]; output: number[] }
}

export interface OutlineText {
  index: number
  /** The beginning of the text. */
  text: string | undefined
  /** Absent if a human wrote it. */
  marker: string | undefined
}

export interface OutlineOptions {
  /** The letter of each kind of speaker, in lower case. */
  letters: Readonly<Record<Who, string>>
  /** The length of texts, in characters. */
  cut: number
}
