export type Suggest = (...words: readonly string[]) => string

/** How output is formatted for humans. */
export interface Screen {
  /** Maximum line width. Infinite if unknown, as in a pipe; then nothing is wrapped or cut. */
  columns: number
  color: boolean
  /** Whether a human is looking at a terminal. Long listings then stop at a screenful. */
  terminal: boolean
  home: string
  now: number
  /** Formats a suggested command line, ready to paste. */
  suggest: Suggest
}
