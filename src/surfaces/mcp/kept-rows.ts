import type { FreshStore } from '../../commands/fresh-store.ts'

type Store = FreshStore['store']

/**
 * The same store, which reads the rows of all files and sessions once: most calls ask for them, and they change only when something new was read.
 * To be thrown away then.
 */
export function withRowsKept(store: Store): Store {
  const kept = new Map<string, ReturnType<Store['sessions']>>()
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
  }
}
