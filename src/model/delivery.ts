import type { ArtifactState, PlatformId } from './artifact.ts'

/** Incremented when readers of older envelopes would misread a new one. */
export const ENVELOPE_VERSION = 1

export const RECORD_KINDS = [
  ...(['transcript', 'session-index', 'cron-jobs', 'cron-runs', 'subagent-runs', 'subagent-meta'] as const),
  ...(['tool-result'] as const),
  ...(['prompt-history', 'memory', 'persona', 'plan', 'todo', 'artifact'] as const),
] as const

export type RecordKind = (typeof RECORD_KINDS)[number]

/** The order in which sources are delivered. */
type Priority = 'P0' | 'P1' | 'P2'

/** A row of a platform's collection table. Files that match its pattern may be opened. */
export interface CollectedRow {
  /** Relative to a root, with `/` as separator. `*` matches within a name, `**` any number of folders. */
  pattern: string
  kind: Exclude<RecordKind, 'artifact'>
  priority: Priority
  /** `incremental`: by byte offset. `whole`: all of it whenever the content changed. */
  mode: 'incremental' | 'whole'
  /** `text` is never parsed. `rows`: named columns of named tables in a database. */
  content: 'jsonl' | 'json' | 'markdown' | 'text' | 'rows'
  /** Collected only if deleted sessions are requested. Otherwise skipped with this reason. */
  deleted?: string
  /** Collected only if outputs of tools are requested. Otherwise skipped with this reason. */
  output?: string
  /** The file is about the session after which its folder is named, or the one above that. */
  ofFolder?: true | 'above'
}

/** A row for files that are never opened, with the reason. */
export interface SkippedRow {
  pattern: string
  skip: string
}

/** The row of transcripts, without its pattern. */
export const TRANSCRIPT = {
  kind: 'transcript',
  priority: 'P0',
  mode: 'incremental',
  content: 'jsonl',
} as const satisfies Omit<CollectedRow, 'pattern'>

export type TableRow = CollectedRow | SkippedRow

/** A database row as delivered. */
export interface TableEntry {
  /** Identifies the row within its table. */
  key: string
  at?: number
  raw: unknown
  /** The session that it is about, if it does not name one itself. */
  session?: string
}

/** Whose a file is, as its path says. */
export interface FileOwner {
  /** The session that the file is, or is about. */
  session?: string
  /** The session that started that one. */
  parent?: string
}

/** Where a record was found. */
export interface RecordOrigin {
  kind: RecordKind
  /** Session ids by session key, for records that contain only the key. */
  sessions?: Readonly<Record<string, string>>
}

/** What delivery needs to know of a record. */
export interface RecordFacts {
  /**
   * Identifies the record among those of its session, or of its kind, whatever its bytes. Absent if the
   * record has no id of its own: the id of the session it is about does not count.
   */
  id?: string
  /** Milliseconds since 1970. */
  at?: number
  cwd?: string
  /** The id of the session that the record is about. */
  session?: string
  /** The type under which the record can be skipped. */
  type?: string
}

/**
 * A record as delivered to a destination, as one line of JSON. `docs/guides/collecting.md` describes the
 * fields.
 */
export interface Envelope {
  v: typeof ENVELOPE_VERSION
  id: string
  /** ISO 8601. */
  at: string
  platform: PlatformId
  kind: RecordKind
  /** The host name. */
  device: string
  /**
   * Random and persistent. Distinguishes devices with the same name, and homes on one device. Absent in older
   * records.
   */
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
  /** Position among several records of one line. */
  part?: number
  /** Set if the record is too large for the destination. `raw` is null then. */
  stub?: { bytes: number; sha256: string; reason: string }
  normalized?: unknown
}
