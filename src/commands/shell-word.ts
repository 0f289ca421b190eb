/** A word as a shell takes it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/**
 * Makes a command line that can be pasted and asks about the same places: `suggest('read', id)`. Words are quoted where the
 * shell needs it. With `--demo` it asks about the invented data instead.
 */
export type Suggest = (...words: readonly string[]) => string

export const suggesting =
  (program: string, places: readonly string[]): Suggest =>
  (...words) =>
    [program, ...[...words, ...(words.includes('--demo') ? [] : places)].map(shellWord)].join(' ')
