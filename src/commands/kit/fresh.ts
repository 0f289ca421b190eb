import type { Refreshed } from '../../collect/index/refresh.ts'
import type { Store } from '../../store/store.ts'

/** The store, and what was discovered when it was brought up to date. */
export interface FreshStore {
  store: Store
  found: Refreshed
  /**
   * The answer is made from the store as it is: another process is writing to it, or the human interrupted
   * indexing.
   */
  asIs?: 'busy' | 'interrupted'
  /** The rest is being indexed meanwhile. */
  indexing?: Indexing
  /** Only of a store that other machines fill: what is in it now. */
  reload?(): Refreshed
}

/** Indexing that goes on while questions are answered. */
export interface Indexing {
  files: Progress
  bytes: Progress
  /** Messages whose words are indexed, once all files are read. */
  messages?: Progress
  /** Indexes one file now, without its words. */
  indexNow(path: string): void
}

interface Progress {
  done: number
  all: number
}
