import type { ShortPlaces } from '../../commands/short-places.ts'

/** At most so many characters of a text. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text

/** Where something stands, as `read` takes it: short where the id of the session tells its file. */
export const citation = (places: ShortPlaces, { path, line }: { path: string; line: number }): string =>
  `${places.nameOf(path)}:${line}`

/** The row of a transcript that entries of an answer cite, which tells its path once. */
export const cited = (
  places: ShortPlaces,
  { path, id }: { path: string; id: string },
): { session: string; id: string; path: string } => ({ session: places.nameOf(path), id, path })
