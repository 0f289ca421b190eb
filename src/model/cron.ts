import type { Notice, PlatformId } from './artifact.ts'

/** When a job runs. `unknown` holds what stands there in its stead, as text. */
export type CronSchedule =
  | { kind: 'at'; atMs: number }
  | { kind: 'every'; everyMs: number; anchorMs?: number }
  | { kind: 'cron'; expr: string; tz?: string }
  | { kind: 'unknown'; text: string }

/** Where the answer of a run goes. */
export interface CronDelivery {
  mode?: string
  channel?: string
  to?: string
}

/** What the scheduler noted of a job while it ran. */
export interface CronState {
  nextRunMs?: number
  lastRunMs?: number
  lastStatus?: string
  lastError?: string
  lastDurationMs?: number
  consecutiveErrors?: number
  /** When this was written, where that is told. */
  updatedMs?: number
}

/** A scheduled job. Nothing here is redacted. */
export interface CronJob {
  id: string
  name?: string
  description?: string
  agent: string
  enabled: boolean
  /** No newer source knows the job any more: only an old copy or its runs tell of it. */
  gone: boolean
  schedule?: CronSchedule
  /** The session it runs in: `main`, `isolated`, `current`, `session:<key>`. */
  target?: string
  /** What it does: `systemEvent`, `agentTurn`, `command`, `script`, `heartbeat`, and the words of it. */
  does?: { kind: string; text?: string }
  delivery?: CronDelivery
  createdMs?: number
  updatedMs?: number
  state: CronState
  /** The file that told it. */
  path: string
}

/** Tokens of a run; what is absent is not known. */
export interface CronUsage {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
  total?: number
  /** US dollars. */
  cost?: number
}

/** One run of a job. Nothing here is redacted. */
export interface CronRun {
  jobId: string
  /** The name of the job at that time, where the log has it. */
  jobName?: string
  agent?: string
  startedMs?: number
  endedMs?: number
  /** `ok`, `error`, `skipped`, `running`, or what else stands there. */
  status: string
  durationMs?: number
  delivered?: boolean
  deliveryStatus?: string
  error?: string
  summary?: string
  sessionId?: string
  sessionKey?: string
  model?: string
  usage?: CronUsage
  /** When the scheduler meant to run it next. */
  nextRunMs?: number
  path: string
}

/** The jobs and runs of one root. */
export interface CronBook {
  platform: PlatformId
  jobs: CronJob[]
  /** The newest first. */
  runs: CronRun[]
  /** What could not be read: the answer is not whole. */
  notices: Notice[]
  /** Damaged places of what was read. */
  damages: Notice[]
}

/** `last`: enough of the runs to know how each job ended last; `all`: every one. */
export type CronReach = 'last' | 'all'

/** When a run was: its start, else its end. */
export const timeOfRun = (run: CronRun): number | undefined => run.startedMs ?? run.endedMs
