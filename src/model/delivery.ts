import type { ArtifactState, PlatformId } from './artifact.ts'

/** Grows when a reader of older envelopes would misread a new one. */
export const ENVELOPE_VERSION = 1

export const RECORD_KINDS = [
  ...(['transcript', 'session-index', 'cron-jobs', 'cron-runs', 'subagent-runs', 'subagent-meta'] as const),
  ...(['prompt-history', 'memory', 'persona', 'plan', 'todo', 'artifact'] as const),
] as const

export type RecordKind = (typeof RECORD_KINDS)[number]

/** How urgent what falls under a row is. */
type Priority = 'P0' | 'P1' | 'P2'

/** A row of the table of what is collected of an agent program: what its pattern names may be opened. */
export interface CollectedRow {
  /** Below a root, `/` between folders: `*` within a name, `**` any folders. */
  pattern: string
  kind: Exclude<RecordKind, 'artifact'>
  priority: Priority
  /** By byte offset, or whole whenever its content changed. */
  mode: 'incremental' | 'whole'
  /** `rows`: named columns of named tables of a database. */
  content: 'jsonl' | 'json' | 'markdown' | 'rows'
  /** Only where deleted sessions are wanted; else it is skipped with this reason. */
  deleted?: string
}

/** A row that says what stays closed, and why. */
export interface SkippedRow {
  pattern: string
  skip: string
}

export type TableRow = CollectedRow | SkippedRow

/** A row of a table of a database as it is delivered. */
export interface TableEntry {
  /** What tells it from the other rows of its table. */
  key: string
  at?: number
  raw: unknown
}

/** What a destination gets, as one line of JSON. `docs/envelope.md` describes every field. */
export interface Envelope {
  v: typeof ENVELOPE_VERSION
  id: string
  /** ISO 8601. */
  at: string
  platform: PlatformId
  kind: RecordKind
  /** What the machine is called. */
  device: string
  /** Random and kept: tells devices of one name apart, and homes of one device. Absent in older records. */
  deviceId?: string
  agent: string
  session: string | null
  project: string | null
  path: string
  line: number
  offset: number
  generation: number
  raw: unknown
  redactions: number
  state?: ArtifactState | 'gone'
  malformed?: true
  /** Among several records of one line. */
  part?: number
  /** In place of a record that is too large for the destination: `raw` is null then. */
  stub?: { bytes: number; sha256: string; reason: string }
  normalized?: unknown
}
