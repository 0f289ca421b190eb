import type { FreshStore } from '../commands/kit/fresh.ts'

type Store = FreshStore['store']

/** A store that reads a session or a known file again only if it has changed. */
export interface ReadBefore {
  store: Store
  /** Frees what was read. */
  forget(): void
}

/** For a store that stays open and is updated often: otherwise each update leaves megabytes of garbage. */
export function withReadBefore(store: Store): ReadBefore {
  const known: Parameters<Store['known']>[0] = new Map()
  const sessions: Parameters<Store['sessions']>[2] = new Map()
  return {
    store: {
      ...store,
      known: () => store.known(known),
      sessions: (roots, paths) => store.sessions(roots, paths, sessions),
    },
    forget() {
      known.clear()
      sessions.clear()
    },
  }
}
