import { type CronJob, type CronRun, timeOfRun } from '../../model/cron.ts'
import { runsPerDay } from '../kit/schedules.ts'

const DAY = 86_400_000

/** Sums over the runs of a job; null if unknown. */
interface CronFigures {
  runs: number
  ok: number
  failed: number
  skipped: number
  /** 0 to 1, of the runs that ended in success or in an error. */
  successRate: number | null
  averageDurationMs: number | null
  perDay: { runs: number | null; tokens: number | null; cost: number | null }
}

/** Sums the runs of one job, newest first. Runs without token counts or a cost are left out of those sums. */
export function figuresOf(job: CronJob, runs: readonly CronRun[], now: number): CronFigures {
  const of = (status: string): number => runs.filter((run) => run.status === status).length
  const [ok, failed] = [of('ok'), of('error')]
  const worked = runs.filter((run) => run.status !== 'skipped' && run.status !== 'running')
  const perDay = rateOf(job, runs, now)
  const daily = (each: number | null): number | null =>
    each === null || perDay === null ? null : each * perDay
  return {
    runs: runs.length,
    ok,
    failed,
    skipped: of('skipped'),
    successRate: ok + failed === 0 ? null : ok / (ok + failed),
    averageDurationMs: average(worked.map((run) => run.durationMs)),
    perDay: {
      runs: perDay,
      tokens: daily(average(worked.map((run) => run.usage?.total))),
      cost: daily(average(worked.map((run) => run.usage?.cost))),
    },
  }
}

/** Observed runs per day. A job that ran once, or only within one day, is estimated by its schedule. */
function rateOf(job: CronJob, runs: readonly CronRun[], now: number): number | null {
  if (job.schedule?.kind === 'at') return null
  const times = runs.flatMap((run) => timeOfRun(run) ?? [])
  const span = times.length > 1 ? times[0]! - times.at(-1)! : 0
  if (span >= DAY) return (times.length - 1) / (span / DAY)
  return runsPerDay(job.schedule, now) ?? null
}

function average(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each) / known.length
}
