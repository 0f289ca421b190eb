import type { ArtifactState, PlatformId } from './artifact.ts'
import type { ReplyUsage, SessionKind, Usage } from './event.ts'
import type { SessionEntry } from './session-entry.ts'
import type { Scripted, Sender } from './session-links.ts'

/** How the lines of a file ended: every non-empty one is counted exactly once. */
export interface Accounting {
  /** Lines that became at least one event. */
  events: number
  /** Left out on purpose, by type. */
  skipped: Record<string, number>
  /** Of a type this version does not know. */
  unknown: Record<string, number>
  /** No JSON, or longer than the limit. */
  malformed: number
  /** Byte offsets of the malformed lines, the first hundred. */
  malformedAt?: number[]
}

/** One row of the session index. Times in milliseconds since 1970, sizes in bytes. */
export interface Session {
  id: string
  platform: PlatformId
  agent: string
  kind: SessionKind | null
  state: ArtifactState
  path: string
  root: string
  bytes: number
  modifiedMs: number
  startedMs?: number
  lastActivityMs?: number
  /** Non-empty lines. */
  lines: number
  human: number
  agentMessages: number
  toolCalls: number
  /** Tool errors and failed replies that the records state. */
  errors: number
  /** Tool results that only read like errors. */
  possibleErrors: number
  title?: string
  firstHuman?: string
  /** The last three, oldest first. */
  lastHuman: string[]
  /** The first five, where no folder of the platform tells the project: they may name it. */
  opening?: string[]
  /** The first words of whoever drove a session that no human did. */
  firstProgram?: string
  accounting: Accounting
  /** Working directories the records name: the one that the transcript belongs to, then the most frequent first. */
  cwds: [path: string, count: number][]
  /** Folders of files that tools touched, most frequent first; only where directories do not tell the project. */
  touched: [path: string, count: number][]
  /** Where a worktree or a moved project came from. */
  origins: string[]
  slug?: string
  sessionKey?: string
  /** What the agent's own index says. */
  entry?: SessionEntry
  parentSessionId?: string
  parentCallId?: string
  fork?: string
  subagent?: { type?: string; description?: string }
  /** Session ids the records name other than the file's own. */
  otherIds: string[]
  model?: string
  /** Of the client that wrote the last prompt. */
  version?: string
  /** Branches of the repository that was worked in, the latest last. */
  branches?: string[]
  /** Sum over replies, each counted once with its largest figures. */
  usage?: Usage
  /** Prompts in it that another session sent, by their line; the first fifty. */
  promptedBy?: { line: number; by: Sender }[]
  /** It is probably a script's: with how much confidence. */
  script?: Scripted
  /** A running client has it open now; never stored. */
  open?: boolean
  /** When its file was found missing, in ms: what is told was stored before. */
  goneMs?: number
  /** The sessions of Claude Code it ran through, which tell what the agent did in it. */
  ranThrough?: { id: string; path: string }[]
}

export type Who = 'human' | 'agent' | 'program' | 'tool' | 'error' | 'marker' | 'memory'

/** One thing a condensed transcript tells. */
export interface Item {
  who: Who
  at?: number
  text?: string
  tool?: { name: string; target?: string }
  line: number
  offset: number
  length: number
  /** Place among what the line tells. */
  order: number
  /** The id of the record, or of the one it was copied from; with the time, it tells copies of the same message apart from new ones. */
  id?: string
  messageId?: string
  callId?: string
  /** Of what the agent said or did: a number of its reply within the file, where the file says what that used. */
  reply?: number
  /** What the whole reply used; every item of it has the same. */
  usage?: ReplyUsage
  /** Why the model stopped, where the record says so: `end_turn`, `toolUse`. */
  stopReason?: string
  /** Further calls that are told as this one. */
  folded?: Item[]
  /** See `recordKey`; only items out of a store carry it. */
  record?: number
  /** A sender in a group, `cron`, `parent agent`: who exactly. */
  label?: string
  /** For `marker`: which. */
  marker?: string
  /** For `error`: false when only the words of the output say so. */
  sure?: boolean
  /** Names of images and documents that came with the words. */
  media?: string[]
  /** Said on a branch that was abandoned. */
  offBranch?: boolean
  /** With `--full`: what the record holds beyond this, to be read from its place when it is shown. */
  holds?: 'thinking' | 'input' | 'output' | 'summary'
  /** The same, once read. */
  detail?: string
}
