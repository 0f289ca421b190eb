import type { Steps } from '../model/iteration.ts'
import { anyOfBag, type Bag, bagOf, exactly, inAnyForm } from '../search/bag.ts'
import { createFoldedMatcher, createScorer, VERBATIM, wantedTerms } from '../search/match.ts'
import type { Query, Term } from '../search/query.ts'
import { corrected, correctionsFor } from './corrections.ts'
import { joinSessions } from './joined-sessions.ts'
import { type RankedSession, type RankedSessions, rankSessions } from './ranked-sessions.ts'
import type { Correction, SearchAnswer, SearchHit, SearchRequest, WordsOfPassage } from './search.ts'
import type { Nearest, SearchSource } from './search-source.ts'

/** If fewer messages contain all words, sessions are ranked by those that they contain. */
const FEW = 5
/** The weight of a title. It describes the whole session. */
const TITLE = 1.2

/** Searches as people expect it. See `SearchRequest.relaxed`. */
export function* searchRelaxed(source: SearchSource, request: SearchRequest): Steps<SearchAnswer> {
  const { query } = request
  const bag = bagOf(query)
  if (bag?.isSentence && request.sort !== 'newest' && !source.isEmpty)
    return yield* withAnyWords(source, request, bag)
  const found = yield* withAllWords(source, request)
  if (!query.words || source.isEmpty || found.total >= FEW) return found
  const corrections = found.total > 0 ? [] : yield* correctionsFor(source, wantedTerms(query.words))
  if (corrections.length > 0) {
    const asked = corrected(query, corrections)
    const again = { ...request, query: asked }
    const instead = yield* withAllWords(source, again)
    const answer = instead.total < FEW ? yield* withFurther(source, again, instead) : instead
    if (answer.total > 0) return { asked, ...answer, corrections, corrected: true }
  }
  const most = yield* withFurther(source, request, found)
  return corrections.length > 0 ? { corrections, ...most } : most
}

/** The hits that contain all words, and then the sessions that contain most of them. */
function* withFurther(
  source: SearchSource,
  request: SearchRequest,
  found: SearchAnswer,
): Steps<SearchAnswer> {
  const bag = bagOf(request.query)
  const further = bag && (yield* withAnyWords(source, request, bag, found))
  return further && further.total > 0 ? further : found
}

/** Messages and titles that contain all words. */
function* withAllWords(source: SearchSource, request: SearchRequest): Steps<SearchAnswer> {
  const found = yield* source.search(request)
  const { words } = request.query
  if (!words || source.isEmpty) return found
  const titles = titlesAsHits(source, request, request.query, createFoldedMatcher(words))
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

function titlesAsHits(
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

/** How much who said something, and how close its words are, can change the order of sessions. */
const TIE = 0.3
/** Further passages of a session come after the best ones of all sessions. */
const LATER = 1e-3

const NOTHING = { hits: [], total: 0, widened: false }

/**
 * The sessions that contain most of what is asked for, each by its best passage. The given hits come first.
 */
function* withAnyWords(
  source: SearchSource,
  request: SearchRequest,
  given: Bag,
  { hits, total, widened }: Pick<SearchAnswer, 'hits' | 'total' | 'widened'> = NOTHING,
): Steps<SearchAnswer> {
  const first = [...hits]
  let bag = given
  let ranked = yield* rankSessions(source, request, bag)
  const corrections = total > 0 ? [] : yield* correctionsFor(source, missingIn(bag, ranked))
  if (corrections.length > 0) {
    bag = withCorrections(bag, corrections)
    ranked = yield* rankSessions(source, request, bag)
  }
  const query = {
    ...request.query,
    words: anyOfBag(bag),
    ...asPhrase(request.query),
  }
  const nearest = bag.isSentence ? yield* nearestTo(source, request) : undefined
  const joined = nearest && joinSessions(source, ranked.sessions, nearest)
  const sessions = joined?.sessions ?? ranked.sessions
  const shown = first.length === 0 ? sessions : sessions.map((each) => withMost(each, bag))
  const found = passagesOf(shown, first)
  const best = shown[0]?.score ?? 1
  /** Ranks below every hit that contains all words. */
  const ceiling = first.at(-1)?.score ?? 1
  const inRound = (round: number, score: number): number =>
    ((ceiling * score) / (best * (1 + TIE))) * LATER ** round
  const promising = [...found]
    .sort((one, other) => one[1].round - other[1].round || other[1].score - one[1].score)
    .slice(0, request.limit)
    .map(([message]) => message)
  const weighed = yield* source.best(promising, { ...request, query }, (scores) => {
    const rounds = roundsOf(shown, scores)
    return (message) => {
      const { score: base, meaning } = found.get(message)!
      const score = scores.get(message)!
      if (score > VERBATIM) return inRound(0, best * (1 + TIE) * (score / (1 + score)))
      return inRound(rounds.get(message)!, meaning + (base - meaning) * (1 + (TIE * score) / (1 + score)))
    }
  })
  const titles = shown.flatMap(({ title, passages, score }) => {
    const hit = passages.length === 0 && title ? source.titleHit(title.titled) : undefined
    return hit && !first.some(({ path, label }) => label === 'title' && path === hit.path)
      ? [{ hit: { ...hit, score: inRound(0, score) }, words: title!.words, share: title!.share }]
      : []
  })
  const titleHits = titles.map(({ hit }) => hit).sort(orderOf(request))
  const titled = new Map(titles.map(({ hit, words, share }) => [hit.path, { words, share }]))
  const further = found.size + titles.length
  return {
    hits: {
      *[Symbol.iterator]() {
        // By time, what contains all words is among the rest.
        const isTimed = request.sort === 'newest'
        if (!isTimed) yield* first
        const among = isTimed ? [...first, ...titleHits].sort(orderOf(request)) : titleHits
        yield* inOrder(request, among, weighed.hits)
      },
    },
    total: total + further,
    more: further > 0 && (ranked.isCut || found.size > request.limit),
    widened,
    relaxed: further > 0,
    ...(further > 0 && { asked: { ...query, words: inAnyForm(bag) } }),
    ...(corrections.length > 0 && { corrections, corrected: true }),
    sessions: () => summed(countedBySession(first), summed(weighed.sessions(), countedBySession(titleHits))),
    words: {
      count: bag.words.length,
      in: ({ message, path }) => found.get(message) ?? titled.get(path),
    },
    ...(joined && { meaning: { in: ({ message }) => joined.similarities.get(message) } }),
  }
}

/** Fewer words stand together by chance: `round the tax` is no quotation. */
const QUOTATION = 5

function asPhrase({ words }: Query): Pick<Query, 'verbatim'> {
  const typed = wantedTerms(words).map(({ text }) => text)
  return typed.length < QUOTATION ? {} : { verbatim: { text: typed.join(' '), phrase: true, prefix: false } }
}

/** A message that represents a session with this score. */
interface FoundPassage extends WordsOfPassage, Required<Pick<RankedSession, 'score' | 'meaning'>> {
  /** 0 for the best of its session, before its text is read. */
  round: number
}

/** The passages of all sessions by their messages, without those of the given hits. */
function passagesOf(
  sessions: readonly RankedSession[],
  hits: readonly SearchHit[],
): ReadonlyMap<number, FoundPassage> {
  const known = new Set(hits.map(({ message }) => message))
  const found = new Map<number, FoundPassage>()
  for (const { passages, score, meaning = 0 } of sessions)
    for (const [round, { message, words, share }] of passages.entries())
      if (!known.has(message)) found.set(message, { round, score, meaning, words, share })
  return found
}

/**
 * Which passage of its session each message is, from 0. Their texts decide, unless the session was found by
 * meaning more than by words.
 */
function roundsOf(
  sessions: readonly RankedSession[],
  scores: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const scoreOf = ({ message }: { message: number }): number => scores.get(message) ?? 0
  const rounds = new Map<number, number>()
  for (const { passages, score, meaning = 0 } of sessions) {
    const isByMeaning = meaning * 2 > score
    const sorted = isByMeaning ? passages : passages.toSorted((one, other) => scoreOf(other) - scoreOf(one))
    for (const [round, { message }] of sorted.entries()) rounds.set(message, round)
  }
  return rounds
}

/** The messages that mean most nearly what was asked. Undefined if meaning is not searched. */
function* nearestTo(source: SearchSource, { vector }: SearchRequest): Steps<Nearest | undefined> {
  return vector && source.nearest ? yield* source.nearest(vector) : undefined
}

/** The words that no message contains. */
const missingIn = ({ words }: Bag, { wordsIn }: RankedSessions): Term[] => {
  let all = 0
  for (const mask of wordsIn.values()) all |= mask
  return words.flatMap(({ typed }, index) =>
    (all & (1 << index)) === 0 ? [{ text: typed, phrase: false, prefix: false }] : [],
  )
}

const withCorrections = (bag: Bag, corrections: readonly Correction[]): Bag => {
  const instead = new Map(corrections.map((each) => [each.word, each.instead]))
  return {
    ...bag,
    words: bag.words.map((word) => {
      const text = instead.get(word.typed)
      return text === undefined ? word : { typed: text, term: exactly(text), forms: [], isGuess: true }
    }),
  }
}

/** What is left of a session if only messages and titles count that contain more than half of the words. */
function withMost({ passages, title, ...session }: RankedSession, { words }: Bag): RankedSession {
  const isMost = (count: number): boolean => count * 2 > words.length
  return {
    ...session,
    passages: passages.filter(({ own }) => isMost(own)),
    ...(title && isMost(title.words) && { title }),
  }
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
