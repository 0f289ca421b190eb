import type { Term } from './query.ts'

/** Where a new word begins in a name such as `createScorer` or `HTTPServer`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
/** What joins the words of `snake_case` and `kebab-case`. */
const JOINT = /(?<=[\p{L}\p{N}])[-_](?=[\p{L}\p{N}])/gu

/**
 * The spellings of a name, the typed one first: `userName`, `user_name` and `user-name` are the same. A
 * quoted text has only one.
 */
export function spellingsOf({ text, phrase }: Pick<Term, 'text' | 'phrase'>): string[] {
  if (phrase) return [text]
  return [...new Set([text, text.replace(HUMP, ' '), text.replace(JOINT, '')])]
}
