import type { DatabaseSync } from 'node:sqlite'
import type { SearchSource } from '../../lenient/source.ts'
import { createCandidates } from './candidates.ts'
import { wordsExpression } from './expression.ts'
import type { Restriction } from './restriction.ts'
import { best, search } from './search.ts'
import type { Titles } from './titles.ts'
import { wordsWith } from './words-with.ts'

/** What SQLite does for a lenient search within some limits. */
export function createSource(database: DatabaseSync, limits: Restriction, titles: Titles): SearchSource {
  return {
    isEmpty: limits.empty,
    search: (request) => search(database, request, limits),
    *latest(words, count) {
      const expression = wordsExpression(words)
      if (expression === undefined) return []
      return (yield* createCandidates(database, expression, limits).latest({ count, most: count })).ids
    },
    *count(words, most) {
      const expression = wordsExpression(words)
      if (expression === undefined) return 0
      return (yield* createCandidates(database, expression, limits).latest({ count: 0, most })).total
    },
    best: (ids, request, rank) => best(database, ids, request, limits, rank),
    vocabulary: (lengths, pieces) => wordsWith(database, lengths, pieces),
    ...titles(limits),
  }
}
