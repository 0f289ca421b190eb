import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../../model/steps.ts'
import type { Term } from '../../../search/query.ts'
import { isNear, piecesOf, slipsAllowed, slipsBetween } from '../../../search/slips.ts'
import { tokensOf } from '../../../search/words.ts'
import type { Correction } from '../../search.ts'
import { createCandidates } from './candidates.ts'
import { wordsExpression } from './expression.ts'
import type { Restriction } from './restriction.ts'

/** How many of the most similar words are compared by frequency, and up to which count. */
const NEAREST = 20
const COUNTED = 1000
/** The maximum number of query words that are checked. */
const MOST_WORDS = 8

/** Suggests the most similar existing word for each word that no message contains. */
export function* correctionsFor(
  database: DatabaseSync,
  terms: readonly Term[],
  limits: Restriction,
): Steps<Correction[]> {
  const found: Correction[] = []
  const count = function* (term: Term): Steps<number> {
    const expression = wordsExpression({ term })
    if (expression === undefined) return 0
    return (yield* createCandidates(database, expression, limits).latest(0, COUNTED)).total
  }
  for (const term of terms.slice(0, MOST_WORDS)) {
    const [word, ...others] = tokensOf(term.text)
    if (word === undefined || others.length > 0 || term.phrase || term.prefix) continue
    if (slipsAllowed(word) === 0 || (yield* count(term)) > 0) continue
    let best: { instead: string; slips: number; times: number } | undefined
    for (const { word: instead, slips } of nearest(database, word)) {
      if (best && slips > best.slips) break
      const times = yield* count({ text: instead, phrase: true, prefix: false })
      if (times > 0 && (!best || times > best.times)) best = { instead, slips, times }
    }
    if (best) found.push({ word: term.text, instead: best.instead })
  }
  return found
}

/** The words of the vocabulary with the fewest differences. Words with the same first letter come first. */
function nearest(database: DatabaseSync, word: string): { word: string; slips: number }[] {
  const allowed = slipsAllowed(word)
  const pieces = piecesOf(word, allowed)
  // One aggregated row is cheaper than one row per word.
  const { words } = database
    .prepare(`SELECT group_concat(word, char(10)) AS words FROM vocabulary
      WHERE length(word) BETWEEN ? AND ? AND (${pieces.map(() => 'instr(word, ?)').join(' OR ')})`)
    .get(word.length - allowed, word.length + allowed, ...pieces.map(({ text }) => text))!
  const found: { word: string; slips: number; otherStart: number }[] = []
  for (const other of words === null ? [] : String(words).split('\n')) {
    if (!pieces.some((piece) => isNear(other, piece, allowed))) continue
    const slips = slipsBetween(word, other, allowed)
    if (slips > 0 && slips <= allowed)
      found.push({ word: other, slips, otherStart: other[0] === word[0] ? 0 : 1 })
  }
  return found
    .sort((one, other) => one.slips - other.slips || one.otherStart - other.otherStart)
    .slice(0, NEAREST)
}
