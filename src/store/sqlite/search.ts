import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../model/steps.ts'
import { wantedTerms } from '../../search/match.ts'
import { createMatcher } from '../../search/matches.ts'
import type { Node } from '../../search/query.ts'
import { createScorer } from '../../search/score.ts'
import { spellingsOf } from '../../search/spellings.ts'
import { tokensOf } from '../../search/words.ts'
import type { SearchAnswer, SearchRequest } from '../store.ts'
import { createCandidates } from './candidates.ts'
import { closeTogether, EVERYTHING, wordsExpression } from './expression.ts'
import { facet, SPEAKERS, speakerNumber } from './facets.ts'
import { createParts } from './parts.ts'
import { createPlaces } from './places.ts'
import { type Restriction, restrict } from './restrict.ts'

/** So many of the newest matches are weighed against each other. */
const CANDIDATES = 400
/** And so many of those that fit best by other signs, however old. */
const EXTRA = 100
/** Of more than these some of the newest have their words close together too. */
const SOME = 1200
/** So many messages are read and weighed in one step. */
const STEP = 200
/** Counting stops here; earlier where each row has to be looked at. */
const COUNTED = 5000
const COUNTED_ROWS = 2000

interface Candidate {
  id: number
  at: number | null
  who: number
  text: string | null
  target: string | null
  artifact: number
  score: number
}

/** Ranked hits. Whole words first; where these are few, words that the terms are a part of come after them. */
export function* search(
  database: DatabaseSync,
  request: SearchRequest,
  limits = restrict(database, request),
): Steps<SearchAnswer> {
  const { query, limit, enough = limit } = request
  if (limits.empty) return NOTHING
  const count = Math.max(CANDIDATES, limit)
  const find = function* (expression: string, within: Restriction): Steps<Found> {
    yield
    const candidates = createCandidates(database, expression, within)
    const most = Math.max(count, within.conditions.length > 0 || within.holds ? COUNTED_ROWS : COUNTED)
    const { ids, total } = yield* candidates[request.sort === 'newest' ? 'newest' : 'latest'](count, most + 1)
    return { ids, total: Math.min(total, most), more: total > most }
  }
  const exact = query.words ? wordsExpression(query.words) : EVERYTHING
  const whole = exact ? yield* find(exact, limits) : NONE
  const parts = whole.total < enough && query.words ? inParts(database, query.words, limits) : undefined
  const wider = parts && parts.expression !== exact ? yield* find(parts.expression, parts.limits) : NONE
  const widened = wider.total > whole.total
  const found = widened ? wider : whole
  if (found.total === 0) return NOTHING
  const ids = new Set(found.ids)
  if (!widened && query.words && exact && found.total > found.ids.length && request.sort !== 'newest')
    for (const expression of promising(query.words, exact, found.total))
      for (const id of (yield* createCandidates(database, expression, limits).latest(EXTRA)).ids) ids.add(id)
  return {
    ...(yield* best(database, [...ids], request, limits)),
    total: found.total,
    more: found.more,
    widened,
  }
}

const NOTHING: SearchAnswer = { hits: [], total: 0, more: false, widened: false, sessions: new Map() }

interface Found {
  ids: number[]
  total: number
  more: boolean
}

const NONE: Found = { ids: [], total: 0, more: false }

/** Terms as parts of words. Of those with several tokens the index does not say that they stand next to each other. */
function inParts(
  database: DatabaseSync,
  words: Node,
  limits: Restriction,
): { expression: string; limits: Restriction } | undefined {
  const expression = wordsExpression(words, createParts(database))
  if (expression === undefined) return undefined
  // Of one token every word it is a part of was looked up.
  const several = (text: string): boolean => tokensOf(text).length > 1
  if (!wantedTerms(words).some((term) => !term.phrase && spellingsOf(term).some(several)))
    return { expression, limits }
  return { expression, limits: { ...limits, holds: createMatcher(words, { loose: true }) } }
}

/** Where the best of many may be although they are old: with the words close together, and said by a human. */
function promising(words: Node, exact: string, total: number): string[] {
  const near = total > SOME ? undefined : closeTogether(words)
  return [...(near ? [near] : []), `${exact} AND {facet} : "${facet.who(speakerNumber('human'))}"`]
}

/** The candidates weighed, the best of them with all that is known of them, and to which sessions they all belong. */
export function* best(
  database: DatabaseSync,
  ids: readonly number[],
  { query, limit, now, sort }: SearchRequest,
  limits: Restriction,
  /** What the order goes by besides how well a message fits. */
  rank: (id: number, score: number) => number = (_, score) => score,
): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>> {
  const scorer = createScorer(query)
  const some = database.prepare(
    'SELECT id, at, who, text, target, artifact FROM message WHERE id IN (SELECT value FROM json_each(?))',
  )
  const rows: Candidate[] = []
  const counts = new Map<number, number>()
  for (let from = 0; from < ids.length; from += STEP) {
    yield
    for (const row of some.all(JSON.stringify(ids.slice(from, from + STEP))) as unknown as Candidate[]) {
      counts.set(row.artifact, (counts.get(row.artifact) ?? 0) + 1)
      const said = { text: row.text ?? '', who: SPEAKERS[row.who]!, at: row.at ?? undefined }
      row.score = rank(row.id, scorer({ ...said, target: row.target ?? undefined }, now))
      rows.push(row)
    }
  }
  const newer = (a: Candidate, b: Candidate): number => (b.at ?? 0) - (a.at ?? 0)
  rows.sort((a, b) =>
    sort === 'newest'
      ? newer(a, b) || b.score - a.score || b.id - a.id
      : b.score - a.score || newer(a, b) || b.id - a.id,
  )
  const placesOf = createPlaces(database, limits)
  return {
    hits: {
      *[Symbol.iterator]() {
        for (const { id, score } of rows.slice(0, limit)) {
          const found = placesOf(id)
          if (found) yield { ...found, score }
        }
      },
    },
    sessions: new Map(pathsOf(database, counts).map(([id, path]) => [path, counts.get(id)!])),
  }
}

function pathsOf(database: DatabaseSync, ids: ReadonlyMap<number, unknown>): [id: number, path: string][] {
  const rows = database.prepare('SELECT id, path FROM artifact WHERE id IN (SELECT value FROM json_each(?))')
  return rows.all(JSON.stringify([...ids.keys()])).map(({ id, path }) => [Number(id), String(path)])
}
