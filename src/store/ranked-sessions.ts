import { largest, type Steps } from '../model/iteration.ts'
import { type Bag, type BagWord, exactly } from '../search/bag.ts'
import { createFoldedMatcher } from '../search/match.ts'
import type { Node } from '../search/query.ts'
import type { SearchRequest } from './search.ts'
import type { SearchSource, SessionPositions, TitledSession } from './search-source.ts'

/** A message that represents a session, and what it contains of the words. */
export interface Passage {
  message: number
  score: number
  /** How many of the words it contains, and how many it and its neighbors do. */
  own: number
  words: number
  /** What these words weigh against all of the bag, from 0 to 1. Rare words weigh more. */
  share: number
}

/** A session, judged by all of its messages and by its best passages. */
export interface RankedSession {
  /** The id of its file. */
  session: number
  score: number
  /** The part of the score that words do not account for. */
  meaning?: number
  /** The best first. Empty if only the title matches. */
  passages: Passage[]
  /** A title with some of the words, and how many. */
  title?: { titled: TitledSession; words: number; share: number }
}

/** What was found of a bag of words. */
export interface RankedSessions {
  /** The best first. */
  sessions: RankedSession[]
  /** Of each message that was found: which words it contains, as bits. */
  wordsIn: ReadonlyMap<number, number>
  /** Some words occur in so many messages that only the newest were read. */
  isCut: boolean
}

/** How many of the newest messages with one of the words are read. */
const OF_ONE_WORD = 10_000
/** How many messages with their neighbors lead to sessions, and how many sessions are judged as a whole. */
const PROMISING = 1500
const SESSIONS = 100
/** How many forms of one word are looked up, and how much longer than the stem they may be. */
const FORMS = 60
const ENDING = 4

/** The neighborhood of a message: so many before, and so many after. */
const NEAR = 2
/** BM25: how soon repetition stops counting, and how much the length of a session does. */
const SATURATION = 1.2
const LENGTH = 0.75
/**
 * What is added to the neighborhood of a message that has every word as it was typed, in parts of its score,
 * and for how many of the newest. Half of it if the message has so many characters: a long one has many
 * words.
 */
const COMPLETE = 1.5
const LONG = 1000
const OF_ALL_WORDS = 50
/** The weights of the best neighborhood, and of a title, against the session as a whole. */
const PASSAGE = 1
const TITLE = 1
/** What a tool call or a program's message counts in a neighborhood, against one of a person or an agent. */
const ASIDE = 0.6
/** What a word that replaces a misspelled one counts. It may be another. */
const GUESS = 0.5
/** How many passages of a session are considered. Their texts decide which of them stands for it. */
const PASSAGES = 4

/**
 * Ranks sessions by a bag of words: by BM25 over all of the session's messages, plus BM25 over the best
 * neighborhood in it. A word of the bag also matches with other endings. A message counts once for each of
 * its words, and its own words count twice in its neighborhood.
 */
export function* rankSessions(source: SearchSource, request: SearchRequest, bag: Bag): Steps<RankedSessions> {
  const { messages, sessions: count } = source.size()
  const { wordsIn, weights, isCut } = yield* lookUp(source, bag, messages)
  yield
  const complete = yield* withAllOf(source, bag)
  const promising = [...around(wordsIn, weights)].sort((one, other) => other.score - one.score)
  const some = promising.slice(0, PROMISING).map(({ message }) => message)
  const owners = source.ownersOf(some)
  const chosen = new Set<number>()
  for (const message of some) {
    const owner = owners.get(message)
    if (owner) chosen.add(owner.session)
    if (chosen.size === SESSIONS) break
  }
  const isAside = (message: number): boolean => owners.get(message)?.isAside === true
  const usual = Math.max(1, messages / Math.max(1, count))
  const ranked = new Map<number, RankedSession>()
  for (const session of chosen) {
    yield
    ranked.set(
      session,
      judge(
        session,
        source.positionsIn(session, (id) => wordsIn.has(id)),
        { wordsIn, weights, usual, isAside, complete },
      ),
    )
  }
  for (const { score, ...title } of titlesWith(source, request, bag, weights)) {
    const session = title.titled.artifact
    const known = ranked.get(session) ?? { session, score: 0, passages: [] }
    ranked.set(session, { ...known, score: known.score + TITLE * score, title })
  }
  const sessions = [...ranked.values()].sort((one, other) => other.score - one.score)
  return { sessions, wordsIn, isCut }
}

/** Messages by the words that they contain, and the weight of each word: rare words say more. */
function* lookUp(
  source: SearchSource,
  { words, required }: Bag,
  messages: number,
): Steps<{ wordsIn: Map<number, number>; weights: number[]; isCut: boolean }> {
  const wordsIn = new Map<number, number>()
  const weights: number[] = []
  let isCut = false
  for (const [index, word] of words.entries()) {
    const { ids, total } = yield* source.latest({ all: [...required, formsOf(source, word)] }, OF_ONE_WORD)
    isCut ||= ids.length < total
    for (const id of ids) wordsIn.set(id, (wordsIn.get(id) ?? 0) | (1 << index))
    const others = Math.max(0, messages - total)
    weights.push((word.isGuess ? GUESS : 1) * Math.log(1 + (others + 0.5) / (total + 0.5)))
  }
  return { wordsIn, weights, isCut }
}

/** The newest messages that have every word as it was typed, and what that counts. */
function* withAllOf(source: SearchSource, { words, required }: Bag): Steps<ReadonlyMap<number, number>> {
  if (words.length < 2) return new Map()
  const exact = words.map(({ typed }): Node => ({ term: { text: typed, phrase: true, prefix: false } }))
  const { ids } = yield* source.latest({ all: [...required, ...exact] }, OF_ALL_WORDS)
  if (ids.length === 0) return new Map()
  return new Map(
    [...source.lengthsOf(ids)].map(([message, length]) => [message, COMPLETE / (1 + length / LONG)]),
  )
}

/** The forms of a word that messages contain. The beginning of a word would match too much, and slowly. */
function formsOf(source: Pick<SearchSource, 'vocabulary'>, { typed, term, forms }: BagWord): Node {
  if (!term.prefix && forms.length === 0) return { term }
  const stem = term.text.toLowerCase()
  const lengths = { least: stem.length, most: stem.length + ENDING }
  const beginning = term.prefix ? source.vocabulary(lengths, [{ text: stem, where: 'start', start: 0 }]) : []
  const longer = beginning.toSorted((one, other) => one.length - other.length).slice(0, FORMS)
  return { any: [typed, ...forms, ...longer].map((text) => ({ term: exactly(text) })) }
}

const saturated = (count: number): number => (count * (SATURATION + 1)) / (count + SATURATION)

/**
 * The score of each message with its neighbors, by their numbers: those that are stored one after the other
 * have consecutive ones. This only leads to sessions, so it may go beyond the end of one.
 */
function* around(
  wordsIn: ReadonlyMap<number, number>,
  weights: readonly number[],
): Generator<{ message: number; score: number }> {
  const ids = Float64Array.from(wordsIn.keys()).sort()
  const masks = Array.from(ids, (id) => wordsIn.get(id)!)
  const counts = weights.map(() => 0)
  for (let at = 0; at < ids.length; at++) {
    counts.fill(0)
    add(counts, masks[at]!, 2)
    for (let next = at - 1; next >= 0 && ids[at]! - ids[next]! <= NEAR; next--) add(counts, masks[next]!, 1)
    for (let next = at + 1; next < ids.length && ids[next]! - ids[at]! <= NEAR; next++)
      add(counts, masks[next]!, 1)
    yield { message: ids[at]!, score: sum(counts, weights) }
  }
}

function add(counts: number[], mask: number, weight: number): void {
  for (let rest = mask, index = 0; rest !== 0; rest >>>= 1, index++)
    if ((rest & 1) === 1) counts[index]! += weight
}

const sum = (counts: readonly number[], weights: readonly number[]): number =>
  counts.reduce((score, count, index) => score + weights[index]! * saturated(count), 0)

interface Judging {
  wordsIn: ReadonlyMap<number, number>
  weights: readonly number[]
  /** The usual number of messages of a session. */
  usual: number
  /** What is added to the neighborhoods of messages that have every word as it was typed. */
  complete: ReadonlyMap<number, number>
  isAside(message: number): boolean
}

/** A passage, and how well it stands for its session: its own words count most. */
type Shown = Passage & { shown: number }

/** What the words of neighbors count against those of the message itself, where one is chosen. */
const NEARBY = 0.3

/** A session by its messages in order. */
function judge(session: number, { length, found }: SessionPositions, judging: Judging): RankedSession {
  const { wordsIn, weights, usual, isAside, complete } = judging
  const matching = found.map(({ message, position }) => ({
    message,
    position,
    mask: wordsIn.get(message)!,
    weight: isAside(message) ? ASIDE : 1,
  }))
  const counts = weights.map(() => 0)
  for (const { mask } of matching) add(counts, mask, 1)
  const norm = SATURATION * (1 - LENGTH + (LENGTH * length) / usual)
  const whole = counts.reduce(
    (score, count, index) => score + (weights[index]! * count * (SATURATION + 1)) / (count + norm),
    0,
  )
  const near = weights.map(() => 0)
  const all = weightOf(~0, weights)
  const candidates = matching.map(({ message, position, mask, weight }, at): Shown => {
    near.fill(0)
    add(near, mask, 2 * weight)
    let words = mask
    for (let next = at - 1; next >= 0 && position - matching[next]!.position <= NEAR; next--) {
      add(near, matching[next]!.mask, matching[next]!.weight)
      words |= matching[next]!.mask
    }
    for (let next = at + 1; next < matching.length && matching[next]!.position - position <= NEAR; next++) {
      add(near, matching[next]!.mask, matching[next]!.weight)
      words |= matching[next]!.mask
    }
    return {
      message,
      score: sum(near, weights) * (1 + (complete.get(message) ?? 0)),
      own: bitsIn(mask),
      words: bitsIn(words),
      share: weightOf(words, weights) / all,
      shown: weight * (weightOf(mask, weights) + NEARBY * weightOf(words, weights)),
    }
  })
  const best = largest(
    candidates.map(({ score }) => score),
    0,
  )
  const passages = candidates
    .sort((one, other) => other.shown - one.shown || other.score - one.score)
    .slice(0, PASSAGES)
  return { session, score: whole + PASSAGE * best, passages }
}

const weightOf = (mask: number, weights: readonly number[]): number =>
  weights.reduce((total, weight, index) => ((mask & (1 << index)) === 0 ? total : total + weight), 0)

function bitsIn(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Titles with some of the words, how many, and the sum of the weights of these words. */
function titlesWith(
  source: SearchSource,
  request: SearchRequest,
  { words, required }: Bag,
  weights: readonly number[],
): { titled: TitledSession; words: number; share: number; score: number }[] {
  const tests = words.map(({ term }) => createFoldedMatcher({ term }))
  const holds = createFoldedMatcher(required.length > 0 ? { all: required } : undefined)
  return source
    .titles(request, (folded) => holds(folded) && tests.some((test) => test(folded)))
    .map((titled) => {
      const found = weights.filter((_, index) => tests[index]!(titled.folded))
      const score = found.reduce((total, weight) => total + weight, 0)
      return { titled, words: found.length, score, share: score / weightOf(~0, weights) }
    })
}
