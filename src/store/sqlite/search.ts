import type { DatabaseSync } from 'node:sqlite'
import { createScorer } from '../../search/score.ts'
import type { SearchAnswer, SearchRequest } from '../store.ts'
import { closeTogether, EVERYTHING, wordsExpression } from './expression.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'
import { createParts } from './parts.ts'
import { createPlaces } from './places.ts'
import { type Restriction, restrict } from './restrict.ts'

/** So many of the newest matches are weighed against each other. */
const CANDIDATES = 800
/** And so many of those that fit best by other signs, however old. */
const EXTRA = 200
/** Counting stops here. */
const COUNTED = 100_000

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
export function search(database: DatabaseSync, request: SearchRequest): SearchAnswer {
  const { query, limit, enough = limit } = request
  const limits = restrict(database, request)
  const nothing: SearchAnswer = { hits: [], total: 0, more: false, widened: false, sessions: new Map() }
  if (limits.empty) return nothing
  const take = { count: Math.max(CANDIDATES, limit), byTime: request.sort === 'newest' }
  const exact = query.words ? wordsExpression(query.words) : EVERYTHING
  let found = exact ? ask(database, exact, limits, take) : { ids: [], total: 0 }
  let widened = false
  if (query.words && found.total < enough) {
    const wide = wordsExpression(query.words, createParts(database))
    if (wide && wide !== exact) {
      const more = ask(database, wide, limits, take)
      widened = more.total > found.total
      if (widened) found = more
    }
  }
  if (found.total === 0) return nothing
  const ids = new Set(found.ids)
  if (query.words && found.total > found.ids.length && exact && !take.byTime) {
    const near = closeTogether(query.words)
    if (near) for (const id of newest(database, near, limits, { count: EXTRA })) ids.add(id)
    const human = `{facet} : "w${speakerNumber('human')}"`
    for (const id of newest(database, `${exact} AND ${human}`, limits, { count: EXTRA })) ids.add(id)
  }
  return {
    ...best(database, [...ids], request, limits),
    total: Math.min(found.total, COUNTED),
    more: found.total > COUNTED,
    widened,
  }
}

function ask(
  database: DatabaseSync,
  expression: string,
  limits: Restriction,
  take: Take,
): { ids: number[]; total: number } {
  const ids = newest(database, expression, limits, take)
  if (ids.length < take.count) return { ids, total: ids.length }
  const { sql, values } = statement(expression, limits)
  const counted = database.prepare(`SELECT count(*) AS total FROM (SELECT 1 ${sql} LIMIT ?)`)
  return { ids, total: Number(counted.get(...values, COUNTED + 1)!.total) }
}

interface Take {
  count: number
  /** By the time that stands in the messages; else by when they were stored, which is about the same and costs nothing. */
  byTime?: boolean
}

function newest(
  database: DatabaseSync,
  expression: string,
  limits: Restriction,
  { count, byTime = false }: Take,
): number[] {
  const { sql, values } = statement(expression, limits, byTime)
  const order = byTime ? 'm.at DESC, m.id DESC' : 'spoken.rowid DESC'
  const rows = database.prepare(`SELECT spoken.rowid AS id ${sql} ORDER BY ${order} LIMIT ?`)
  return rows.all(...values, count).map(({ id }) => Number(id))
}

function statement(
  expression: string,
  { expressions, denied, conditions, values }: Restriction,
  joined = false,
) {
  const wanted = [expression, ...expressions].map((each) => `(${each})`).join(' AND ')
  const match = denied.length === 0 ? wanted : `(${wanted}) NOT (${denied.join(' OR ')})`
  const rows = joined || conditions.length > 0 ? 'CROSS JOIN message m ON m.id = spoken.rowid' : ''
  const and = conditions.map((each) => ` AND ${each}`).join('')
  return { sql: `FROM spoken ${rows} WHERE spoken MATCH ?${and}`, values: [match, ...values] }
}

/** The candidates weighed, the best of them with all that is known of them, and to which sessions they all belong. */
function best(
  database: DatabaseSync,
  ids: readonly number[],
  { query, limit, now, sort }: SearchRequest,
  limits: Restriction,
): Pick<SearchAnswer, 'hits' | 'sessions'> {
  const scorer = createScorer(query)
  const rows = database
    .prepare(
      'SELECT id, at, who, text, target, artifact FROM message WHERE id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(ids)) as unknown as Candidate[]
  const counts = new Map<number, number>()
  for (const row of rows) {
    counts.set(row.artifact, (counts.get(row.artifact) ?? 0) + 1)
    row.score = scorer(
      {
        text: row.text ?? '',
        who: SPEAKERS[row.who]!,
        at: row.at ?? undefined,
        target: row.target ?? undefined,
      },
      now,
    )
  }
  const newer = (a: Candidate, b: Candidate): number => (b.at ?? 0) - (a.at ?? 0)
  rows.sort((a, b) =>
    sort === 'newest'
      ? newer(a, b) || b.score - a.score || b.id - a.id
      : b.score - a.score || newer(a, b) || b.id - a.id,
  )
  const placesOf = createPlaces(database, limits)
  const pathOf = database.prepare('SELECT path FROM artifact WHERE id = ?')
  return {
    hits: rows.slice(0, limit).flatMap(({ id, score }) => {
      const found = placesOf(id)
      return found ? { ...found, score } : []
    }),
    sessions: new Map([...counts].map(([id, count]) => [String(pathOf.get(id)!.path), count])),
  }
}
