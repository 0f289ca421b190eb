import type { DatabaseSync } from 'node:sqlite'
import type { SearchHit, SearchRequest } from '../../search.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from '../message-columns.ts'
import type { Restriction } from './restriction.ts'

/** A session whose title matches. */
export interface Titled {
  artifact: number
  title: string
  at: number | null
}

/** The maximum number of titles. */
const MOST = 200

/** Sessions whose titles match. A title has no speaker and no tool, so filters for these exclude it. */
export function titled(
  database: DatabaseSync,
  { query: { filters } }: Pick<SearchRequest, 'query'>,
  { shown, hidden, outside }: Restriction,
  fits: (title: string) => boolean,
): Titled[] {
  const { without } = filters
  const narrow = [filters, without].some(
    ({ who, tool, file, error, question }) => who.length + tool.length + file.length > 0 || error || question,
  )
  if (narrow) return []
  const found: Titled[] = []
  for (const row of database
    .prepare(`SELECT artifact, row ->> '$.title' AS title, row ->> '$.lastActivityMs' AS at FROM session
      WHERE row ->> '$.title' IS NOT NULL`)
    .iterate()) {
    const each = row as unknown as Titled
    const at = each.at ?? 0
    if (shown?.has(each.artifact) === false || hidden?.has(each.artifact) || outside?.has(each.artifact))
      continue
    if (at < (filters.after ?? at) || at >= (filters.before ?? Number.POSITIVE_INFINITY)) continue
    if (fits(each.title)) found.push(each)
    if (found.length === MOST) break
  }
  return found
}

/**
 * Makes a hit of a title, at the first line of its session. Undefined if the message there repeats the title.
 */
export function createTitleHits(
  database: DatabaseSync,
): (titled: Titled) => Omit<SearchHit, 'score'> | undefined {
  const first =
    database.prepare(`SELECT ${MESSAGE_COLUMNS}, a.path, a.platform, a.agent, a.session, s.project,
    a.gone, a.generation FROM artifact a JOIN session s ON s.artifact = a.id
    JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation
    JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool
    WHERE a.id = ? ORDER BY o.prompt DESC, o.line, o.place LIMIT 1`)
  return ({ artifact, title, at }) => {
    const row = first.get(artifact) as unknown as
      | (MessageColumns & {
          path: string
          platform: string
          agent: string
          session: string
          project: string | null
          gone: number | null
        })
      | undefined
    if (!row) return undefined
    const { message, line, offset, length, order, text } = storedMessage(row)
    const begins = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 40)
    if (begins(text ?? '') === begins(title)) return undefined
    return {
      ...{ message, line, offset, length, order },
      who: 'marker',
      label: 'title',
      at: at ?? undefined,
      text: title,
      session: row.session,
      platform: row.platform,
      agent: row.agent,
      project: row.project ?? undefined,
      path: row.path,
      copies: [],
      ...(row.gone === null ? {} : { goneMs: row.gone }),
    }
  }
}
