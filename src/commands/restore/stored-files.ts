import { existsSync } from 'node:fs'
import type { Context } from '../../context/context.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { asOnlyWriter, type Store } from '../../store/store.ts'

/**
 * What the store of this machine knows of files that a change writes. It keeps sessions whose files are gone,
 * but a file that was only there until the change was taken back was never a session of this machine.
 */

type Where = Pick<Context, 'storePath' | 'now'>

/** Those of some files that the store knows. */
export const storedFiles = (paths: readonly string[], where: Where): string[] =>
  withStore(where, (store) => paths.filter((path) => store.knownFile({ path }) !== undefined)) ?? []

/** Removes some files from the store, with the messages that only they contain. */
export function forgetFiles(paths: readonly string[], where: Where): void {
  withStore(where, (store) => {
    const ids = paths.flatMap((path) => store.knownFile({ path })?.id ?? [])
    if (ids.length > 0) asOnlyWriter(store, () => store.forget(ids))
  })
}

/** Undefined if there is no store yet. */
function withStore<Result>({ storePath, now }: Where, work: (store: Store) => Result): Result | undefined {
  if (!existsSync(storePath)) return undefined
  const { store } = openSqliteStore(storePath, now)
  try {
    return work(store)
  } finally {
    store.close()
  }
}
