import type { ArtifactState, PlatformId, Scripted, Sender, SessionEntry } from './artifact.ts'
import type { ReplyUsage, SessionKind, Usage } from './event.ts'

/**
 * Counts of a transcript's lines. Every non-empty line is counted exactly once.
 *
 * @example
 * import { findSessions } from 'agent-scrollback'
 *
 * const [session] = await Array.fromAsync(findSessions({ demo: true, project: '640ab4c7' }))
 * const { events, skipped } = session!.accounting
 * events // => 26
 * skipped // => { 'file-history-snapshot': 2 }
 */
export interface Accounting {
  /** Lines that yielded at least one event. */
  events: number
  /** Lines skipped on purpose, by record type. */
  skipped: Record<string, number>
  /** Lines of a record type that this version does not know, by type. */
  unknown: Record<string, number>
  /** Lines that are not JSON or longer than the limit. */
  malformed: number
  /** Byte offsets of the first hundred malformed lines. */
  malformedAt?: number[]
}

/** What a session is and where its transcript is. */
interface SessionIdentity {
  id: string
  platform: PlatformId
  agent: string
  kind: SessionKind | null
  state: ArtifactState
  path: string
  root: string
  /** Session ids in the records that differ from the file's own. */
  otherIds: string[]
  sessionKey?: string
  /** The session's entry in the platform's session index. */
  entry?: SessionEntry
}

/** The transcript as a file: sizes in bytes, times in milliseconds since 1970. */
interface SessionFile {
  bytes: number
  modifiedMs: number
  /** Number of non-empty lines. */
  lines: number
  accounting: Accounting
  /** When the file was found to be missing, in ms. The rest comes from the store. */
  goneMs?: number
  /** The number of indexed messages that the client has since cut off the file. */
  cut?: number
}

/** When the session ran. */
interface SessionTimes {
  startedMs?: number
  lastActivityMs?: number
  /** True while a running client has the session open. Never stored. */
  open?: boolean
}

/** What happened in the session. */
interface SessionCounts {
  human: number
  agentMessages: number
  toolCalls: number
  /** Tool errors and failed replies, as stated by the records. */
  errors: number
  /** Tool results that only read like errors. */
  possibleErrors: number
}

/** Titles and messages by which a session is recognized. */
interface SessionTexts {
  title?: string
  firstHuman?: string
  /** The time of the first prompt, whoever sent it. A fork or copy has the same. */
  firstPromptMs?: number
  /** What identifies it in forks whose copies have other times, or none. */
  firstPromptId?: string
  /** The last three human messages, oldest first. */
  lastHuman: string[]
  /**
   * The first five human messages, which may name the project. Only set if no folder of the platform
   * identifies it.
   */
  opening?: string[]
  /** What the first of these five asks for that asks for anything, if it is not the first. */
  asked?: string
  /** The first prompt of a session without human messages. */
  firstProgram?: string
}

/** Where the session worked: what leads to its project. */
interface SessionDirectories {
  /**
   * Working directories with the number of records that name them. The transcript's own directory comes
   * first, then the most frequent.
   */
  cwds: [path: string, count: number][]
  /**
   * Folders of files that tools changed, most frequent first. Only set on platforms where the working
   * directory does not identify the project.
   */
  touched: [path: string, count: number][]
  /** The original directories of a worktree or a moved project. */
  origins: string[]
  slug?: string
  /** Git branches of the working directory, latest last. */
  branches?: string[]
  /** The file says that it has a form which this version does not know, by its number or name. */
  laterForm?: number | string
}

/** How the session relates to others. */
interface SessionRelations {
  parentSessionId?: string
  parentCallId?: string
  fork?: string
  /** Its first messages are copies of another session's. */
  forked?: boolean
  /** When it was forked, or the time of its first own prompt, in ms. Not known of all forks. */
  forkedMs?: number
  subagent?: { type?: string; description?: string; status?: string }
  /** Prompts that another session sent, by line; at most fifty. */
  promptedBy?: { line: number; by: Sender }[]
  /** Set if the session was probably started by a script, with the confidence. */
  script?: Scripted
  /** The sessions of another client it ran through. They contain what the agent did. */
  ranThrough?: { id: string; path: string }[]
}

/** What the session cost, and what it ran on. */
interface SessionCosts {
  model?: string
  /** The version of the client that wrote the last prompt. */
  version?: string
  /** Sum over all replies. Each reply is counted once, with its largest figures. */
  usage?: Usage
  /** The client's own total, which also covers titles, summaries and subagents. */
  recorded?: Usage
}

/**
 * A session, as listed by `sessions`. Times are in milliseconds since 1970, sizes in bytes.
 *
 * @example
 * import { findSessions } from 'agent-scrollback'
 *
 * const [session] = await Array.fromAsync(findSessions({ demo: true, project: '640ab4c7' }))
 * const counts = [session?.title, session?.human, session?.agentMessages]
 * counts // => ['Checkout and payments', 4, 5]
 * new Date(session?.startedMs ?? 0).toISOString() // => '2026-09-22T08:20:59.000Z'
 */
export interface Session
  extends SessionIdentity,
    SessionFile,
    SessionTimes,
    SessionCounts,
    SessionTexts,
    SessionDirectories,
    SessionRelations,
    SessionCosts {
  /** What the user noted about it. Only set on sessions of a listing. */
  annotation?: Annotation
  /** The machine it is on, and who works there. Only set on sessions of a team store. */
  device?: string
  person?: string
}

/** Whether a session has no messages and no tool calls. */
export const isEmptySession = ({
  human,
  agentMessages,
  toolCalls,
}: Pick<Session, 'human' | 'agentMessages' | 'toolCalls'>): boolean => human + agentMessages + toolCalls === 0

/**
 * Whether a session counts as one of people: its kind is `human`, or unknown. All listings and sums use this.
 */
export const isOfPeople = ({ kind }: { kind?: string | null | undefined }): boolean =>
  kind === 'human' || kind == null

export type Who = 'human' | 'agent' | 'program' | 'tool' | 'error' | 'marker' | 'memory'

/**
 * One item of a condensed transcript.
 *
 * @example
 * import { readSession } from 'agent-scrollback'
 *
 * const items = await Array.fromAsync(readSession('640ab4c7', { demo: true }))
 * items.find(({ who }) => who === 'tool')?.tool?.name // => 'Write'
 */
export interface Item {
  who: Who
  at?: number
  text?: string
  tool?: { name: string; target?: string }
  line: number
  offset: number
  length: number
  /** Position among the items of the same line. */
  order: number
  /**
   * The record's id, or that of the record it was copied from. Together with the time it identifies
   * duplicates.
   */
  id?: string
  /** What identifies it in copies that have other ids, or none. */
  sharedId?: string
  messageId?: string
  callId?: string
  /** The number of the item's reply within the file. Absent if the file has no usage for it. */
  reply?: number
  /** The usage of the whole reply, the same on every item of it. */
  usage?: ReplyUsage
  /** Why the model stopped, as recorded: `end_turn`, `toolUse`. */
  stopReason?: string
  /** Further tool calls that are shown together with this one. */
  folded?: Item[]
  /** See `recordKey`. Only set on items from a store. */
  record?: number
  /** The speaker in detail: a sender in a group, `cron`, `parent agent`. */
  label?: string
  /** For `marker`: the kind of marker. */
  marker?: string
  /** For `error`: false if the output only reads like an error. */
  sure?: boolean
  /** The question that a short answer answers, where only the words of people are shown. */
  asked?: string
  /** Names of the images and documents sent with the message. */
  media?: string[]
  /** True if the message is on an abandoned branch. */
  offBranch?: boolean
  /** The client has since cut the message off the file. `line` counts from its end: the last one is -1. */
  cut?: boolean
  /** For a compaction, the files that the agent had read and changed, if the record lists them. */
  readFiles?: string[]
  modifiedFiles?: string[]
  /** With `--full`: what else the record contains. It is read when the item is printed. */
  holds?: 'thinking' | 'input' | 'output' | 'summary'
  /** How many thoughts of the same record are before this one, if any. */
  nth?: number
  /** That content, once it has been read. */
  detail?: string
}

/** What the user noted about a session. Tags are sorted. */
export interface Annotation {
  star: boolean
  /** Shown instead of the session's title. */
  name?: string
  tags: string[]
}

/** A saved search that gives a tag to the sessions it finds. */
export interface TagRule {
  tag: string
  /** A query as `search` accepts it. */
  query: string
}

const TAG = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_./+#-]{0,63}$/u

/** Tags are single words, because a query separates its filters with spaces. */
export const isTag = (text: string): boolean => TAG.test(text)

export const noAnnotation = (): Annotation => ({ star: false, tags: [] })

/** Tags match in full, in upper or lower case. */
export const hasTag = (annotation: Annotation | undefined, wanted: string): boolean =>
  annotation?.tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase()) === true

/** The position of a message in its file. */
export interface Position {
  /** Counted from 1. */
  line: number
  /** The position within the line, from 0. */
  order: number
}
