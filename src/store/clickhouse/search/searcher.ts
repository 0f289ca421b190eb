import type { Steps } from '../../../model/steps.ts'
import { searchLeniently } from '../../lenient/lenient.ts'
import type { SearchSource } from '../../lenient/source.ts'
import type { SearchAnswer, SearchRequest } from '../../search.ts'
import { ifAllowed } from '../connection/if-allowed.ts'
import { raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import { type Candidate, candidates } from './candidates.ts'
import { type Restriction, restrict } from './restrict.ts'
import { best, search } from './search.ts'
import { createSessionFacts } from './session-facts.ts'
import { titlesWithin } from './titles.ts'
import { wordsCondition } from './words-condition.ts'

/** Searches the messages of a store. */
export function createSearcher(scope: Scope) {
  const facts = createSessionFacts(scope)
  return {
    facts,
    *search(request: SearchRequest): Steps<SearchAnswer> {
      const limits = restrict(scope, request, facts)
      return yield* request.lenient
        ? searchLeniently(sourceOf(scope, limits), request)
        : search(scope, request, limits)
    },
  }
}

/** What ClickHouse does for a lenient search within some limits. */
function sourceOf(scope: Scope, limits: Restriction): SearchSource {
  const known = new Map<number, Candidate>()
  const find = function* (words: string | undefined, most: number): Steps<Candidate[]> {
    return words === undefined ? [] : yield* candidates(scope, words, limits, most)
  }
  return {
    isEmpty: limits.empty,
    search: (request) => search(scope, request, limits),
    *latest(words, count) {
      return (yield* find(wordsCondition(words), count)).map((each) => {
        known.set(each.message, each)
        return each.message
      })
    },
    *count(words, most) {
      return (yield* find(wordsCondition(words), most)).length
    },
    best: (ids, request, rank) =>
      best(
        scope,
        ids.flatMap((id) => known.get(id) ?? []),
        request,
        limits,
        rank,
      ),
    /** Nothing for users who may not read it, because it has the words of everyone. */
    vocabulary({ least, most }, pieces) {
      const some = pieces
        .map(({ text, where }) =>
          where === 'start'
            ? sql`startsWith(word, ${text})`
            : where === 'end'
              ? sql`endsWith(word, ${text})`
              : sql`position(word, ${text}) > 0`,
        )
        .join(' OR ')
      const found = ifAllowed(() =>
        scope.connection.select<[string]>(
          sql`SELECT DISTINCT word FROM vocabulary WHERE lengthUTF8(word) BETWEEN ${least} AND ${most}
            AND (${raw(some)})`,
        ),
      )
      return (found ?? []).map(([word]) => word)
    },
    ...titlesWithin(scope, limits),
  }
}
