import type { PlatformId } from '../../model/artifact.ts'

/** Which machine is read. Without any of it: the usual places of whoever runs the program. */
export interface Places {
  /** Folders of Claude Code instead of the usual ones, such as `~/.claude`. */
  claudeDirs?: readonly string[]
  /** Folders of OpenClaw instead of the usual ones, such as `~/.openclaw`. */
  openclawDirs?: readonly string[]
  /** The invented data that comes with the package. */
  demo?: boolean
  /** Also sessions that were deleted but still lie there. */
  deleted?: boolean
  /** Also copies of transcripts that somebody made. */
  backups?: boolean
  /** Told what could not be read, and is missing in the answers. Nothing is printed. */
  onNote?(message: string): void
}

export interface StoreOptions extends Places {
  /** The file of the store; that of the command line unless given. `:memory:` keeps none. */
  storePath?: string
}

/** Which sessions are meant. */
export interface SessionFilter {
  /** A project or an agent by a part of its name or path, a folder, or the id of a session. */
  project?: string
  platform?: PlatformId
  /** The id of an agent, such as `main`, or with its program: `openclaw:main`. */
  agent?: string
  /** Kinds, separated by commas: `human`, `cron`, `subagent`, `heartbeat`, `hook`, `program`, or `all`. */
  kind?: string
  /** A time, or words for one as the command line takes them: `7d`, `2026-01-31`, `yesterday`. */
  since?: string | Date
  until?: string | Date
}

/** A message or a use of a tool that matches. */
export interface Hit {
  /** The id of its session. */
  session: string
  platform: string
  agent: string
  project: string | null
  who: 'human' | 'agent' | 'program' | 'tool' | 'error' | 'marker' | 'memory' | 'output'
  /** ISO 8601. */
  at: string | null
  /** The part that matches best. */
  snippet: string
  /** Ranges of it that match, in UTF-16 units. */
  marks: [start: number, end: number][]
  /** The whole message; `null` where a tool was used. */
  text: string | null
  tool: { name: string; target: string | null } | null
  path: string
  /** From 1. */
  line: number
  /** In bytes. */
  offset: number
  /** Comparable within one answer. */
  score: number
}

export type Dimension =
  | ('day' | 'week' | 'month' | 'block' | 'model' | 'project' | 'project-day')
  | ('session' | 'tool' | 'agent' | 'platform')

/** Sums; costs in US dollars, `null` where no price is known. */
export interface Sums {
  sessions: number
  messages: { human: number; agent: number }
  humanWords: number
  toolCalls: number
  errors: number
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** At list price. */
  cost: number | null
  /** What the agents recorded. */
  recordedCost: number | null
  /** Models whose tokens are in no cost. */
  unpricedModels: string[]
}

/** What one model used within a row. */
interface ModelPart
  extends Pick<
    Sums,
    'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens' | 'cost' | 'recordedCost'
  > {
  model: string
  replies: number
}

/** Five hours that limits of use count together. */
interface Block {
  startsAt: string
  endsAt: string
  /** The minutes of the first and the last reply. */
  firstAt: string
  lastAt: string
  /** Only of the block that runs: how fast it is used, and where that leads by its end. */
  pace?: {
    minutesLeft: number
    tokensPerMinute: number
    costPerHour: number | null
    projectedTokens: number
    projectedCost: number | null
  }
}

interface StatsRow extends Sums {
  key: string
  /** Of days by project. */
  day?: string
  project?: string
  /** Of a session. */
  title?: string
  block?: Block
  /** With `breakdown`. */
  models?: ModelPart[]
}

export interface Stats {
  project: string | null
  totals: Sums
  /** Sessions that `totals` does not count: nothing new was said in them. Not told of a span of time. */
  silent?: number
  by: Dimension
  order: 'asc' | 'desc'
  rows: StatsRow[]
  /** How many rows there are without a limit, and the sum of them all. */
  rowsTotal: number
  rowsSum: Sums
  tools: { name: string; calls: number; errors: number }[]
  files: { path: string; count: number }[]
  /** Messages of people by hour of the day, from 0 to 23. */
  hours: number[]
  activeDays: number
}
