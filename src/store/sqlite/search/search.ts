import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../../model/iteration.ts'
import { spellingsOf } from '../../../search/characters.ts'
import { createMatcher, wantedTerms } from '../../../search/match.ts'
import { wordsIn } from '../../../search/parse-query.ts'
import type { Node } from '../../../search/query.ts'
import { createScorer } from '../../../search/score.ts'
import { tokensOf } from '../../../search/words.ts'
import type { SearchAnswer, SearchRequest } from '../../search.ts'
import { SPEAKERS, speakerNumber } from '../../speakers.ts'
import { facet } from '../facets.ts'
import { createCandidates } from './candidates.ts'
import { closeTogether, EVERYTHING, wordsExpression } from './expression.ts'
import { createHitReader } from './hit-reader.ts'
import { createParts } from './parts.ts'
import { prepared } from './prepared.ts'
import type { Restriction } from './restriction.ts'

/** How many of the newest matches are ranked. */
const CANDIDATES = 400
/** If there are no more than this, all are ranked. Looking for the promising ones takes longer. */
const ALL = 600
/** How many matches are added that other signs make promising, however old they are. */
const EXTRA = 100
/** With more matches than this, the newest ones include enough with adjacent words. */
const SOME = 1200
/**
 * Up to this many matches, those of humans are looked up one by one. For several words, the index would read
 * the lists of all of them again.
 */
const FEW = 800
const FEW_OF_SEVERAL = 2000
/** Messages read and ranked per step. */
const STEP = 200
/** Hits loaded at once. */
const SHOWN = 20
/**
 * Counting stops at this number, or earlier if each row has to be checked or a hundred words are searched.
 */
const COUNTED = 5000
const COUNTED_SLOWLY = 2000

interface Candidate {
  id: number
  at: number | null
  score: number
}

type CandidateValues = [
  ...[id: number, at: number | null, who: number],
  ...[text: string | null, target: string | null, artifact: number],
]

/** Ranked hits. Whole words come first. If there are few, words that contain the terms follow. */
export function* search(
  database: DatabaseSync,
  request: SearchRequest,
  limits: Restriction,
): Steps<SearchAnswer> {
  const { query, limit, enough = limit } = request
  if (limits.empty) return NOTHING
  const count = Math.max(CANDIDATES, limit)
  const few = query.words && wordsIn(query.words) > 1 ? FEW_OF_SEVERAL : FEW
  const find = function* (expression: string, within: Restriction, counted = COUNTED): Steps<Found> {
    yield
    const candidates = createCandidates(database, expression, within)
    const isChecked = within.conditions.length > 0 || within.holds !== undefined
    const most = Math.max(count, isChecked ? COUNTED_SLOWLY : counted)
    const wanted = { count: Math.max(count, few), most: most + 1, enough: count }
    const { ids, total, isCut } =
      request.sort === 'newest'
        ? yield* candidates.newest({ ...wanted, count })
        : yield* candidates.latest(wanted)
    const more = isCut || total > most
    return {
      ...{ ids: ids.slice(0, count), total: Math.min(total, most), more, isCut },
      ...(ids.length === total && !more ? { all: ids } : {}),
    }
  }
  const exact = query.words ? wordsExpression(query.words) : EVERYTHING
  const whole = exact ? yield* find(exact, limits) : NONE
  const parts = whole.total < enough && query.words ? inParts(database, query.words, limits) : undefined
  const wider =
    parts && parts.expression !== exact ? yield* find(parts.expression, parts.limits, COUNTED_SLOWLY) : NONE
  const widened = wider.total > whole.total
  const found = widened ? wider : whole
  if (found.total === 0) return NOTHING
  const ids = new Set(found.total > ALL ? found.ids : (found.all ?? found.ids))
  if (!widened && query.words && exact && found.total > ids.size && request.sort !== 'newest')
    for (const id of yield* promising(database, query.words, { exact, found, limits })) ids.add(id)
  return {
    ...(yield* best(database, [...ids], request, limits)),
    total: found.total,
    more: found.more,
    widened,
  }
}

const NOTHING: SearchAnswer = { hits: [], total: 0, more: false, widened: false, sessions: () => new Map() }

interface Found {
  ids: number[]
  /** All matches, if they are few. */
  all?: number[]
  total: number
  more: boolean
  /** Only the newest messages were searched. */
  isCut: boolean
}

const NONE: Found = { ids: [], total: 0, more: false, isCut: false }

/**
 * Matches terms inside words. For terms of several tokens, the index does not check that they are adjacent.
 */
function inParts(
  database: DatabaseSync,
  words: Node,
  limits: Restriction,
): { expression: string; limits: Restriction } | undefined {
  const expression = wordsExpression(words, createParts(database))
  if (expression === undefined) return undefined
  // For a term of one token, every word that contains it was looked up.
  const several = (text: string): boolean => tokensOf(text).length > 1
  if (!wantedTerms(words).some((term) => !term.phrase && spellingsOf(term).some(several)))
    return { expression, limits }
  return { expression, limits: { ...limits, holds: createMatcher(words, { loose: true }) } }
}

/** Matches that may be good, even if they are old: with adjacent words, and from a human. */
function* promising(
  database: DatabaseSync,
  words: Node,
  { exact, found, limits }: { exact: string; found: Found; limits: Restriction },
): Steps<number[]> {
  const latest = function* (expression: string): Steps<number[]> {
    // With enough among the newest messages, older ones are not searched.
    const wanted = { count: EXTRA, most: EXTRA, enough: found.isCut ? 0 : EXTRA }
    return (yield* createCandidates(database, expression, limits).latest(wanted)).ids
  }
  const near = found.total > SOME ? undefined : closeTogether(words)
  const human = speakerNumber('human')
  return [
    ...(near ? yield* latest(near) : []),
    ...(found.all
      ? ofHumans(database, found.all)
      : yield* latest(`${exact} AND {facet} : "${facet.who(human)}"`)),
  ]
}

/**
 * The latest of some messages that are of humans. For few, this is faster than asking the index of words
 * again. The rows are not read.
 */
function ofHumans(database: DatabaseSync, ids: readonly number[]): number[] {
  return prepared(
    database,
    `SELECT id FROM message INDEXED BY message_human
    WHERE who = 0 AND id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?`,
  )
    .all(JSON.stringify(ids), EXTRA)
    .map(({ id }) => Number(id))
}

/** Ranks the candidates, loads the best of them, and counts matches per session. */
export function* best(
  database: DatabaseSync,
  ids: readonly number[],
  { query, limit, now, sort }: SearchRequest,
  limits: Restriction,
  /** Combines the score with other criteria. */
  rank: (id: number, score: number) => number = (_, score) => score,
): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>> {
  const scorer = createScorer(query)
  const some = prepared(
    database,
    'SELECT id, at, who, text, target, artifact FROM message WHERE id IN (SELECT value FROM json_each(?))',
    { arrays: true },
  )
  const rows: Candidate[] = []
  const counts = new Map<number, number>()
  for (let from = 0; from < ids.length; from += STEP) {
    yield
    const found = some.all(JSON.stringify(ids.slice(from, from + STEP))) as unknown as CandidateValues[]
    for (const [id, at, who, text, target, artifact] of found) {
      counts.set(artifact, (counts.get(artifact) ?? 0) + 1)
      const candidate = { text: text ?? '', who: SPEAKERS[who]!, at: at ?? undefined }
      rows.push({ id, at, score: rank(id, scorer({ ...candidate, target: target ?? undefined }, now)) })
    }
  }
  const newer = (a: Candidate, b: Candidate): number => (b.at ?? 0) - (a.at ?? 0)
  rows.sort((a, b) =>
    sort === 'newest'
      ? newer(a, b) || b.score - a.score || b.id - a.id
      : b.score - a.score || newer(a, b) || b.id - a.id,
  )
  const read = createHitReader(database, limits)
  return {
    hits: {
      *[Symbol.iterator]() {
        for (let from = 0; from < Math.min(rows.length, limit); from += SHOWN) {
          const some = rows.slice(from, Math.min(from + SHOWN, limit))
          const hitOf = read(some.map(({ id }) => id))
          for (const { id, score } of some) {
            const found = hitOf(id)
            if (found) yield { ...found, score }
          }
        }
      },
    },
    sessions: () => countsByPath(database, counts),
  }
}

function countsByPath(database: DatabaseSync, counts: ReadonlyMap<number, number>): Map<string, number> {
  const rows = prepared(
    database,
    'SELECT id, path FROM artifact WHERE id IN (SELECT value FROM json_each(?))',
  )
  const found = rows.all(JSON.stringify([...counts.keys()]))
  return new Map(found.map(({ id, path }) => [String(path), counts.get(Number(id))!]))
}
