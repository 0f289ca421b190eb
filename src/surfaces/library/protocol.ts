import type { Evidence } from '../../devlog/evidence.ts'
import type { Item, Session } from '../../model/session.ts'
import type {
  EvidenceOptions,
  Hit,
  SearchOptions,
  SearchResult,
  SessionFilter,
  Stats,
  StatsOptions,
  StoreOptions,
} from './shapes.ts'

/** The options of a thread. Functions and variables cannot be sent to it. */
export type ThreadOptions = Omit<StoreOptions, 'onNote' | 'env'>

/** What the thread is asked for. `stats` yields one value, and `search` the totals followed by the hits. */
export interface LibraryOperations {
  open(stop: AbortSignal): AsyncGenerator<undefined, void>
  refresh(stop: AbortSignal): AsyncGenerator<undefined, void>
  sessions(stop: AbortSignal, filter: SessionFilter): AsyncGenerator<Session, void>
  messages(stop: AbortSignal, session: string | Pick<Session, 'path'>): AsyncGenerator<Item, void>
  search(
    stop: AbortSignal,
    query: string,
    options: SearchOptions,
  ): AsyncGenerator<Pick<SearchResult, 'total' | 'more'> | Hit, void>
  stats(stop: AbortSignal, options: StatsOptions): AsyncGenerator<Stats, void>
  evidence(stop: AbortSignal, options: EvidenceOptions): AsyncGenerator<Evidence, void>
  readSession(stop: AbortSignal, pathOrId: string, redact: boolean): AsyncGenerator<Item, void>
  findSessions(stop: AbortSignal, filter: SessionFilter): AsyncGenerator<Session, void>
}
