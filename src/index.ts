export { type ErrorCode, ScrollbackError } from './errors.ts'
export type { ArtifactState, PlatformId } from './model/artifact.ts'
export type { SessionKind, Speaker, Usage } from './model/event.ts'
export type { Accounting, Item, Session, Who } from './model/session.ts'
export type { SessionEntry } from './model/session-entry.ts'
export type { Finding } from './redact/findings.ts'
export type { RedactedLine } from './redact/json-line.ts'
export { findSecrets, redact } from './redact/redact.ts'
export { createRedactor, type Redactor, type RedactorOptions } from './redact/redactor.ts'
export {
  type HistoryStore,
  openStore,
  type SearchOptions,
  type SearchResult,
  type StatsOptions,
} from './surfaces/library/open-store.ts'
export { findSessions, type ReadSessionOptions, readSession } from './surfaces/library/read-session.ts'
export type {
  Dimension,
  Hit,
  Places,
  SessionFilter,
  Stats,
  StoreOptions,
  Sums,
} from './surfaces/library/shapes.ts'
