import type { DatabaseSync } from 'node:sqlite'
import type { SearchHit, SearchRequest } from '../../search.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from '../message-columns.ts'
import type { Restriction } from './restriction.ts'
import { createTitleList, type TitledSession } from './title-list.ts'

/** The maximum number of titles. */
const MOST = 200

/** The first message of a session, which shows what the session is about. */
type First = MessageColumns &
  Pick<SearchHit, 'path' | 'platform' | 'agent' | 'session'> & { project: string | null; gone: number | null }

export interface Titles {
  /**
   * Sessions whose titles match, judged by the folded title. A title has no speaker and no tool, so filters
   * for these exclude it.
   */
  matching(
    request: Pick<SearchRequest, 'query'>,
    limits: Restriction,
    fits: (folded: string) => boolean,
  ): TitledSession[]
  /**
   * Makes a hit of a title, at the first line of its session. Undefined if the message there repeats the
   * title.
   */
  hitOf(titled: TitledSession): Omit<SearchHit, 'score'> | undefined
}

export function createTitles(database: DatabaseSync, version: () => string): Titles {
  const list = createTitleList(database, version)
  const first = (which: string) =>
    database.prepare(`SELECT ${MESSAGE_COLUMNS}, a.path, a.platform, a.agent, a.session, s.project, a.gone
    FROM artifact a JOIN session s ON s.artifact = a.id
    JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation
    JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool
    WHERE a.id = ? ${which} ORDER BY o.line, o.place LIMIT 1`)
  // An index finds prompts. Sorting all messages of a session takes longer.
  const prompt = first('AND o.prompt = 1')
  const any = first('')
  return {
    matching({ query: { filters } }, { shown, hidden, outside }, fits) {
      const { without } = filters
      const narrow = [filters, without].some(
        ({ who, tool, file, error, question }) =>
          who.length + tool.length + file.length > 0 || error || question,
      )
      if (narrow) return []
      const found: TitledSession[] = []
      for (const each of list()) {
        if (!fits(each.folded)) continue
        const at = each.at ?? 0
        if (shown?.has(each.artifact) === false || hidden?.has(each.artifact) || outside?.has(each.artifact))
          continue
        if (at < (filters.after ?? at) || at >= (filters.before ?? Number.POSITIVE_INFINITY)) continue
        found.push(each)
        if (found.length === MOST) break
      }
      return found
    },
    hitOf({ artifact, title, at }) {
      const row = (prompt.get(artifact) ?? any.get(artifact)) as unknown as First | undefined
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
    },
  }
}
