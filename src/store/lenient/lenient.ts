import type { Steps } from '../../model/iteration.ts'
import { fold } from '../../search/characters.ts'
import { createFoldedMatcher, wantedTerms } from '../../search/match.ts'
import { type Relaxed, relax } from '../../search/most-words.ts'
import type { Node, Query } from '../../search/query.ts'
import { createScorer } from '../../search/score.ts'
import type { Correction, SearchAnswer, SearchHit, SearchRequest } from '../search.ts'
import { correctionsFor } from './corrections.ts'
import type { SearchSource } from './source.ts'

/** If fewer messages contain all words, messages with most of them are searched too. */
export const FEW = 5
/**
 * How many of the newest messages with one of the words are checked, and how many with most of them are
 * ranked.
 */
const OF_ONE_WORD = 10_000
const WEIGHED = 400
/** The weight of a title. It describes the whole session. */
const TITLE = 1.2

/** Searches as people expect it. See `SearchRequest.lenient`. */
export function* searchLeniently(source: SearchSource, request: SearchRequest): Steps<SearchAnswer> {
  const { query } = request
  const found = yield* withAllWords(source, request)
  if (!query.words || source.isEmpty || found.total >= FEW) return found
  const corrections = found.total > 0 ? [] : yield* correctionsFor(source, wantedTerms(query.words))
  if (corrections.length > 0) {
    const asked = corrected(query, corrections)
    const instead = yield* withAllWords(source, { ...request, query: asked })
    if (instead.total > 0) return { ...instead, asked, corrections, corrected: true }
  }
  const most = yield* withMostWords(source, request, found)
  return corrections.length > 0 ? { ...most, corrections } : most
}

/** Messages and titles that contain all words. */
function* withAllWords(source: SearchSource, request: SearchRequest): Steps<SearchAnswer> {
  const found = yield* source.search(request)
  const { words } = request.query
  if (!words || source.isEmpty) return found
  return withTitles(request, titleHits(source, request, request.query, createFoldedMatcher(words)), found)
}

/** The given hits, followed by messages that contain most of the words. */
function* withMostWords(
  source: SearchSource,
  request: SearchRequest,
  found: SearchAnswer,
): Steps<SearchAnswer> {
  const relaxed = relax(request.query)
  if (!relaxed) return found
  const first = [...found.hits]
  const further = yield* most(source, request, relaxed, first)
  if (further.total === 0) return found
  return {
    ...found,
    hits: {
      *[Symbol.iterator]() {
        yield* first
        yield* further.hits
      },
    },
    total: found.total + further.total,
    more: further.more,
    relaxed: true,
    asked: relaxed.query,
    sessions: () => summed(found.sessions(), further.sessions()),
  }
}

/** Adds the sessions whose titles match. */
function withTitles(request: SearchRequest, titles: readonly SearchHit[], found: SearchAnswer): SearchAnswer {
  if (titles.length === 0) return found
  return {
    ...found,
    hits: inOrder(request, titles, found.hits),
    total: found.total + titles.length,
    sessions: () => summed(found.sessions(), countedBySession(titles)),
  }
}

const orderOf =
  ({ sort }: SearchRequest) =>
  (one: SearchHit, other: SearchHit): number =>
    sort === 'newest' ? (other.at ?? 0) - (one.at ?? 0) : other.score - one.score

/** Titles and messages, both sorted, in one order. Messages are loaded when they are reached. */
const inOrder = (
  request: SearchRequest,
  titles: readonly SearchHit[],
  messages: Iterable<SearchHit>,
): Iterable<SearchHit> => ({
  *[Symbol.iterator]() {
    const order = orderOf(request)
    let next = 0
    for (const message of messages) {
      while (next < titles.length && order(titles[next]!, message) <= 0) yield titles[next++]!
      yield message
    }
    yield* titles.slice(next)
  },
})

function titleHits(
  source: SearchSource,
  request: SearchRequest,
  query: Query,
  fits: (folded: string) => boolean,
): SearchHit[] {
  const scorer = createScorer(query)
  return source
    .titles(request, fits)
    .flatMap((each) => {
      const hit = source.titleHit(each)
      const candidate = { text: each.title, who: 'human', at: each.at ?? undefined }
      return hit ? [{ ...hit, score: TITLE * scorer(candidate, request.now) }] : []
    })
    .sort(orderOf(request))
}

/** Messages that contain most of the words. Those with more of them rank higher. */
function* most(
  source: SearchSource,
  request: SearchRequest,
  { query, words, least, required }: Relaxed,
  first: readonly SearchHit[],
): Steps<SearchAnswer> {
  const counts = new Map<number, number>()
  let more = false
  for (const term of words) {
    const ids = yield* source.latest({ all: [...required, { term }] } satisfies Node, OF_ONE_WORD)
    more ||= ids.length === OF_ONE_WORD
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  for (const { message } of first) counts.delete(message)
  const needed = least.find((each) => counts.values().some((count) => count >= each)) ?? least[0]!
  const enough = [...counts]
    .filter(([, count]) => count >= needed)
    .sort((one, other) => other[1] - one[1] || other[0] - one[0])
  const ids = enough.slice(0, Math.max(WEIGHED, request.limit)).map(([id]) => id)
  /** Rank below every message that contains all words. */
  const ceiling = first.at(-1)?.score ?? 1
  const rank = (count: number, score: number): number =>
    (ceiling * (count + score / (1 + score))) / (words.length + 1)
  const weighed = yield* source.best(ids, { ...request, query }, (id, score) => rank(counts.get(id)!, score))
  const tests = words.map((term) => createFoldedMatcher({ term }))
  const holds = createFoldedMatcher(required.length > 0 ? { all: required } : undefined)
  const countIn = (folded: string): number => tests.filter((test) => test(folded)).length
  const known = new Set(
    first.flatMap(({ label, who, path }) => (who === 'marker' && label === 'title' ? [path] : [])),
  )
  const further = titleHits(source, request, query, (folded) => holds(folded) && countIn(folded) >= needed)
    .filter(({ path }) => !known.has(path))
    .map((hit) => ({ ...hit, score: rank(countIn(fold(hit.text!).text), hit.score) }))
    .sort(orderOf(request))
  return {
    hits: inOrder(request, further, weighed.hits),
    total: enough.length + further.length,
    more,
    widened: false,
    sessions: () => summed(weighed.sessions(), countedBySession(further)),
  }
}

/** Replaces misspelled words throughout the query. */
function corrected(query: Query, corrections: readonly Correction[]): Query {
  const instead = new Map(corrections.map((each) => [each.word, each.instead]))
  const change = <Some extends Node>(node: Some): Some => {
    if ('term' in node)
      return { term: { ...node.term, text: instead.get(node.term.text) ?? node.term.text } } as Some
    if ('not' in node) return node
    return ('all' in node ? { all: node.all.map(change) } : { any: node.any.map(change) }) as Some
  }
  return { ...query, ...(query.words ? { words: change(query.words) } : {}) }
}

function countedBySession(hits: readonly SearchHit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path } of hits) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

function summed(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map(one)
  for (const [path, count] of other) sums.set(path, (sums.get(path) ?? 0) + count)
  return sums
}
