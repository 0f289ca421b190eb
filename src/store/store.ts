import type { Artifact } from '../model/artifact.ts'
import type { PlacedSession } from '../model/placed-session.ts'
import type { PromptTemplate } from '../model/prompt-template.ts'
import type { Item, Session, Who } from '../model/session.ts'
import type { Dispatch, SessionLinks } from '../model/session-links.ts'
import type { Steps } from '../model/steps.ts'
import type { Query } from '../search/query.ts'
import type { DayFigures, FiguresRequest, MinuteFigure } from './figures.ts'

/** How far a file was read, and how to tell that it still is that file. */
export interface Checkpoint {
  /** Grows by one whenever the file is read again from its first byte. */
  generation: number
  /** Always just behind a newline, and the number of the line that begins there. */
  offset: number
  line: number
  /** The file as it was when it was opened. */
  size: number
  modifiedMs: number
  identity: string
  headLength: number
  head: string
  tail: string
  /** Which version of the program's understanding read it. */
  parser: number
  /** Written so shortly before it was read that its time of change cannot tell whether it changed since. */
  racy: boolean
}

/** A file the store knows. */
export interface Known {
  id: number
  /** Grows with every write: a batch made from an older one is refused. */
  revision: number
  artifact: Artifact
  checkpoint: Checkpoint
  /** When it was found missing, in ms. */
  goneMs?: number
}

/**
 * One thing that was told, as a row: who, time, text, tool, target, line, offset, length, order, record, digest, and what else
 * there is. Text is free of secrets.
 */
export type MessageRow = [
  who: Who,
  at: number | null,
  text: string | null,
  tool: string | null,
  target: string | null,
  line: number,
  offset: number,
  length: number,
  order: number,
  record: number,
  digest: number,
  more: MessageExtra | null,
  /** What is indexed where it is not the text itself. */
  words: string | null,
]

/** What few messages have. */
export interface MessageExtra {
  label?: string
  marker?: string
  sure?: boolean
  media?: string[]
  /** Of what the agent said or did: the number of its reply among the usages of its file. */
  reply?: number
  stopReason?: string
}

/** Usage of one reply in one file, or what the agent added up itself (reply below 0): reply, time, model, input, output, cache read, cache write, cost, and those of the cache writes that last an hour. */
export type UsageRow = [
  reply: number,
  at: number | null,
  model: string | null,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  cost: number | null,
  cacheWriteHour: number,
]

/** A prompt as a hash of its words, with its place. */
export interface HeardPrompt {
  line: number
  place: number
  digest: number
  at: number
}

/** What one reading of one file brought: written whole, together with its checkpoint, or not at all. */
export interface Increment {
  artifact: Artifact
  /** What it was made from; absent when the file is new to the store. */
  base?: { id: number; revision: number }
  /** The file was read from its first byte: what stood in it before and does not now is marked as gone. */
  fresh: boolean
  /** More of the file follows in another increment. */
  more: boolean
  /** Messages of this line and later ones that are stored already are replaced. */
  fromLine: number
  messages: MessageRow[]
  /** Everything said to the agent in the whole file; absent when nothing was read. */
  prompts?: MessageRow[]
  /** Places of all words that were said on branches that were left behind: line and order in turn. */
  left: number[]
  /** What calls gave to other agents, from `fromLine` on. */
  sent: Dispatch[]
  /** The prompts of the whole file as hashes; absent when nothing was read. */
  heard?: HeardPrompt[]
  /** How a session opens that may be a script's. */
  opening?: PromptTemplate & { at: number }
  usages: UsageRow[]
  /** Whether `usages` is all of the file's. */
  allUsages: boolean
  /** Absent where the file is no session. */
  session?: Session
  checkpoint: Checkpoint
  /** Words for the search in parts of words, which the reader had not met before. */
  vocabulary: string[]
}

/** An increment and the state the next reading goes on from. */
export interface Written {
  increment: Increment
  state: Uint8Array
}

/** A session as the store holds it. */
export interface StoredSession {
  session: Session
  /** When its file was found missing, in ms. */
  goneMs?: number
  /** The short name of its project, and the folder. */
  project?: string
  folder?: string
}

/** A text of an agent's memory. */
export interface StoredDocument {
  id: number
  artifact: Artifact
  goneMs?: number
  /** When the file had last changed then, in ms, and its size in bytes. */
  versions: { number: number; at: number; bytes: number }[]
}

/** One thing told, with who said it where it stands, and the number of the message in the store. */
export interface StoredMessage extends Item {
  message: number
}

/** What is kept of all that was read: every engine honours it, and a contract test holds it to that. */
export interface Store {
  /** Where it lies; for people. */
  readonly place: string
  readonly readOnly: boolean
  /** Whether this still is what lies at its place: somebody may have deleted it, or put another one there. */
  isThere(): boolean
  /** Looks at every page, if that was not done for a day. Throws the engine's error where one is damaged. */
  checkPages(nowMs: number): void
  /** Another number once another process has written. */
  othersWrote(): number
  /** Every file it knows, by path. */
  known(): Map<string, Known>
  /** The state a reading of that file goes on from. */
  state(id: number): Uint8Array | undefined
  /**
   * Writes increments with their checkpoints in one transaction. Increments whose base is no longer what the store holds are
   * left out, for somebody else wrote in between: their paths are returned.
   */
  write(batch: readonly Written[]): string[]
  /** Files of which others may tell something new. */
  unlinked(): number[]
  /** What others tell of a file. */
  links(id: number): SessionLinks | undefined
  /** Notes that what others tell of these files is told. */
  linked(ids: readonly number[]): void
  /** Drops files and all that only they told. */
  forget(ids: readonly number[]): void
  /** Marks files as gone, or as found again. */
  markGone(ids: readonly number[], goneMs: number | undefined): void
  /** All that was found on the disk when all of it was stored, as one text; any change makes it unknown. */
  settled(scope: string): string | undefined
  /** Keeps such an inventory, unless a file may have changed unseen. */
  settle(scope: string, inventory: string): void
  /** The index rows of files below these roots, or of these files alone. */
  sessions(roots?: readonly string[], paths?: readonly string[]): StoredSession[]
  /** What of each session says where it belongs, with the number of its file. */
  placed(): { id: number; session: PlacedSession }[]
  /** Files to the projects they belong to, for those whose project is not what is stored. */
  assignProjects(projects: ReadonlyMap<number, { name: string; path?: string } | undefined>): void
  /** What the condensed transcript of a file tells, in order: `count` from a line on, and `before` in front of it. */
  messages(path: string, from?: { line: number; count: number; before?: number }): StoredMessage[]
  /** The texts of agents' memory, with the versions that were seen, the oldest first. */
  documents(): StoredDocument[]
  /** A version of such a text, line by line where it stood; secrets taken out. */
  documentText(id: number, version: number): string
  /** Whether a message stands in any file, by its key. */
  holds(record: number, digest: number): boolean
  /** How many messages stand in a file. */
  countMessages(path: string): number
  /** What could be found below these roots. */
  searchable(roots: readonly string[]): { sessions: number; messages: number; calls: number }
  search(wanted: SearchRequest): SearchAnswer
  /** The same, for who may not want it any more before it is done. */
  searchInSteps(wanted: SearchRequest): Steps<SearchAnswer>
  statistics(): StoreStatistics
  /** Sums for statistics, day by day; what has no time at all only where no time is asked for. */
  figures(wanted: FiguresRequest): DayFigures[]
  /** Tokens minute by minute from a moment on, in order of time; of what has no time none. */
  minutes(fromMs: number): Iterable<MinuteFigure>
  /** Runs `work` as the only writer among all processes; undefined when another one writes. */
  asWriter<Result>(work: () => Result): Result | undefined
  close(): void
}

export interface StoreStatistics {
  artifacts: number
  gone: number
  messages: number
  occurrences: number
  /** Bytes of the transcripts as they were last seen, and of the store itself. */
  transcriptBytes: number
  storeBytes: number
}

export interface SearchRequest {
  query: Query
  /** Only sessions below these roots. */
  roots?: readonly string[]
  /** At most so many hits, best first. */
  limit: number
  /** Parts of words are searched too where fewer whole words than these match; `limit` unless given. */
  enough?: number
  /** The newest first instead. */
  sort?: 'newest'
  /** Also sessions that were deleted but still lie there. */
  deleted?: boolean
  /** Also copies that somebody made. */
  backups?: boolean
  /** For the weight of what is recent, in ms. */
  now: number
  /**
   * As people search: titles of sessions too; where few messages have all words, those that have most of them; and where nothing is
   * found, words that are nowhere are taken for slips.
   */
  lenient?: boolean
}

/** A word that stands nowhere, and the one most like it that does. */
export interface Correction {
  word: string
  instead: string
}

export interface SearchHit extends StoredMessage {
  session: string
  platform: string
  agent: string
  project?: string
  path: string
  score: number
  /** Where else the same message stands. */
  copies: { path: string; line: number }[]
  /** Its file, or its line in the file, is there no more since, in ms. */
  goneMs?: number
}

export interface SearchAnswer {
  /** The best first, each looked up when it is come to. */
  hits: Iterable<SearchHit>
  /** How many messages match; at least so many where `more` says that counting stopped. */
  total: number
  more: boolean
  /** No whole word matched enough, so parts of words were searched too. */
  widened: boolean
  /** Few messages have all words, so those with most of them come after these. */
  relaxed?: boolean
  /** What was searched where it is not what was asked: to show where it was found. */
  asked?: Query
  /** Words that stand nowhere; where `corrected`, the others were searched instead. */
  corrections?: Correction[]
  corrected?: boolean
  /** How many of the matches each file holds, by path; where there are very many, of those that were weighed. */
  sessions: ReadonlyMap<string, number>
}
