import type { Notice } from './artifact.ts'
import type { PlatformId } from './platform-id.ts'

/** When a job runs. `unknown` contains the recorded value as text. */
export type CronSchedule =
  | { kind: 'at'; atMs: number }
  | { kind: 'every'; everyMs: number; anchorMs?: number }
  | { kind: 'cron'; expr: string; tz?: string }
  | { kind: 'unknown'; text: string }

/** Where the result of a run is sent. */
export interface CronDelivery {
  mode?: string
  channel?: string
  to?: string
}

/** The scheduler's state of a job. */
export interface CronState {
  nextRunMs?: number
  lastRunMs?: number
  lastStatus?: string
  lastError?: string
  lastDurationMs?: number
  consecutiveErrors?: number
  /** When the state was written, if recorded. */
  updatedMs?: number
}

/** A scheduled job. Not redacted. */
export interface CronJob {
  id: string
  name?: string
  description?: string
  agent: string
  enabled: boolean
  /** True if only old copies or past runs mention the job. */
  gone: boolean
  schedule?: CronSchedule
  /** The session the job runs in: `main`, `isolated`, `current`, `session:<key>`. */
  target?: string
  /** What the job does: `systemEvent`, `agentTurn`, `command`, `script` or `heartbeat`, with its text. */
  does?: { kind: string; text?: string }
  delivery?: CronDelivery
  createdMs?: number
  updatedMs?: number
  state: CronState
  /** The file that defines the job. */
  path: string
}

/** The tokens of a run. Absent figures are unknown. */
export interface CronUsage {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
  total?: number
  /** US dollars. */
  cost?: number
}

/** One run of a job. Not redacted. */
export interface CronRun {
  jobId: string
  /** The job's name at the time of the run, if the log contains it. */
  jobName?: string
  agent?: string
  startedMs?: number
  endedMs?: number
  /** `ok`, `error`, `skipped`, `running`, or any other word found in the record. */
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
  /** When the scheduler planned the next run. */
  nextRunMs?: number
  path: string
}

/** The jobs and runs of one root. */
export interface CronBook {
  platform: PlatformId
  jobs: CronJob[]
  /** Newest first. */
  runs: CronRun[]
  /** What could not be read. If there is any notice, the lists may be incomplete. */
  notices: Notice[]
  /** Damaged parts of the files that were read. */
  damages: Notice[]
}

/** `last`: enough runs to know how each job ended last. `all`: every run. */
export type CronReach = 'last' | 'all'

/** The start of a run, or its end if the start is unknown. */
export const timeOfRun = (run: CronRun): number | undefined => run.startedMs ?? run.endedMs
