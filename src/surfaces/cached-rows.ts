import type { FreshStore } from '../commands/kit/context.ts'

type Store = FreshStore['store']

/**
 * The same store with cached session rows, known files and sums, which most calls need. Discard it when
 * something is written.
 */
export function withCachedRows(store: Store): Store {
  const cached = new Map<string, ReturnType<Store['sessions']>>()
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
      const rows = cached.get(key) ?? store.sessions(roots)
      cached.set(key, rows)
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
