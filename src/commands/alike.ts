import { withinOneSlip } from '../project/words.ts'

/** Shorter beginnings stand before too many words. */
const SHORTEST = 3

/** The words that may have been meant: those with one letter changed, missing or too much, and those that begin so. */
export function alike(word: string, among: readonly string[]): string[] {
  const wanted = word.toLowerCase()
  return among.filter(
    (each) => withinOneSlip(wanted, each) || (wanted.length >= SHORTEST && each.startsWith(wanted)),
  )
}
