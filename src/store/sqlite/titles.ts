import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../../search/characters.ts'
import { isRepeated, matchingTitles, type SearchSource, type TitledSession, titleHitAt } from '../lenient.ts'
import type { SearchHit } from '../search.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from './messages.ts'
import type { Restriction } from './restriction.ts'

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

/** If all titles together have more characters, they are read for each search. */
const MOST_CHARACTERS = 4_000_000

/** The index `session_title` answers it, without the rows of sessions. */
export const TITLES = `SELECT artifact, row ->> '$.title' AS title, row ->> '$.lastActivityMs' AS at,
  substr(row ->> '$.firstHuman', 1, 100) AS first FROM session
  WHERE row ->> '$.title' IS NOT row ->> '$.firstHuman' AND row ->> '$.title' IS NOT NULL`

/**
 * The titles of all sessions, cached as long as `version` returns the same. Those that only repeat the first
 * words are left out.
 */
export function createTitleList(
  database: DatabaseSync,
  version: () => string,
): () => Iterable<TitledSession> {
  const all = database.prepare(TITLES)
  let cached: { version: string; titles: readonly TitledSession[] } | undefined

  function* read(): Generator<TitledSession, void> {
    for (const row of all.iterate()) {
      const { artifact, title, at, first } = row as unknown as Omit<TitledSession, 'folded'> & {
        first: string | null
      }
      if (!isRepeated(title, first ?? undefined)) yield { artifact, title, folded: fold(title).text, at }
    }
  }

  return () => {
    const now = version()
    if (cached?.version === now) return cached.titles
    cached = undefined
    const titles: TitledSession[] = []
    let characters = 0
    for (const each of read()) {
      characters += each.title.length
      if (characters > MOST_CHARACTERS) return read()
      titles.push(each)
    }
    cached = { version: now, titles }
    return titles
  }
}
