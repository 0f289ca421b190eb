import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../../../search/characters.ts'
import type { TitledSession } from '../../lenient/source.ts'
import { isRepeated } from '../../lenient/titles.ts'

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
