import type { DatabaseSync } from 'node:sqlite'
import type { SearchSource } from '../../lenient/source.ts'
import { matchingTitles, titleHitAt } from '../../lenient/titles.ts'
import type { SearchHit } from '../../search.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from '../message-columns.ts'
import type { Restriction } from './restriction.ts'
import { createTitleList } from './title-list.ts'

/** The first message of a session, which shows what the session is about. */
type First = MessageColumns &
  Pick<SearchHit, 'path' | 'platform' | 'agent' | 'session'> & { project: string | null; gone: number | null }

/** The titles of sessions, within the filters of a request. */
export type Titles = (limits: Restriction) => Pick<SearchSource, 'titles' | 'titleHit'>

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
  return (limits) => ({
    titles: (request, fits) => matchingTitles(list, request, limits, fits),
    titleHit(titled) {
      const row = (prompt.get(titled.artifact) ?? any.get(titled.artifact)) as unknown as First | undefined
      if (!row) return undefined
      const { session, platform, agent, path, project, gone } = row
      return titleHitAt(titled, storedMessage(row), {
        ...{ session, platform, agent, path, project: project ?? undefined },
        ...(gone === null ? {} : { goneMs: gone }),
      })
    },
  })
}
