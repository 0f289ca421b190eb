import type { Known } from './increment.ts'
import type { Sessions, Writer } from './store.ts'
import type { StoredSession } from './stored.ts'

/** So many files or sessions are looked up one by one. With more, all are read. */
export const FEW = 8

/** What the store knows about some files, and perhaps about others. */
export const knownFiles = (store: Pick<Writer, 'known' | 'knownFile'>, paths: readonly string[]): Known[] =>
  paths.length > FEW ? [...store.known().values()] : paths.flatMap((path) => store.knownFile({ path }) ?? [])

/** Returns a function that finds the session of a file, which it reads once. */
export function sessionsByPath(store: Sessions | undefined): (path: string) => StoredSession | undefined {
  const rows = new Map<string, StoredSession | undefined>()
  let areAll = store === undefined
  return (path) => {
    if (!areAll && !rows.has(path)) {
      areAll = rows.size >= FEW
      const found = areAll ? store!.sessions() : store!.sessions(undefined, [path])
      for (const row of found) rows.set(row.session.path, row)
      if (!rows.has(path)) rows.set(path, undefined)
    }
    return rows.get(path)
  }
}
