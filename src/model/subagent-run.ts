import type { Notice, PlatformId } from './artifact.ts'

/** One run of a subagent, from the platform's own records. Not redacted. */
export interface SubagentRun {
  platform: PlatformId
  root: string
  id: string
  /** The agent that the subagent belongs to. */
  agent: string
  task: string
  label?: string
  model?: string
  /** `ok`, `error`, `timeout`, `killed`, `running`, or any other word found in the record. */
  status: string
  error?: string
  /** The subagent's report. */
  result?: string
  createdMs?: number
  startedMs?: number
  endedMs?: number
  /** Session keys, or ids where there are none: of the subagent's session and of the one that started it. */
  childKey?: string
  parentKey?: string
  /** The id of the parent session, if the record contains it. */
  parentSessionId?: string
  /** The file that the record was read from. */
  path: string
  /** The lines of that file that are the subagent's, if it is the transcript of the parent. */
  lines?: readonly number[]
  /** The number of its tool calls, if it has no transcript of its own. */
  toolCalls?: number
}

/** The subagent runs of one root. */
export interface SubagentBook {
  /** Newest first. */
  runs: SubagentRun[]
  /** What could not be read. If there is any notice, the list of runs may be incomplete. */
  notices: Notice[]
}

/** A point in a transcript where a subagent was started, or where the id of a started subagent appears. */
export interface Spawn {
  /** The id of the tool call. */
  callId?: string
  /** The id of the subagent or of its session, as its platform's transcripts name it. */
  child?: string
  /** The subagent's task. */
  prompt?: string
  /** How the subagent of this call, or this child, ended: a record of its own beside that of the call. */
  status?: string
}

/** How a run ended, in one set of words for those of clients. Others stay as they are. */
export const runStatus = (word: string): string => ENDS.get(word) ?? word

const ENDS = new Map([
  ['succeeded', 'ok'],
  ['completed', 'ok'],
  ['failed', 'error'],
  ['errored', 'error'],
  ['cancelled', 'killed'],
  ['interrupted', 'killed'],
  ['shutdown', 'killed'],
  ['pending_init', 'running'],
  ['timed_out', 'timeout'],
  ['queued', 'running'],
])

/** A spawn with the line it was found on. */
export interface LocatedSpawn extends Spawn {
  line: number
}

/** The time a run began, in ms. */
export const beginOfRun = ({ startedMs, createdMs }: SubagentRun): number | undefined =>
  startedMs ?? createdMs

/** The duration of a run in ms. */
export function durationOfRun(run: SubagentRun): number | undefined {
  const begin = beginOfRun(run)
  return begin === undefined || run.endedMs === undefined ? undefined : Math.max(0, run.endedMs - begin)
}
