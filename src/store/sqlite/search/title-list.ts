import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../../../search/fold.ts'
import type { TitledSession } from '../../lenient/source.ts'
import { isRepeated } from '../../lenient/titles.ts'

/** If all titles together have more characters, they are read for each search. */
const MOST_CHARACTERS = 4_000_000

/**
 * The titles of all sessions, cached as long as `version` returns the same. They are in the rows of sessions,
 * and reading these takes longer than most searches.
 */
export function createTitleList(
  database: DatabaseSync,
  version: () => string,
): () => Iterable<TitledSession> {
  const all = database.prepare(`SELECT artifact, row ->> '$.title' AS title, row ->> '$.lastActivityMs' AS at,
    row ->> '$.firstHuman' AS first
    FROM session WHERE row ->> '$.title' IS NOT NULL`)
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
