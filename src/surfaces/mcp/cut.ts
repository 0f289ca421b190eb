import type { ShortNames } from '../../commands/kit/session-names.ts'

/** Cuts a text to this many characters. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text

/** A citation that `read` accepts: short if the session id identifies its file. */
export const citation = (names: ShortNames, { path, line }: { path: string; line: number }): string =>
  `${names.nameOf(path)}:${line}`

/** The row of a cited transcript. Contains its path only once. */
export const cited = (
  names: ShortNames,
  { path, id }: { path: string; id: string },
): { session: string; id: string; path: string } => ({ session: names.nameOf(path), id, path })
