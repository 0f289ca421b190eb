export type { Citation, Evidence } from './devlog/evidence.ts'
export { type ErrorCode, ScrollbackError } from './errors.ts'
export type { ArtifactState, PlatformId, SessionEntry } from './model/artifact.ts'
export type { SessionKind, Speaker, Usage } from './model/event.ts'
export type { Accounting, Item, Session, Who } from './model/session.ts'
export type { Finding } from './redact/findings.ts'
export type { RedactedLine } from './redact/json-line.ts'
export { findSecrets, redact } from './redact/redact.ts'
export { createRedactor, type Redactor, type RedactorOptions } from './redact/redactor.ts'
export { findSessions, openStore, type ReadSessionOptions, readSession } from './surfaces/library/host.ts'
export type {
  Dimension,
  EvidenceOptions,
  HistoryStore,
  Hit,
  MachineOptions,
  SearchOptions,
  SearchResult,
  SessionFilter,
  Stats,
  StatsOptions,
  StoreOptions,
  Sums,
} from './surfaces/library/shapes.ts'
