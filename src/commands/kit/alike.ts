import { withinOneSlip } from '../../project/words.ts'

/** A shorter prefix fits too many words. */
const SHORTEST = 3

/** Suggests words that differ by one changed, missing or extra letter, and words with this prefix. */
export function alike(word: string, among: readonly string[]): string[] {
  const wanted = word.toLowerCase()
  return among.filter(
    (each) => withinOneSlip(wanted, each) || (wanted.length >= SHORTEST && each.startsWith(wanted)),
  )
}
