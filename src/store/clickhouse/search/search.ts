import type { Steps } from '../../../model/steps.ts'
import { createScorer } from '../../../search/score.ts'
import type { SearchAnswer, SearchRequest } from '../../search.ts'
import type { Scope } from '../scope.ts'
import { type Candidate, candidates } from './candidates.ts'
import { hitOf, occurrencesOf } from './occurrences.ts'
import type { Restriction } from './restrict.ts'
import { textsOf } from './texts.ts'
import { closeTogether, EVERYTHING, wordsCondition } from './words-condition.ts'

/** How many of the newest matches are ranked. */
const CANDIDATES = 400
/** How many matches are added that other signs make promising, however old they are. */
const EXTRA = 100
/** With more matches than this, the newest ones include enough with adjacent words. */
const SOME = 1200
/** Messages read and ranked per step. */
const STEP = 200
/** Hits that are loaded together. */
const SHOWN = 20
/** Counting stops at this number. */
const COUNTED = 5000

const NOTHING: SearchAnswer = { hits: [], total: 0, more: false, widened: false, sessions: () => new Map() }

interface Found {
  messages: Candidate[]
  total: number
  more: boolean
}

const NONE: Found = { messages: [], total: 0, more: false }

/** Ranked hits. Whole words come first. If there are few, words that contain the terms follow. */
export function* search(scope: Scope, request: SearchRequest, limits: Restriction): Steps<SearchAnswer> {
  const { query, limit, enough = limit, sort } = request
  if (limits.empty) return NOTHING
  const count = Math.max(CANDIDATES, limit)
  const most = Math.max(count, COUNTED)
  const find = function* (words: string): Steps<Found> {
    const messages = yield* candidates(scope, words, limits, most + 1)
    return { messages, total: Math.min(messages.length, most), more: messages.length > most }
  }
  const exact = query.words ? wordsCondition(query.words) : EVERYTHING
  const whole = exact ? yield* find(exact) : NONE
  const loose = whole.total < enough && query.words ? wordsCondition(query.words, true) : undefined
  const wider = loose && loose !== exact ? yield* find(loose) : NONE
  const widened = wider.total > whole.total
  const found = widened ? wider : whole
  if (found.total === 0) return NOTHING
  const messages = new Map(found.messages.slice(0, count).map((each) => [each.message, each] as const))
  if (!widened && query.words && exact && found.total > count && sort !== 'newest') {
    const near = found.total > SOME ? undefined : closeTogether(query.words)
    const human = found.messages.filter(({ who }) => who === 'human').slice(0, EXTRA)
    const promising = near ? yield* candidates(scope, `${exact} AND ${near}`, limits, EXTRA) : []
    for (const each of [...promising, ...human]) messages.set(each.message, each)
  }
  return {
    ...(yield* best(scope, [...messages.values()], request, limits)),
    ...{ total: found.total, more: found.more, widened },
  }
}

/** Ranks the candidates, loads them, and counts matches per session. */
export function* best(
  scope: Scope,
  messages: readonly Candidate[],
  { query, limit, now, sort }: SearchRequest,
  limits: Restriction,
  /** Combines the score with other criteria. */
  rank: (id: number, score: number) => number = (_, score) => score,
): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>> {
  const scorer = createScorer(query)
  const rows: { score: number; at: number; candidate: Candidate }[] = []
  const sessions = new Map<string, number>()
  for (let from = 0; from < messages.length; from += STEP) {
    yield
    const some = messages.slice(from, from + STEP)
    const texts = textsOf(scope, some, limits.replaced)
    for (const candidate of some) {
      const found = texts.get(candidate.message)
      // It has been removed since it was found.
      if (!found) continue
      const { path, text, target, at } = found
      sessions.set(path, (sessions.get(path) ?? 0) + 1)
      const score = rank(candidate.message, scorer({ text, who: candidate.who, at, target }, now))
      rows.push({ score, at: at ?? 0, candidate })
    }
  }
  rows.sort((a, b) =>
    sort === 'newest'
      ? b.at - a.at || b.score - a.score || b.candidate.message - a.candidate.message
      : b.score - a.score || b.at - a.at || b.candidate.message - a.candidate.message,
  )
  return {
    hits: {
      *[Symbol.iterator]() {
        for (let from = 0; from < Math.min(rows.length, limit); from += SHOWN) {
          const some = rows.slice(from, Math.min(from + SHOWN, limit))
          const occurrences = occurrencesOf(
            scope,
            some.map(({ candidate }) => candidate),
            limits.replaced,
          )
          for (const { score, candidate } of some) {
            const found = hitOf(occurrences.get(candidate.message) ?? [], limits)
            if (found) yield { ...found, score }
          }
        }
      },
    },
    sessions: () => sessions,
  }
}
