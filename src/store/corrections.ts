import type { Steps } from '../model/iteration.ts'
import { slipsBetween } from '../model/slips.ts'
import type { Node, Query, Term } from '../search/query.ts'
import { isNear, piecesOf, slipsAllowed, tokensOf } from '../search/words.ts'
import type { Correction } from './search.ts'
import type { SearchSource } from './search-source.ts'

/** How many of the most similar words are compared by frequency, and up to which count. */
const NEAREST = 20
const COUNTED = 1000
/** The maximum number of query words that are checked. */
const MOST_WORDS = 8

/** Suggests the most similar existing word for each word that no message contains. */
export function* correctionsFor(source: SearchSource, terms: readonly Term[]): Steps<Correction[]> {
  const found: Correction[] = []
  const count = (term: Term): Steps<number> => source.count({ term }, COUNTED)
  for (const term of terms.slice(0, MOST_WORDS)) {
    const [word, ...others] = tokensOf(term.text)
    if (word === undefined || others.length > 0 || term.phrase || term.prefix) continue
    if (slipsAllowed(word) === 0 || (yield* count(term)) > 0) continue
    let best: { instead: string; slips: number; times: number } | undefined
    for (const { word: instead, slips } of nearest(source, word)) {
      if (best && slips > best.slips) break
      const times = yield* count({ text: instead, phrase: true, prefix: false })
      if (times > 0 && (!best || times > best.times)) best = { instead, slips, times }
    }
    if (best) found.push({ word: term.text, instead: best.instead })
  }
  return found
}

/** The words of the vocabulary with the fewest differences. Words with the same first letter come first. */
function nearest(source: SearchSource, word: string): { word: string; slips: number }[] {
  const allowed = slipsAllowed(word)
  const pieces = piecesOf(word, allowed)
  const lengths = { least: word.length - allowed, most: word.length + allowed }
  const found: { word: string; slips: number; otherStart: number }[] = []
  for (const other of source.vocabulary(lengths, pieces)) {
    if (!pieces.some((piece) => isNear(other, piece, allowed))) continue
    const slips = slipsBetween(word, other, allowed)
    if (slips > 0 && slips <= allowed)
      found.push({ word: other, slips, otherStart: other[0] === word[0] ? 0 : 1 })
  }
  return found
    .sort((one, other) => one.slips - other.slips || one.otherStart - other.otherStart)
    .slice(0, NEAREST)
}

/** Replaces misspelled words throughout the query. */
export function corrected(query: Query, corrections: readonly Correction[]): Query {
  const instead = new Map(corrections.map((each) => [each.word, each.instead]))
  const change = <Some extends Node>(node: Some): Some => {
    if ('term' in node)
      return { term: { ...node.term, text: instead.get(node.term.text) ?? node.term.text } } as Some
    if ('not' in node) return node
    return ('all' in node ? { all: node.all.map(change) } : { any: node.any.map(change) }) as Some
  }
  return { ...query, ...(query.words ? { words: change(query.words) } : {}) }
}
