import type { Line } from '../io/lines.ts'
import type { LongValues } from '../io/long-values.ts'
import type { SeekableSource } from '../io/source.ts'
import type {
  Artifact,
  Environment,
  HistoryFile,
  NamedSession,
  Notice,
  PlatformId,
  Refusal,
  Root,
  Unread,
} from '../model/artifact.ts'
import type { CronBook, CronReach } from '../model/cron.ts'
import type {
  FileOwner,
  RecordFacts,
  RecordKind,
  RecordOrigin,
  TableEntry,
  TableRow,
} from '../model/delivery.ts'
import type { Draft } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import type { SemanticIndex, SemanticMemory, SemanticRecall } from '../model/semantic.ts'
import type { Session } from '../model/session.ts'
import type { Spawn, SubagentBook } from '../model/subagent-run.ts'
import type { PlatformIdentity } from './identity.ts'

/**
 * The known fields of records and of their `message`, the types of message parts, and the fields of the
 * figures at a path in records, where others may mean tokens.
 */
export interface KnownFields {
  record: ReadonlySet<string>
  message: ReadonlySet<string>
  part: ReadonlySet<string>
  usage?: { at: string; fields: ReadonlySet<string> }
}

/** The command that resumes a session in its client, or the reason why it cannot be resumed. */
export type Resumption =
  | {
      /** The command without the id. */
      words: string[]
      /** The session as its client knows it. It is the end of the last word if that ends with `=`. */
      id: string
      /** Environment variables that point the client to its files, if they are not in the default place. */
      variables: Record<string, string>
      /** Where the session ran, most likely first. */
      directories: string[]
      /** What the client does if none of the directories exists. */
      elsewhere?: string
    }
  | { impossible: string }

/** The ids of sessions by the directory in which they took place. */
export type SessionsOfFolders = ReadonlyMap<string, readonly string[]>

/** What `collect` delivers of a platform. */
export interface Delivery {
  /** What is collected, and what is not. The first matching row applies. */
  table: readonly TableRow[]
  /** What delivery needs to know of a record. */
  record(entry: JsonObject, origin: RecordOrigin): RecordFacts
  /**
   * Splits a JSON file that is collected whole into records, such as the sessions of a session index. If
   * absent or undefined, the file is one record. A file with entries of several sessions has to be split, so
   * that each can be forgotten. `folders`: given if `indexesFolders` is set.
   */
  entries?(value: unknown, kind: RecordKind, folders?: SessionsOfFolders): TableEntry[] | undefined
  /** Whether the session index lists directories, of which sessions do not say themselves which is theirs. */
  indexesFolders?: true
  /** Whose a file below the root is, where the collection table does not say it. */
  ownerOf?(below: string, kind: RecordKind): FileOwner | undefined
  /** The rows of one kind in a database. Throws errors of the database engine. */
  rows?(root: string, kind: RecordKind, path: string): TableEntry[]
  /**
   * The file below the root that a record from a database is unpacked to, as names of folders and file.
   * Undefined for the path it came from.
   */
  fileOf?(path: string, kind: RecordKind, session: string | null): string[] | undefined
  /**
   * What identifies a row among those that are unpacked to one file, whose name ends with `ROWS`. A later row
   * replaces one with the same key.
   */
  rowKey?(row: JsonObject, kind: RecordKind): string
  /**
   * What was typed, in the forms in which its session may have it, in a record of a prompt history that does
   * not name the session.
   */
  typedForms?(entry: JsonObject): string[]
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
  /**
   * The lines of a transcript that is not a file of its own. Its size is the estimate of the artifact.
   * Undefined for a file.
   */
  open?(artifact: Artifact): SeekableSource | undefined
  /** Closes what stays open between transcripts. */
  close?(): void
  /** If absent, files outside of the roots are not taken for transcripts of the platform. */
  given?: GivenFile
}

/** What a client recorded of the changes that a tool call made. */
export interface RecordedChange {
  callId: string
  /** What the file contained before. `null` if it did not exist. */
  original?: string | null
  /** What the file contained afterwards. */
  result?: string
  /** The changed parts of the file, as whole lines with those around them. */
  hunks?: LineChange[]
  /** What the call did, in the form of its input, if that may differ, as where a person changed it. */
  input?: unknown
}

/** Whole lines of a part of a file, before and after a change. */
export interface LineChange {
  before: string[]
  after: string[]
}

/** How the records of transcripts are understood. */
interface PlatformRecords {
  /** Turns one entry into drafts, without state or neighbors. Never throws, whatever the entry contains. */
  normalize(entry: unknown, artifact: Artifact): Draft[]
  /** A function, because only `doctor --drift` needs them: the parser for browsers has none. */
  knownFields(): KnownFields
  /**
   * Which long values `normalize` needs, and how much of them. By default all. A contract test compares what
   * it makes of records with and without what is removed.
   */
  long?: LongValues
  /**
   * The type of a line whose first bytes say that it has no content, so that it need not be parsed.
   * `normalize` would skip it under the same type; a contract test compares both.
   */
  skip?(line: Pick<Line, 'bytes' | 'start' | 'end'>): string | undefined
  /** What the client recorded of changes of files with the results of the tool calls in an entry. */
  recordedChanges?(entry: unknown): RecordedChange[]
  /** A line with one of these may have such a change, or a call of another tool that made one. */
  changeWords?: readonly string[]
}

/** One file with the prompts of all sessions of a root. */
interface PromptHistory {
  /** The files that there are. */
  files(root: Root): HistoryFile[]
  /** Opens one that is not read as it is. Throws the system's error. */
  open?(file: HistoryFile): SeekableSource
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
  /** The session that a document is about, if it is about one. Opens it, and never throws. */
  sessionOf?(document: Artifact): string | undefined
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

/** A directory that has another path now, or on another machine. */
export interface PathMap {
  from: string
  to: string
}

/** A file of a platform that a command writes, with paths below a root that are separated by `/`. */
export type FileMove =
  /** A file whose lines are JSON, or that is JSON or another text as a whole. `edit` gets one of them. */
  | {
      type: 'edit'
      below: string
      to: string
      unit: 'line' | 'whole' | 'text'
      edit: (text: string) => string
    }
  /**
   * A database in which the path is replaced in these columns, as far as it has them. Nothing else is read.
   */
  | { type: 'database'; below: string; columns: readonly { table: string; column: string }[] }
  /** A file or folder that is not opened. */
  | { type: 'rename'; below: string; to: string }
  /** A folder that is removed if it is empty then. */
  | { type: 'clear'; below: string }

/** How sessions are written back to where the client looks for them. */
export interface Restoring {
  /** Why the transcript cannot be written as a file, if that is so. */
  impossible?(below: string): string | undefined
  /** The folder whose files belong to the session of a transcript. */
  folder?(below: string): string | undefined
  /** The path of a file if it differs from where it was found: `x.jsonl.imported-1` is an `x.jsonl`. */
  liveName?(below: string): string
  /** Its path when directories have other paths. `own`: the directory that its session ran in. */
  mapped?(below: string, own: string | undefined, maps: readonly PathMap[]): string
  /** The members of a record that are paths of directories: `payload.cwd`. */
  directories: readonly string[]
  /** The members of a record with the name that the client gives the directory of a session. */
  named?: { members: readonly string[]; nameOf(directory: string): string }
  /** A file that is read as a whole, when directories have other paths. `below`: its path. */
  mappedText?(below: string, text: string, maps: readonly PathMap[]): string
  index?: {
    /** The session index that the client finds a transcript by. */
    of(below: string): string
    /**
     * Adds an entry to the index, unless it has one, and returns its text and the key of the session.
     * `current`: its text now, if there is one. `former`: the index that the session comes from. Undefined if
     * the session needs no entry. Throws a sentence if the index has a form that is not known.
     */
    add(
      current: string | undefined,
      former: string | undefined,
      session: {
        id: string
        agent: string
        file: string
        title?: string | undefined
        modifiedMs: number
        /** It comes from another machine, perhaps from somebody else. */
        isForeign: boolean
      },
    ): { text: string; key: string } | undefined
  }
  /** What the user has to do before the client finds it: a sentence, and a command. */
  afterward?: { reason: string; command: string }
  /** Makes a transcript from messages. Absent if the client cannot read one without what they lack. */
  condensed?(
    session: CondensedSession,
    messages: readonly CondensedMessage[],
  ): { below: string; lines: object[] }
}

/** A session of which only messages are left. */
interface CondensedSession {
  /** A new id, because the transcript is not the original one. */
  id: string
  agent: string
  directory: string
  model?: string | undefined
}

export interface CondensedMessage {
  who: 'human' | 'agent'
  /** ISO 8601. */
  at: string
  text: string
}

/** What is moved below a folder. */
export interface MovedFiles {
  root: string
  moves: FileMove[]
  /** The ids of the sessions. */
  sessions: string[]
  /** What stays as it is, with the reason. */
  left: string[]
}

/** What is moved when a folder that sessions worked in has another path. */
export interface Moving {
  /** Where the client holds the path, as a phrase. */
  changes: string
  /** Opens only files that it changes. */
  moves(root: Root, map: PathMap, environment: Environment): MovedFiles[]
  /** What stays as it is, in sentences, and a command for the human to run, with the reason. */
  remains?(root: Root, map: PathMap): { notes: string[]; afterward: { reason: string; command: string[] } }
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
  /** Or why its sessions cannot be written back. */
  restoring?: Restoring | { impossible: string }
  moving?: Moving
  memory?: Memory
  subagents?: Subagents
}
