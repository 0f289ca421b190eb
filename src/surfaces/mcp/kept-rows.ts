import type { FreshStore } from '../../commands/fresh-store.ts'

type Store = FreshStore['store']

/**
 * The same store, which reads the rows of all files and sessions, and how many there are, once: most calls ask for them, and they change
 * only when something is written. To be thrown away then.
 */
export function withRowsKept(store: Store): Store {
  const kept = new Map<string, ReturnType<Store['sessions']>>()
  const searchable = new Map<string, ReturnType<Store['searchable']>>()
  let known: ReturnType<Store['known']> | undefined
  return {
    ...store,
    known() {
      known ??= store.known()
      return known
    },
    sessions(roots, paths) {
      if (paths) return store.sessions(roots, paths)
      const key = JSON.stringify(roots ?? null)
      const rows = kept.get(key) ?? store.sessions(roots)
      kept.set(key, rows)
      return [...rows]
    },
    searchable(roots) {
      const key = JSON.stringify(roots)
      const sums = searchable.get(key) ?? store.searchable(roots)
      searchable.set(key, sums)
      return sums
    },
  }
}
