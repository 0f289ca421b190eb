import type { Notice, PlatformId } from './artifact.ts'

/** A subagent that was started, as the agent's own record of it tells. Nothing here is redacted. */
export interface SubagentRun {
  platform: PlatformId
  root: string
  id: string
  /** The agent that the subagent is one of. */
  agent: string
  task: string
  label?: string
  model?: string
  /** `ok`, `error`, `timeout`, `killed`, `running`, or what else stands there. */
  status: string
  error?: string
  /** What it reported. */
  result?: string
  createdMs?: number
  startedMs?: number
  endedMs?: number
  /** Keys of the sessions: of the one that was started, and of the one that started it. */
  childKey?: string
  parentKey?: string
  /** Which session of that key it was, where that is told. */
  parentSessionId?: string
  /** The file that told it. */
  path: string
}

/** The subagent runs of one root. */
export interface SubagentBook {
  /** The newest first. */
  runs: SubagentRun[]
  /** What could not be read: the answer is not whole. */
  notices: Notice[]
}

/** A place in a transcript where a subagent was started, or where it is told which one a call started. */
export interface Spawn {
  /** The call. */
  callId?: string
  /** Claude Code's id of the agent, or OpenClaw's key of its session. */
  child?: string
  /** What it was told to do. */
  prompt?: string
}

/** The same with its line. */
export interface PlacedSpawn extends Spawn {
  line: number
}

/** When a run began. */
export const beginOfRun = ({ startedMs, createdMs }: SubagentRun): number | undefined =>
  startedMs ?? createdMs

/** How long it took, in ms. */
export function durationOfRun(run: SubagentRun): number | undefined {
  const begin = beginOfRun(run)
  return begin === undefined || run.endedMs === undefined ? undefined : Math.max(0, run.endedMs - begin)
}
