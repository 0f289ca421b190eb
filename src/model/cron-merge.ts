import { type CronJob, type CronRun, type CronState, timeOfRun } from './cron.ts'

/** One job out of what several sources tell of it, the best source first: the latest definition, the latest state. */
export function mergeJobs(sources: readonly (readonly CronJob[])[]): CronJob[] {
  const jobs = new Map<string, CronJob>()
  for (const job of sources.flat()) {
    const known = jobs.get(job.id)
    if (!known) {
      jobs.set(job.id, job)
      continue
    }
    const later = known.gone === job.gone ? (job.updatedMs ?? 0) > (known.updatedMs ?? 0) : known.gone
    jobs.set(job.id, { ...(later ? job : known), state: newerState(job.state, known.state) })
  }
  return [...jobs.values()]
}

/** Each run once, the newest first; what one source leaves out of a run, another may tell. The best source comes first. */
export function mergeRuns(runs: readonly CronRun[]): CronRun[] {
  const told = new Map<string, CronRun>()
  const untimed: CronRun[] = []
  for (const run of runs) {
    const time = timeOfRun(run)
    const key = `${run.jobId} ${time}`
    const known = told.get(key)
    if (time === undefined) untimed.push(run)
    else if (!known) told.set(key, run)
    else if (apart(known, run)) told.set(`${key} ${run.sessionId}`, run)
    else told.set(key, joined(known, run))
  }
  return [...told.values(), ...untimed].sort((a, b) => (timeOfRun(b) ?? 0) - (timeOfRun(a) ?? 0))
}

/** Two runs of one moment: their sessions say so. */
const apart = (one: CronRun, other: CronRun): boolean =>
  one.sessionId !== undefined && other.sessionId !== undefined && one.sessionId !== other.sessionId

function joined(known: CronRun, other: CronRun): CronRun {
  const has = Object.entries(known).filter(([, value]) => value !== undefined)
  const whole = { ...other, ...Object.fromEntries(has) }
  // A run that was still on its way in one source may have ended in another.
  return known.status === 'running' ? { ...whole, status: other.status } : whole
}

/** The later of two; what the earlier alone knows is kept unless the job ran since. */
export function newerState(one: CronState, other: CronState): CronState {
  const [old, young] = stampOf(other) >= stampOf(one) ? [one, other] : [other, one]
  const known = Object.entries(young).filter(([, value]) => value !== undefined)
  if (stampOf(young) === Number.NEGATIVE_INFINITY) return { ...old, ...Object.fromEntries(known) }
  if (stampOf(old) === Number.NEGATIVE_INFINITY) return young
  return young.lastRunMs === undefined || young.lastRunMs === old.lastRunMs
    ? { ...old, ...Object.fromEntries(known) }
    : young
}

/** When a state was written; a state that says nothing is older than any. */
function stampOf(state: CronState): number {
  return Math.max(
    state.lastRunMs ?? Number.NEGATIVE_INFINITY,
    state.nextRunMs !== undefined || state.lastStatus !== undefined
      ? (state.updatedMs ?? Number.NEGATIVE_INFINITY)
      : Number.NEGATIVE_INFINITY,
  )
}
