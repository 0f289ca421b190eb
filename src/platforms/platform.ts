import type { LineShape } from '../io/scanner/shape.ts'
import type { SeekableSource } from '../io/source.ts'
import type {
  Artifact,
  Environment,
  HistoryFile,
  NamedSession,
  Notice,
  Refusal,
  Root,
  Unread,
} from '../model/artifact.ts'
import type { CronBook, CronReach } from '../model/cron.ts'
import type { RecordFacts, RecordKind, RecordOrigin, TableEntry, TableRow } from '../model/delivery.ts'
import type { Draft, Payload, Usage } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import type { PlatformId } from '../model/platform-id.ts'
import type { SemanticIndex, SemanticMemory, SemanticRecall } from '../model/semantic.ts'
import type { Session } from '../model/session.ts'
import type { Spawn, SubagentBook } from '../model/subagent-run.ts'
import type { PlatformIdentity } from './identity.ts'

/** Words of a platform's JSON that the scanner maps to numbers while it scans a line. */
export interface Vocabulary {
  /** Keys that are reported. Containers under other keys are skipped. */
  keys: readonly string[]
  /** Keys whose objects and arrays are scanned. Must be among `keys`. */
  descend: readonly string[]
  /** Short string values that are recognized without decoding. */
  values: readonly string[]
  /**
   * Those of `values` that are large record types without content: a line that begins with `{"type":` and one
   * of them is not scanned.
   */
  passOver?: readonly string[]
  /**
   * The common fields, as paths such as `payload.cwd`. Their names must be among `keys`, and the outer ones
   * among `descend`.
   */
  envelope: { id?: string; parentId?: string; at: string; cwd?: string; sessionId?: string }
}

/**
 * What is known about a line without parsing it: its bucket in the accounting and the facts that a session
 * row counts.
 */
export interface Glance {
  bucket: 'event' | 'skipped'
  /** The type it is counted under if skipped. */
  name?: string
  /** A reply, or a part of one. Only for purpose `index`. */
  reply?: GlancedReply
  /** The same for purpose `read`: the message as `normalize` makes it, without what condensing leaves out. */
  message?: Extract<Payload, { type: 'message' }>
  /** Number of tool results that state an error. Only for purpose `index`. */
  errors?: number
}

/** The message id is not decoded, because it is only compared. */
interface GlancedReply {
  /** The position of the request's id. Both are 0 if it has none. */
  requestStart: number
  requestEnd: number
  messageStart: number
  messageEnd: number
  words: boolean
  /** Start and end of the id of each tool call, alternating. */
  calls: readonly number[]
  usage?: Usage
  model?: string
  /** From a subagent that writes into its parent's transcript. */
  aside: boolean
}

/** The known fields of records and of their `message`, and the types of message parts. */
export interface KnownFields {
  record: ReadonlySet<string>
  message: ReadonlySet<string>
  part: ReadonlySet<string>
}

/** `index` needs counts and human messages. `read` needs everything that a condensed transcript shows. */
export type Purpose = 'index' | 'read'

/** The command that resumes a session in its client, or the reason why it cannot be resumed. */
export type Resumption =
  | {
      words: string[]
      /** Environment variables that point the client to its files, if they are not in the default place. */
      variables: Record<string, string>
      /** Where the session ran, most likely first. */
      directories: string[]
      /** What the client does if none of the directories exists. */
      elsewhere?: string
    }
  | { impossible: string }

/** What `collect` delivers of a platform. */
export interface Delivery {
  /** What is collected, and what is not. The first matching row applies. */
  table: readonly TableRow[]
  /** The fields that `record` reads, as paths such as `payload.cwd`. The others are not parsed. */
  fields: readonly string[]
  /** What delivery needs to know of a record. Receives at least `fields`. */
  record(entry: JsonObject, origin: RecordOrigin): RecordFacts
  /**
   * Splits a JSON file that is collected whole into records, such as the sessions of a session index. If
   * absent or undefined, the file is one record.
   */
  entries?(value: unknown, kind: RecordKind): TableEntry[] | undefined
  /** The rows of one kind in a database. Throws errors of the database engine. */
  rows?(root: string, kind: RecordKind, path: string): TableEntry[]
  /**
   * The file below the root that a record from a database is unpacked to, as names of folders and file.
   * Undefined for the path it came from.
   */
  fileOf?(path: string, kind: RecordKind, session: string | null): string[] | undefined
}

/** How a file outside of all roots is recognized as a transcript. */
export interface GivenFile {
  /** Whether only this platform writes such a record. Of a record that is cut, only its `type` is known. */
  isOwn(record: JsonObject): boolean
  /** Whether only this platform names its transcripts like this. */
  isOwnName?(name: string): boolean
  /** What the path says about the session. */
  facts(path: string): Pick<Artifact, 'agent' | 'state' | 'kindHint' | 'fork'>
}

/** What exists below a root. */
export interface Found {
  /** May be a getter that creates them each time. */
  readonly artifacts: Artifact[]
  notices: Notice[]
  unread: Unread[]
  /** Sessions that only the session index contains. */
  named?: NamedSession[]
  /** The same artifacts as columns. Given if that is much faster than creating them. */
  columns?: ArtifactColumns
}

/** Artifacts that are not created yet. A refresh with nothing new only needs their number and a hash. */
export interface ArtifactColumns {
  count(): number
  /** A hash of everything that the artifacts are made from. */
  digest(): string
  /** Creates one of them. Their order is that of `artifacts`. */
  at(index: number): Artifact
}

/** What is read of a platform, and what is not. */
interface PlatformFiles {
  /** The roots to check, with the reason. Only checks whether they exist. */
  roots(environment: Environment): Root[]
  /**
   * The allow-list: every transcript below the root that may be opened. Unreadable folders become notices.
   */
  discover(root: Root, environment: Environment): Found
  /** What exists but is never opened, with the reason. Looks at names only. */
  refused(root: Root): Refusal[]
  /**
   * Adds facts from small files next to the transcript. Called when the session is read, not when it is
   * discovered.
   */
  describe?(artifact: Artifact): Artifact
  /** The lines of a transcript that is not a file of its own. Undefined for a file. */
  open?(artifact: Artifact): SeekableSource | undefined
  /** Closes what stays open between transcripts. */
  close?(): void
  /** If absent, files outside of the roots are not taken for transcripts of the platform. */
  given?: GivenFile
}

/** How the records of transcripts are understood. */
interface PlatformRecords {
  /** Turns one entry into drafts, without state or neighbors. Never throws, whatever the entry contains. */
  normalize(entry: unknown, artifact: Artifact): Draft[]
  knownFields: KnownFields
  vocabulary: Vocabulary
  /**
   * What files contained before the tool calls whose results an entry contains, if it states that. `null` for
   * a file that did not exist.
   */
  originals?(entry: unknown): { callId: string; text: string | null }[]
  /**
   * The fast path. Undefined means that the line has to be parsed. A glance is only returned if `normalize`
   * would put the line in the same bucket and yield nothing more that the purpose needs; a contract test
   * compares both.
   */
  glance(line: LineShape, artifact: Artifact, purpose: Purpose): Glance | undefined
}

/** One file with the prompts of all sessions of a root. */
interface PromptHistory {
  /** The file, if there is one. */
  file(root: Root): HistoryFile | undefined
  /** Normalizes one entry. Undefined if it contains no prompt. */
  normalize(entry: unknown): Draft | undefined
}

/** The memory of agents. */
interface Memory {
  /** The memory documents below a root. Opens none. */
  documents(root: Root, environment: Environment): Artifact[]
  /**
   * The name of a document in the collection table, wherever its workspace is. By default its path below the
   * root.
   */
  documentName?(document: Artifact): string
  semantic?: SemanticIndexes
}

/**
 * The semantic indexes of agents. Opens only databases of the platform's own allow-list, and never throws.
 */
interface SemanticIndexes {
  list(root: Root, environment: Environment): SemanticMemory
  /** The chunks of an index that contain all words. If the index cannot be read, the notice says why. */
  recall(index: SemanticIndex, words: readonly string[], limit: number): SemanticRecall | Notice
}

/** Agents that other agents start. */
interface Subagents {
  /**
   * The runs in the platform's own records below a root. Opens only files of its own allow-list, and never
   * throws.
   */
  runs?(root: Root): SubagentBook
  /**
   * Where one entry starts a subagent or contains the id of one. Only called for lines with one of
   * `spawnWords`.
   */
  spawns(entry: unknown): Spawn[]
  spawnWords: readonly string[]
}

/** A platform. What its client does not have is absent. */
export interface Platform {
  id: PlatformId
  identity: PlatformIdentity
  files: PlatformFiles
  records: PlatformRecords
  delivery: Delivery
  /** The command that resumes a session in its client, or the reason why it cannot be resumed. */
  resume(session: Session, environment: Environment): Resumption
  /**
   * The ids of sessions that a running client has open now. Opens only files of its own allow-list, and never
   * throws.
   */
  openSessions?(root: Root): ReadonlySet<string>
  history?: PromptHistory
  /**
   * The scheduled jobs of a root and their runs. Reads only small files of its own allow-list, and never
   * throws.
   */
  cron?(root: Root, reach: CronReach): CronBook
  memory?: Memory
  subagents?: Subagents
}
