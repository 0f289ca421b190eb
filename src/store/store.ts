import type { SessionLinks } from '../model/artifact.ts'
import { finish, type Steps } from '../model/iteration.ts'
import type { AssignedFacts, ProjectEvidence, ProjectMembers } from '../model/project.ts'
import type { FactNeeds, SessionFacts } from '../model/session-filter.ts'
import type { Query } from '../search/query.ts'
import type { Changes } from './changes.ts'
import type { DayFigures, FiguresRequest, MinuteFigure } from './figures.ts'
import type { FileContent, FileCopy } from './file-copy.ts'
import type { Increment, Known } from './increment.ts'
import type { SearchAnswer, SearchRequest } from './search.ts'
import type {
  ItemWindow,
  OutlineColumns,
  OutlineOptions,
  SessionsBefore,
  StoredDocument,
  StoredMessage,
  StoredSession,
  StoreStatistics,
} from './stored.ts'
import type { Vectors } from './vectors.ts'

/** The file of a store, or whatever it is opened from. */
interface StoreFile {
  /** For messages to users. */
  readonly path: string
  readonly readOnly: boolean
  /** Whether the file is still the one that was opened. Another process may have deleted or replaced it. */
  isThere(): boolean
  /** Checks every page, at most once a day. Throws a `DamagedStore` if one is damaged. */
  checkPages(nowMs: number): void
  /** Caches at most this much of the file and of its sums from now on, and frees the rest. */
  limitCache(kibibytes: number): void
  /** Changes whenever another process has written. */
  othersWrote(): number
  statistics(): StoreStatistics
  /**
   * Runs `work` as the only writing process, from its first step to its last. Returns undefined if another
   * process is writing.
   */
  asWriter<Result>(work: () => Steps<Result>): Steps<Result | undefined>
  close(): void
}

/** What was erased. */
export interface Erased {
  /** Messages that no other file contains. */
  messages: number
  /** Words that no other message contains. */
  words: number
}

/** The files of a store with their checkpoints, and what is written about them. */
export interface Writer {
  /** Every file in the store, by path. Those in `before`, by id, are only read again if they have changed. */
  known(before?: Map<number, Known>): Map<string, Known>
  /** One file, by the id of its row or by its path. */
  knownFile(file: { id: number } | { path: string }): Known | undefined
  /**
   * Writes increments with their checkpoints in one transaction. Skips an increment if another process has
   * changed its base, and returns the paths of skipped files.
   */
  write(batch: readonly Increment[]): string[]
  /** Files whose links to other sessions have to be updated. */
  unlinked(): number[]
  /** What other files say about this file. */
  links(id: number): SessionLinks | undefined
  /** Notes that the links of these files are up to date. */
  linked(ids: readonly number[]): void
  /** Deletes files and all messages that only they contain. */
  forget(ids: readonly number[]): void
  /** The same, and leaves nothing of them in the index, the vocabulary and free space. */
  erase(ids: readonly number[]): Erased
  /** How many messages no other file contains: those that `erase` would remove. */
  messagesOnlyIn(ids: readonly number[]): number
  /** Marks files as gone, or as found again. */
  markGone(ids: readonly number[], goneMs: number | undefined): void
  /** The inventory of the disk at the moment when everything on it was stored. Any write deletes it. */
  settled(scope: string): string | undefined
  /** Stores such an inventory, unless a file may have changed unnoticed. */
  settle(scope: string, inventory: string): void
  /** What determines the project of each session, and the project that it is assigned to. */
  projectFacts(): AssignedFacts[]
  /**
   * The same of the sessions that were written since projects were assigned, with what their projects were
   * derived from then. Undefined if all sessions have to be read: if many were written, or one was deleted.
   */
  unassigned(): (AssignedFacts & { before?: ProjectEvidence })[] | undefined
  /**
   * The project of another session with the same evidence. Undefined if there is none, or if a session names
   * this one as its parent.
   */
  projectWith(evidence: ProjectEvidence): ProjectMembers['project']
  /**
   * Assigns files to projects. Writes only what has changed. With the evidence of the sessions, all of them
   * are assigned now.
   */
  assignProjects(
    projects: readonly ProjectMembers[],
    evidenceOf?: (artifact: number) => ProjectEvidence | undefined,
  ): void
}

export interface Sessions {
  /**
   * The sessions below these roots, or of these files alone, including the parts that clients have cut off.
   * Those in `before` that have not changed are not read again. New ones are added to it.
   */
  sessions(roots?: readonly string[], paths?: readonly string[], before?: SessionsBefore): StoredSession[]
  /** The paths of the transcripts whose session id begins like this. */
  pathsOf(id: string): string[]
  /** The transcripts that say that their form is a later one, or have unknown records and no message. */
  unknownForms(): string[]
}

export interface Messages {
  /**
   * The items of a file in order: `count` of them from a line on, and `before` preceding ones. With the usage
   * of their replies, unless it is not needed.
   */
  messages(
    path: string,
    from?: { line: number; count: number; before?: number },
    needs?: { usage: boolean },
  ): StoredMessage[]
  /**
   * The indexed items that the client has since cut off this file, in order. Their lines are numbered from
   * the end, so that the last one is -1 and none is a line of the file. `messages` can begin there, too.
   */
  cutMessages(path: string): StoredMessage[]
  /** Whether any file contains a message, by its key, that was stored up to a moment. */
  holds(record: number, digest: number, upTo: number): boolean
  /** The number of the message that was stored last. */
  newest(): number
  /**
   * `count` items of a file from a position on, without reading those before. Positions count from 0, in the
   * order of `messages`.
   */
  itemsAt(path: string, from: number, count: number): ItemWindow
  /** All items of a file in order, as columns, without most texts. */
  outline(path: string, options: OutlineOptions): OutlineColumns
  /**
   * The positions of a session's items that match a query, also inside words, in order: those of
   * `cutMessages` come first, then those of the file. Texts are not read where the index is exact. The query
   * has no filters of sessions. Without one, nothing is found, and what the next query needs is read.
   */
  positions(path: string, query?: Query): number[]
  /** How many messages a file contains. */
  countMessages(path: string): number
}

export interface IndexWordsOptions {
  /** Called with the number of messages of each transaction. */
  advanced?(messages: number): void
  /** Called when a very long text can be freed. */
  collectGarbage?(): void
}

/** The search index over the messages. It is filled after they are stored. */
interface Words {
  /** Indexes the words of all messages that are not indexed yet, in several transactions. */
  indexWords(options?: IndexWordsOptions): Steps<void>
  /** How many messages are not indexed yet, or somewhat more. */
  unindexed(): number
}

/** The memory documents. */
export interface Documents {
  /** All of them with their versions, the oldest first. */
  documents(): StoredDocument[]
  /** The text of one version, with its lines in their original positions. Secrets are redacted. */
  documentText(id: number, version: number): string
}

export interface Search {
  /** What filters compare of the sessions below these roots. */
  sessionFacts(roots: readonly string[], needs: FactNeeds): readonly SessionFacts[]
  /** Counts what a search below these roots covers. */
  searchable(roots: readonly string[]): { sessions: number; messages: number; calls: number }
  search(wanted: SearchRequest): SearchAnswer
  /** The same in steps, so that the caller can stop early. */
  searchInSteps(wanted: SearchRequest): Steps<SearchAnswer>
}

export interface Figures {
  /**
   * Sums for statistics, one day at a time, in order. Items without a time are included only if no time is
   * requested. Iterate without other work in between: all of it is one view of the store.
   */
  figures(wanted: FiguresRequest): Iterable<DayFigures>
  /** Tokens by minute from a moment on, in chronological order. Replies without a time are left out. */
  minutes(fromMs: number): Iterable<MinuteFigure>
}

/** Whole files, for copying them from one store to another. */
interface Copies {
  /** How much the store has of each file of every device, in the order in which they were first stored. */
  contents(): FileContent[]
  /** Everything about some files, in this order. Without those that are no longer stored. */
  copiesOf(ids: readonly number[]): FileCopy[]
  /**
   * Stores files as another store has them. Each replaces what is stored at its path. Repeating it changes
   * nothing.
   */
  putCopies(files: readonly FileCopy[]): void
}

/**
 * The interface of every storage engine. Contract tests check each of them. All methods throw a
 * `ScrollbackError` where the user can do something about a failure.
 */
export interface Store
  extends StoreFile,
    Writer,
    Sessions,
    Messages,
    Words,
    Documents,
    Search,
    Figures,
    Copies {
  /** Absent in engines without search by meaning. */
  readonly vectors?: Vectors
  /** Absent in engines that nothing is sent from. */
  readonly changes?: Changes
}

/** What one piece of work as the only writer of a store returns. Undefined if another process is writing. */
export const asOnlyWriter = <Result>(store: Store, work: () => Result): Result | undefined =>
  finish(
    // biome-ignore lint/correctness/useYield: The writer runs steps, and this is one.
    store.asWriter(function* () {
      return work()
    }),
  )

/** So many files or sessions are looked up one by one. With more, all are read. */
export const FEW = 8

/** What the store knows about some files, and perhaps about others. */
export const knownFiles = (store: Pick<Writer, 'known' | 'knownFile'>, paths: readonly string[]): Known[] =>
  paths.length > FEW ? [...store.known().values()] : paths.flatMap((path) => store.knownFile({ path }) ?? [])

/** Returns a function that finds the session of a file, which it reads once. */
export function sessionsByPath(store: Sessions | undefined): (path: string) => StoredSession | undefined {
  const rows = new Map<string, StoredSession | undefined>()
  let areAll = store === undefined
  return (path) => {
    if (!areAll && !rows.has(path)) {
      areAll = rows.size >= FEW
      const found = areAll ? store!.sessions() : store!.sessions(undefined, [path])
      for (const row of found) rows.set(row.session.path, row)
      if (!rows.has(path)) rows.set(path, undefined)
    }
    return rows.get(path)
  }
}
