import type { Evidence } from '../../devlog/evidence.ts'
import { type ErrorCode, ScrollbackError } from '../../errors.ts'
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

/** Every operation yields values: one for `stats`, and for `search` the totals followed by the hits. */
export interface Operations {
  open(): AsyncGenerator<undefined, void>
  refresh(): AsyncGenerator<undefined, void>
  sessions(filter: SessionFilter): AsyncGenerator<Session, void>
  messages(session: string | Pick<Session, 'path'>): AsyncGenerator<Item, void>
  search(
    query: string,
    options: SearchOptions,
  ): AsyncGenerator<Pick<SearchResult, 'total' | 'more'> | Hit, void>
  stats(options: StatsOptions): AsyncGenerator<Stats, void>
  evidence(options: EvidenceOptions): AsyncGenerator<Evidence, void>
  close(): AsyncGenerator<undefined, void>
  readSession(pathOrId: string, redact: boolean): AsyncGenerator<Item, void>
  findSessions(filter: SessionFilter): AsyncGenerator<Session, void>
}

/** The options of a thread. Functions and variables cannot be sent to it. */
export type ThreadOptions = Omit<StoreOptions, 'onNote' | 'env'>

/** To the thread: start an operation, continue it, or cancel it. */
export type Request =
  | { id: number; type: 'start'; name: keyof Operations; args: unknown[] }
  | { id: number; type: 'next' }
  | { id: number; type: 'return' }

/** From the thread: values of an operation, its end, or a note about something unreadable. */
export type Answer =
  | { id: number; type: 'values'; values: unknown[]; done: boolean }
  | { id: number; type: 'fault'; fault: SentError }
  | { type: 'note'; message: string }

/** An error in a form that can cross threads. */
interface SentError {
  message: string
  stack?: string
  /** The fields of a ScrollbackError. */
  scrollback?: { code: ErrorCode; wayOut?: string }
  /** The code of a system error: `ENOENT`. */
  code?: string
}

/** Converts an error to a message for another thread, which would lose its class. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack } = error
  if (error instanceof ScrollbackError)
    return { message, stack, scrollback: { code: error.code, wayOut: error.wayOut } }
  return { message, stack, code: (error as NodeJS.ErrnoException).code }
}

/** Restores the error. */
export function receivedError({ message, stack, scrollback, code }: SentError): Error {
  const error = scrollback
    ? new ScrollbackError(scrollback.code, message, scrollback.wayOut)
    : Object.assign(new Error(message), code === undefined ? {} : { code })
  return Object.assign(error, stack === undefined ? {} : { stack })
}
