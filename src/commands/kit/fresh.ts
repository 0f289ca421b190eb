import type { Refreshed } from '../../collect/index/refresh.ts'
import type { Store } from '../../store/store.ts'

/** The store, and what was discovered when it was brought up to date. */
export interface FreshStore {
  store: Store
  found: Refreshed
  /** Another process was writing, so the store may be older than the files. */
  busy?: true
}
