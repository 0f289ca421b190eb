import { copyKey, isBetter } from '../../selection/load-sessions.ts'
import type { SearchAnswer, SearchHit } from '../../store/search.ts'
import type { Messages, Sessions } from '../../store/store.ts'
import type { StoredSession } from '../../store/stored.ts'

/** With more files, those that were found are counted, whatever they are copies of. */
const MOST_COUNTED = 2000

/**
 * The same answer, with its hits in the copy of a session that listings show, if that contains the message. A
 * session in several places counts once.
 */
export function atListed(answer: SearchAnswer, store: Sessions & Messages): SearchAnswer {
  const known = new Map<string, StoredSession | undefined>()
  return {
    ...answer,
    hits: {
      *[Symbol.iterator]() {
        for (const hit of answer.hits) yield listedHit(hit, listedOf(hit), store)
      },
    },
    sessions: () => countedOnce(answer.sessions(), store),
  }

  function listedOf({ path, session, copies }: SearchHit): StoredSession | undefined {
    if (copies.length === 0) return undefined
    if (!known.has(path)) {
      const paths = store.pathsOf(session)
      const rows = paths.length < 2 ? [] : store.sessions(undefined, paths)
      known.set(path, bestOf(rows, path))
    }
    return known.get(path)
  }
}

/** The copy that listings show of the session at a path. Undefined if it is that one. */
function bestOf(rows: readonly StoredSession[], path: string): StoredSession | undefined {
  const own = rows.find(({ session }) => session.path === path)
  const key = own && keyOf(own)
  if (key === undefined) return undefined
  let best = own!
  for (const row of rows) if (keyOf(row) === key && isBetter(withGone(row), withGone(best))) best = row
  return best === own ? undefined : best
}

const withGone = ({ session, goneMs }: StoredSession) => ({ ...session, goneMs })

const keyOf = ({ session }: StoredSession): string | undefined => copyKey(session)

function listedHit(hit: SearchHit, listed: StoredSession | undefined, store: Messages): SearchHit {
  const copy = listed && hit.copies.find(({ path }) => path === listed.session.path)
  const message =
    copy &&
    store
      .messages(copy.path, { line: copy.line, count: 1 }, { usage: false })
      .find(({ message }) => message === hit.message)
  if (!copy || !message) return hit
  const { goneMs: _, ...found } = hit
  const { path, line } = hit
  return {
    ...found,
    ...message,
    path: copy.path,
    project: listed.project,
    ...(listed.goneMs !== undefined && { goneMs: listed.goneMs }),
    copies: [...hit.copies.filter((each) => each !== copy), { path, line }],
  } as SearchHit
}

function countedOnce(counts: ReadonlyMap<string, number>, store: Sessions): ReadonlyMap<string, number> {
  if (counts.size < 2 || counts.size > MOST_COUNTED) return counts
  const rows = store.sessions(undefined, [...counts.keys()])
  const groups = Map.groupBy(rows, (row) => keyOf(row) ?? row.session.path)
  if (groups.size === rows.length) return counts
  const sums = new Map(counts)
  for (const group of groups.values()) {
    if (group.length < 2) continue
    const best = group.reduce((one, other) => (isBetter(withGone(other), withGone(one)) ? other : one))
    for (const { session } of group) sums.delete(session.path)
    const all = group.reduce((sum, { session }) => sum + (counts.get(session.path) ?? 0), 0)
    sums.set(best.session.path, all)
  }
  return sums
}
