import type { Artifact, Dispatch } from '../model/artifact.ts'
import type { PromptTemplate } from '../model/script.ts'
import type { Position, Session, Who } from '../model/session.ts'
import type { Statement } from '../model/usage.ts'

/** How far a file was read, and the hashes that prove it is still the same file. */
export interface Checkpoint {
  /** Grows by one each time the file is read again from its first byte. */
  generation: number
  /** The byte after a newline, and the number of the line that begins there. */
  offset: number
  line: number
  /** The file as it was when it was opened. */
  size: number
  modifiedMs: number
  identity: string
  headLength: number
  head: string
  tail: string
  /** The `PARSER_VERSION` that read the file. */
  parser: number
  /** The file changed so shortly before it was read that its modification time cannot prove later changes. */
  recentlyModified: boolean
}

/** A file in the store. */
export interface Known {
  id: number
  /** Grows with every write. An increment that was made from an older revision is refused. */
  revision: number
  artifact: Artifact
  checkpoint: Checkpoint
  /** When the file was found missing, in ms. */
  goneMs?: number
  /** The machine it is on, in a team store and in copies of one. Absent for files of this machine. */
  device?: string
  /** Who worked on that machine, in a team store. */
  person?: string
}

/** One item as a row. `record` and `digest` identify duplicates. The text contains no secrets. */
export interface MessageRow {
  who: Who
  /** In ms since 1970. */
  at: number | null
  text: string | null
  tool: string | null
  target: string | null
  line: number
  offset: number
  length: number
  /** The position within the line. */
  order: number
  record: number
  digest: number
  more: MessageExtra | null
}

/** Fields that few messages have. */
export interface MessageExtra {
  label?: string
  marker?: string
  sure?: boolean
  media?: string[]
  /** For items of the agent: the number of its reply in the usage rows of the file. */
  reply?: number
  stopReason?: string
  readFiles?: string[]
  modifiedFiles?: string[]
}

/**
 * The usage of one reply in one file. A negative `reply` marks a sum that the agent computed itself.
 * `cacheWriteHour` is the part of the cache writes that lives for an hour, `reasoning` a part of the output.
 */
export interface UsageRow {
  reply: number
  /** In ms since 1970. */
  at: number | null
  model: string | null
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** In US dollars, as the agent recorded it. */
  cost: number | null
  cacheWriteHour: number
  reasoning: number
}

/** A prompt as a hash of its words, with its position. */
export interface HeardPrompt extends Position {
  digest: number
  /** In ms since 1970. */
  at: number
}

/**
 * What one reading of one file adds to the store. Written in one transaction together with its checkpoint.
 */
export interface Increment {
  artifact: Artifact
  /** The stored state it was made from. Absent if the file is new to the store. */
  base?: { id: number; revision: number }
  /** The file was read from its first byte: stored messages that it no longer contains are marked as gone. */
  fresh: boolean
  /**
   * What an earlier version of the program read is unchanged, and understood in another way: messages that
   * are not found again were never in the file.
   */
  understoodAnew?: boolean
  /** Another increment with more of the file follows. */
  more: boolean
  /** Stored messages from this line on are replaced. */
  fromLine: number
  messages: MessageRow[]
  /**
   * All prompts of the file, whose speakers later lines may have changed. Absent if nothing was read, and
   * from some slices of a long session: the last one has them.
   */
  prompts?: MessageRow[]
  /** All messages on abandoned branches. */
  left: Position[]
  /** Messages that tool calls sent to other agents, from `fromLine` on. */
  sent: Dispatch[]
  /** The hashes of all prompts of the file. Absent if there are no prompts. */
  heard?: HeardPrompt[]
  /** How the session opens, if a script may have started it. */
  opening?: PromptTemplate & { at: number }
  usages: UsageRow[]
  /** Usage sums that the agent recorded up to a line, from `fromLine` on. */
  statements: Statement[]
  /** Whether `usages` covers the whole file. */
  allUsages: boolean
  /** Absent if the file is not a session. */
  session?: Session
  checkpoint: Checkpoint
}

/**
 * How much later than its call a prompt may arrive, since the agent may be busy, and by how much clocks may
 * differ.
 */
export const LATEST_MS = 15 * 60_000
export const SLACK_MS = 2000
/** The maximum number of prompts of one file, paired with the calls that may have sent them. */
export const MOST_PAIRS = 5000
/**
 * The maximum number of sessions with the same opening that are compared. More would not change the result.
 */
export const MOST_ALIKE = 60
