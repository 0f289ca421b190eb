import type { FreshStore } from './fresh.ts'

type Store = FreshStore['store']

/** A store that reads a session or a known file again only if it has changed. */
export interface ReadBefore {
  store: Store
  /** Frees what was read. */
  forget(): void
}

/** For a store that is asked for all files or sessions more than once. */
export function withReadBefore(store: Store): ReadBefore {
  const files: Parameters<Store['known']>[0] = new Map()
  const sessions: Parameters<Store['sessions']>[2] = new Map()
  return {
    store: {
      ...store,
      known: (before = files) => store.known(before),
      sessions: (roots, paths, before = sessions) => store.sessions(roots, paths, before),
    },
    forget() {
      files.clear()
      sessions.clear()
    },
  }
}
