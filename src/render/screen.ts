/**
 * Formats a command line of this program that runs as it is pasted. Print it at the end of a line, after a
 * colon or alone, so that it is never wrapped.
 */
export interface Suggest {
  (...words: readonly string[]): string
  /** The command line that was given, with more flags, and with other arguments if there are any. */
  again(other: { flags?: readonly string[]; arguments?: readonly string[] }): string
  /** Whether the command that was given has such a field. */
  takes(field: string): boolean
}

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
