import type { DatabaseSync } from 'node:sqlite'
import { createScorer } from '../../search/score.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from '../store.ts'
import { closeTogether, EVERYTHING, wordsExpression } from './expression.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'
import { createParts } from './parts.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from './reader.ts'
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
  score: number
}

/** Ranked hits. Whole words first; where these are few, words that the terms are a part of come after them. */
export function search(database: DatabaseSync, request: SearchRequest): SearchAnswer {
  const { query, roots, limit, now } = request
  const limits = restrict(database, query.filters, roots, now)
  const nothing: SearchAnswer = { hits: [], total: 0, more: false, widened: false }
  if (limits.empty) return nothing
  const exact = query.words ? wordsExpression(query.words) : EVERYTHING
  let found = exact ? ask(database, exact, limits) : { ids: [], total: 0 }
  let widened = false
  if (query.words && found.total < limit) {
    const wide = wordsExpression(query.words, createParts(database))
    if (wide && wide !== exact) {
      const more = ask(database, wide, limits)
      widened = more.total > found.total
      if (widened) found = more
    }
  }
  if (found.total === 0) return nothing
  const ids = new Set(found.ids)
  if (query.words && found.total > found.ids.length && exact) {
    const near = closeTogether(query.words)
    if (near) for (const id of newest(database, near, limits, EXTRA)) ids.add(id)
    const human = `{facet} : "w${speakerNumber('human')}"`
    for (const id of newest(database, `${exact} AND ${human}`, limits, EXTRA)) ids.add(id)
  }
  return {
    hits: best(database, [...ids], request),
    total: Math.min(found.total, COUNTED),
    more: found.total > COUNTED,
    widened,
  }
}

function ask(
  database: DatabaseSync,
  expression: string,
  limits: Restriction,
): { ids: number[]; total: number } {
  const ids = newest(database, expression, limits, CANDIDATES)
  if (ids.length < CANDIDATES) return { ids, total: ids.length }
  const { sql, values } = statement(expression, limits)
  const counted = database.prepare(`SELECT count(*) AS total FROM (SELECT 1 ${sql} LIMIT ?)`)
  return { ids, total: Number(counted.get(...values, COUNTED + 1)!.total) }
}

function newest(database: DatabaseSync, expression: string, limits: Restriction, count: number): number[] {
  const { sql, values } = statement(expression, limits)
  const rows = database.prepare(`SELECT spoken.rowid AS id ${sql} ORDER BY spoken.rowid DESC LIMIT ?`)
  return rows.all(...values, count).map(({ id }) => Number(id))
}

function statement(expression: string, { expressions, denied, conditions, values }: Restriction) {
  const wanted = [expression, ...expressions].map((each) => `(${each})`).join(' AND ')
  const match = denied.length === 0 ? wanted : `(${wanted}) NOT (${denied.join(' OR ')})`
  const rows = conditions.length > 0 ? 'CROSS JOIN message m ON m.id = spoken.rowid' : ''
  const and = conditions.map((each) => ` AND ${each}`).join('')
  return { sql: `FROM spoken ${rows} WHERE spoken MATCH ?${and}`, values: [match, ...values] }
}

/** The candidates weighed, the best of them with all that is known of them. */
function best(
  database: DatabaseSync,
  ids: readonly number[],
  { query, limit, now }: SearchRequest,
): SearchHit[] {
  const scorer = createScorer(query)
  const rows = database
    .prepare('SELECT id, at, who, text, target FROM message WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids)) as unknown as Candidate[]
  for (const row of rows)
    row.score = scorer(
      {
        text: row.text ?? '',
        who: SPEAKERS[row.who]!,
        at: row.at ?? undefined,
        target: row.target ?? undefined,
      },
      now,
    )
  rows.sort((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0) || b.id - a.id)
  const full =
    database.prepare(`SELECT ${MESSAGE_COLUMNS}, a.path, a.platform, a.agent, a.session, a.gone, a.modified,
    a.generation < o.generation OR o.generation < a.generation AS old, s.project
    FROM message m JOIN artifact a ON a.id = m.artifact
    JOIN occurrence o ON o.artifact = m.artifact AND o.line = m.line AND o.message = m.id
    LEFT JOIN tool t ON t.id = m.tool LEFT JOIN session s ON s.artifact = a.id
    WHERE m.id = ? ORDER BY o.generation DESC LIMIT 1`)
  const copies =
    database.prepare(`SELECT a.path, o.line FROM occurrence o JOIN artifact a ON a.id = o.artifact
    WHERE o.message = ? AND o.copy = 1 ORDER BY a.path, o.line LIMIT 20`)
  return rows.slice(0, limit).flatMap(({ id, score }) => {
    const row = full.get(id) as unknown as (MessageColumns & Record<string, unknown>) | undefined
    if (!row) return []
    const gone = row.gone ?? (row.old === 1 ? row.modified : undefined)
    return {
      ...storedMessage(row),
      session: String(row.session),
      platform: String(row.platform),
      agent: String(row.agent),
      project: (row.project as string | null) ?? undefined,
      path: String(row.path),
      score,
      copies: copies.all(id).map(({ path, line }) => ({ path: String(path), line: Number(line) })),
      ...(gone === undefined || gone === null ? {} : { goneMs: Number(gone) }),
    }
  })
}
