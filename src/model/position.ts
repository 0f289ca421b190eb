/** The position of a message in its file. */
export interface Position {
  /** Counted from 1. */
  line: number
  /** The position within the line, from 0. */
  order: number
}
