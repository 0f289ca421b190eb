import { isAscii } from './characters.ts'
import { once } from './once.ts'
import type { Term } from './query.ts'

/** Where a new word begins in a name such as `createScorer` or `HTTPServer`. */
const HUMP = once(() => /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu)
const ASCII_HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g
/** What joins the words of `snake_case` and `kebab-case`. */
const JOINT = once(() => /(?<=[\p{L}\p{N}])[-_](?=[\p{L}\p{N}])/gu)
const ASCII_JOINT = /(?<=[a-z\d])[-_](?=[a-z\d])/gi

/**
 * The spellings of a name, the typed one first: `userName`, `user_name` and `user-name` are the same. A
 * quoted text has only one.
 */
export function spellingsOf({ text, phrase }: Pick<Term, 'text' | 'phrase'>): string[] {
  if (phrase) return [text]
  const [hump, joint] = isAscii(text) ? [ASCII_HUMP, ASCII_JOINT] : [HUMP(), JOINT()]
  return [...new Set([text, text.replace(hump, ' '), text.replace(joint, '')])]
}
