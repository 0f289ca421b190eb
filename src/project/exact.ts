import { spellings, squash } from './words.ts'

/**
 * How exactly a name was given: 3 to the letter, 2 except for case, 1 except for punctuation, 0 not at all.
 */
export function byName(
  names: readonly string[],
  query: string,
  shown: (text: string) => string,
): 0 | 1 | 2 | 3 {
  if (names.some((name) => name === query || shown(name) === query)) return 3
  const lower = query.toLowerCase()
  if (names.some((name) => name.toLowerCase() === lower)) return 2
  const squashed = squash(query)
  return squashed !== '' && names.flatMap(spellings).some((name) => squash(name) === squashed) ? 1 : 0
}
