import type { Notice, PlatformId } from './artifact.ts'

/** When a job runs. `unknown` contains the recorded value as text. */
export type CronSchedule =
  | { kind: 'at'; atMs: number }
  | { kind: 'every'; everyMs: number; anchorMs?: number }
  /** Each job is delayed by a time of its own below `staggerMs`. If absent, the expression decides. */
  | { kind: 'cron'; expr: string; tz?: string; staggerMs?: number }
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

/**
 * Merges the definitions of a job from several sources, the best source first: the latest definition, the
 * latest state.
 */
export function mergeJobs(sources: readonly (readonly CronJob[])[]): CronJob[] {
  const jobs = new Map<string, CronJob>()
  for (const job of sources.flat()) {
    const known = jobs.get(job.id)
    if (!known) {
      jobs.set(job.id, job)
      continue
    }
    const later = known.gone === job.gone ? (job.updatedMs ?? 0) > (known.updatedMs ?? 0) : known.gone
    const createdMs = (later ? job : known).createdMs ?? (later ? known : job).createdMs
    jobs.set(job.id, { ...(later ? job : known), createdMs, state: newerState(job.state, known.state) })
  }
  return [...jobs.values()]
}

/**
 * Deduplicates runs, newest first. Fields missing from one source are filled from another. The best source
 * comes first.
 */
export function mergeRuns(runs: readonly CronRun[]): CronRun[] {
  const byTime = new Map<string, CronRun>()
  const untimed: CronRun[] = []
  for (const run of runs) {
    const time = timeOfRun(run)
    const key = `${run.jobId} ${time}`
    const known = byTime.get(key)
    if (time === undefined) untimed.push(run)
    else if (!known) byTime.set(key, run)
    else if (apart(known, run)) byTime.set(`${key} ${run.sessionId}`, run)
    else byTime.set(key, joined(known, run))
  }
  return [...byTime.values(), ...untimed].sort((a, b) => (timeOfRun(b) ?? 0) - (timeOfRun(a) ?? 0))
}

/** Whether two runs at the same time have different sessions. */
const apart = (one: CronRun, other: CronRun): boolean =>
  one.sessionId !== undefined && other.sessionId !== undefined && one.sessionId !== other.sessionId

function joined(known: CronRun, other: CronRun): CronRun {
  const has = Object.entries(known).filter(([, value]) => value !== undefined)
  const whole = { ...other, ...Object.fromEntries(has) }
  // A run that is still running in one source may have ended in another.
  return known.status === 'running' ? { ...whole, status: other.status } : whole
}

/** The later of two states. Fields of the earlier one are kept unless the job ran since. */
export function newerState(one: CronState, other: CronState): CronState {
  const [old, young] = stampOf(other) >= stampOf(one) ? [one, other] : [other, one]
  const known = Object.entries(young).filter(([, value]) => value !== undefined)
  if (stampOf(young) === Number.NEGATIVE_INFINITY) return { ...old, ...Object.fromEntries(known) }
  if (stampOf(old) === Number.NEGATIVE_INFINITY) return young
  return young.lastRunMs === undefined || young.lastRunMs === old.lastRunMs
    ? { ...old, ...Object.fromEntries(known) }
    : young
}

/** When a state was written. A state without a time is older than any other. */
function stampOf(state: CronState): number {
  return Math.max(
    state.lastRunMs ?? Number.NEGATIVE_INFINITY,
    state.nextRunMs !== undefined || state.lastStatus !== undefined
      ? (state.updatedMs ?? Number.NEGATIVE_INFINITY)
      : Number.NEGATIVE_INFINITY,
  )
}
