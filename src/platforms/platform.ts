import type { LineShape } from '../io/scanner/shape.ts'
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
import type { RecordKind, TableEntry, TableRow } from '../model/delivery.ts'
import type { Draft, Payload, Usage } from '../model/event.ts'
import type { SemanticIndex, SemanticMemory, SemanticRecall } from '../model/semantic.ts'
import type { Spawn, SubagentBook } from '../model/subagent-run.ts'

/** Words of a platform's JSON that the scanner resolves to numbers while it walks a line. */
export interface Vocabulary {
  /** Keys reported when met; containers under other keys are passed over. */
  keys: readonly string[]
  /** Keys whose objects and arrays are walked into. Must be among `keys`. */
  descend: readonly string[]
  /** Short string values told apart without decoding. */
  values: readonly string[]
  /** Of these, types of records that tell nothing and are large: a line that begins with `{"type":` and one of them is not walked. */
  passOver?: readonly string[]
  /** The top-level keys that hold what every record has. Must be among `keys`. */
  envelope: { id: string; parentId: string; at: string; cwd?: string; sessionId?: string }
}

/** What a line is worth without parsing it: its bucket in the accounting and the few facts an index counts. */
export interface Glance {
  bucket: 'event' | 'skipped'
  /** The type it is counted under when skipped. */
  name?: string
  /** An agent's reply, or a part of one. Only for purpose `index`. */
  reply?: GlancedReply
  /** The same for purpose `read`: the message as `normalize` would draft it, less what condensing leaves out. */
  message?: Extract<Payload, { type: 'message' }>
  /** Tool results that state an error. Only for purpose `index`. */
  errors?: number
}

/** The message id is not decoded: an index only has to tell two apart. */
interface GlancedReply {
  messageStart: number
  messageEnd: number
  words: boolean
  /** Start and end of the id of each tool call, one after the other. */
  calls: readonly number[]
  usage?: Usage
  model?: string
  /** Of a subagent that writes into its parent's transcript. */
  aside: boolean
}

/** Names that records are made of: fields of a record, fields of its `message`, and types of the parts that a message consists of. */
export interface KnownFields {
  record: ReadonlySet<string>
  message: ReadonlySet<string>
  part: ReadonlySet<string>
}

/** `index` needs counts and human words; `read` needs everything a condensed transcript shows. */
export type Purpose = 'index' | 'read'

export interface Platform {
  id: PlatformId
  name: string
  /** Where to look, and why. Looks only whether a place exists. */
  roots(environment: Environment): Root[]
  /** The allow-list: every transcript under the root that may be opened. Unreadable folders become notices. */
  discover(
    root: Root,
    environment: Environment,
  ): {
    artifacts: Artifact[]
    notices: Notice[]
    unread: Unread[]
    /** Sessions that only an index names. */
    named?: NamedSession[]
  }
  /** One entry, nothing else: no state, no neighbours, and never a throw for what the data holds. */
  normalize(entry: unknown, artifact: Artifact): Draft[]
  /** Adds what small files beside the transcript say; called when the session is read, not when it is found. */
  describe?(artifact: Artifact): Artifact
  /** The lines of a transcript that is no file of its own; undefined for one that is. */
  open?(artifact: Artifact): SeekableSource | undefined
  /** Lets go of what is kept open from one transcript to the next. */
  close?(): void
  /** Texts in which agents keep what they are to remember. Opens none. */
  documents?(root: Root, environment: Environment): Artifact[]
  /** What is there and is never opened, with the reason. Looks at names only. */
  refused(root: Root): Refusal[]
  /** The ids of sessions that a running client has open now. Opens files of an allow-list of its own, and never throws. */
  openSessions?(root: Root): ReadonlySet<string>
  /** The file that keeps the prompts of all sessions below a root, if there is one. */
  history?(root: Root): HistoryFile | undefined
  /** One entry of it; undefined where nobody said anything. */
  normalizeHistory?(entry: unknown): Draft | undefined
  /** The scheduled jobs of a root and their runs. Reads small files of an allow-list of its own, and never throws. */
  cron?(root: Root, reach: CronReach): CronBook
  /** What the agent's own records tell of the subagents below a root. Opens files of an allow-list of its own, and never throws. */
  subagentRuns?(root: Root): SubagentBook
  /** Where one entry starts a subagent, or tells which one was started. Only lines with one of `spawnWords` are asked for. */
  spawns?(entry: unknown): Spawn[]
  spawnWords?: readonly string[]
  /** What is collected, and what is not: the first row that fits counts. */
  table: readonly TableRow[]
  /** What tables of a database hold of a kind, for collecting. Throws the engine's error. */
  tableRows?(root: string, kind: RecordKind, path: string): TableEntry[]
  /** What agents find their memory by. Opens databases of an allow-list of its own, and never throws. */
  semanticMemory?(root: Root, environment: Environment): SemanticMemory
  /** The chunks of one that hold all words. What keeps them from being read is the notice. */
  recall?(index: SemanticIndex, words: readonly string[], limit: number): SemanticRecall | Notice
  knownFields: KnownFields
  vocabulary: Vocabulary
  /**
   * The fast path. `undefined` asks for the line to be parsed. A glance is given only when `normalize` would put the
   * line in the same bucket and hold nothing more that the purpose wants; a contract test holds them together.
   */
  glance(line: LineShape, artifact: Artifact, purpose: Purpose): Glance | undefined
}
