import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../model/steps.ts'
import type { Term } from '../../search/query.ts'
import { piecesOf, slipsAllowed, slipsBetween } from '../../search/slips.ts'
import { tokensOf } from '../../search/words.ts'
import type { Correction } from '../store.ts'
import { createCandidates } from './candidates.ts'
import { wordsExpression } from './expression.ts'
import type { Restriction } from './restrict.ts'

/** So many of the nearest words are compared by how often they stand somewhere. */
const NEAREST = 20
const COUNTED = 1000
/** Words of one query that are looked at. */
const MOST_WORDS = 8

/** For words that stand nowhere: the word most like each that does. */
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

/** The words of the vocabulary that differ by the fewest slips, those that begin alike first. */
function nearest(database: DatabaseSync, word: string): { word: string; slips: number }[] {
  const allowed = slipsAllowed(word)
  const pieces = piecesOf(word, allowed)
  const some = database.prepare(`SELECT word FROM vocabulary WHERE length(word) BETWEEN ? AND ?
    AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(word, value) > 0)`)
  const found: { word: string; slips: number; apart: number }[] = []
  for (const row of some.iterate(word.length - allowed, word.length + allowed, JSON.stringify(pieces))) {
    const other = String(row.word)
    const slips = slipsBetween(word, other, allowed)
    if (slips > 0 && slips <= allowed) found.push({ word: other, slips, apart: other[0] === word[0] ? 0 : 1 })
  }
  return found.sort((one, other) => one.slips - other.slips || one.apart - other.apart).slice(0, NEAREST)
}
