import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import type { Notice, Root } from '../../model/artifact.ts'
import {
  type CronJob,
  type CronReach,
  type CronRun,
  type CronSchedule,
  mergeJobs,
  mergeRuns,
  timeOfRun,
} from '../../model/cron.ts'
import { largest } from '../../model/iteration.ts'
import { LAST_MS } from '../../model/json.ts'
import { platforms } from '../../platforms/index.ts'
import { dated } from '../../render/text.ts'

/** A job with its runs, newest first. */
export interface JobWithRuns {
  job: CronJob
  runs: CronRun[]
}

/** The jobs of all roots without duplicates: an old home may hold a part of what the new one holds. */
export function loadCron(
  roots: readonly Root[],
  reach: CronReach,
): { jobs: JobWithRuns[]; notices: Notice[]; damages: Notice[] } {
  const books = roots
    .filter((root) => root.found)
    .flatMap((root) => platforms.find(({ id }) => id === root.platform)?.cron?.(root, reach) ?? [])
  const runs = Map.groupBy(mergeRuns(books.flatMap((book) => book.runs)), (run) => run.jobId)
  const jobs = mergeJobs(books.map((book) => book.jobs))
  return {
    jobs: jobs.map((job) => ({ job, runs: runs.get(job.id) ?? [] })),
    notices: books.flatMap((book) => book.notices),
    damages: books.flatMap((book) => book.damages),
  }
}

/** The last result of a job: from its log or from the scheduler's state, whichever is newer. */
export function lastOf({ job, runs }: JobWithRuns): { status?: string; atMs?: number; error?: string } {
  const run = runs.find(({ status }) => status !== 'running')
  const { lastRunMs, lastStatus, lastError } = job.state
  const at = run && timeOfRun(run)
  if (run && (lastStatus === undefined || (at ?? 0) >= (lastRunMs ?? 0)))
    return { status: run.status, atMs: at ?? lastRunMs, error: run.error }
  return { status: lastStatus, atMs: lastRunMs, error: lastStatus === 'error' ? lastError : undefined }
}

/** When a job runs next, and the source: the scheduler's state, the log of the last run, or the schedule. */
interface NextRun {
  atMs: number
  by: 'state' | 'last-run' | 'schedule'
}

/** Undefined if the job is disabled or the time is unknown. */
export function nextOf({ job, runs }: JobWithRuns, now: number): NextRun | undefined {
  if (!job.enabled || job.gone) return undefined
  const { nextRunMs, lastRunMs } = job.state
  const lastRun = runs.find((run) => run.nextRunMs !== undefined)
  const isLater = lastRun !== undefined && (timeOfRun(lastRun) ?? 0) > (lastRunMs ?? 0)
  const noted = [
    { atMs: nextRunMs, by: 'state' as const },
    { atMs: lastRun?.nextRunMs, by: 'last-run' as const },
  ]
  for (const { atMs, by } of isLater ? noted.reverse() : noted)
    if (atMs !== undefined && atMs > now) return { atMs, by }
  const atMs = nextRun(job.schedule, now, job.createdMs)
  return atMs === undefined ? undefined : { atMs, by: 'schedule' }
}

/** A job is not overdue before so much time has passed: a run is noted when it ends. */
const GRACE_MS = 15 * 60_000

/** When a run was expected that has not begun. Undefined if the job is disabled, runs now, or is in time. */
export function overdueSince(each: JobWithRuns, now: number): number | undefined {
  const { job, runs } = each
  if (!job.enabled || job.gone || runs[0]?.status === 'running') return undefined
  const last = largest(
    runs.map((run) => timeOfRun(run) ?? 0),
    lastOf(each).atMs ?? 0,
  )
  const noted = [job.state.nextRunMs, runs[0]?.nextRunMs].filter((at) => at !== undefined && at > last)
  const since = last > 0 ? last : job.createdMs
  const expected = noted[0] ?? (since === undefined ? undefined : nextRun(job.schedule, since, job.createdMs))
  return expected !== undefined && expected < now - GRACE_MS ? expected : undefined
}

/** Whether the job is enabled and its last run failed. */
export const isFailing = (each: JobWithRuns): boolean =>
  each.job.enabled && !each.job.gone && lastOf(each).status === 'error'

/** The names of the jobs whose last run failed. `clean` redacts them. */
export const failingJobs = (roots: readonly Root[], clean: (text: string) => string): string[] =>
  loadCron(roots, 'last')
    .jobs.filter(isFailing)
    .map(({ job }) => clean(job.name ?? job.id))
    .sort()

const DAY = 86_400_000
const UNITS = [
  [7 * DAY, 'week'],
  [DAY, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
] as const
/** The longest expression that is parsed. */
const LONGEST = 200
/** How many runs are counted at most. Each takes about 0.05 ms. */
const COUNTED = 500

/**
 * A schedule in words: `every 15 minutes`, `at 07:30 on weekdays (Europe/Berlin)`, `once on 2026-11-20
 * 08:00`.
 */
export function scheduleWords(schedule: CronSchedule | undefined): string {
  switch (schedule?.kind) {
    case 'at':
      return `once on ${dated(schedule.atMs)}`
    case 'every':
      return `every ${interval(schedule.everyMs)}`
    case 'cron':
      return `${expressionWords(schedule.expr)}${schedule.tz ? ` (${schedule.tz})` : ''}`
    case 'unknown':
      return `not understood: ${schedule.text}`
    case undefined:
      return 'no schedule'
  }
}

function interval(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms >= each && ms % each === 0) ?? UNITS.at(-1)!
  const count = ms / size
  return count === 1 ? unit : `${count} ${unit}s`
}

function expressionWords(expr: string): string {
  if (expr.length > LONGEST) return 'not understood: an expression of great length'
  let words: string
  try {
    words = cronstrue.toString(expr, { use24HourTimeFormat: true, verbose: false })
  } catch {
    return `not understood: ${expr}`
  }
  const plain = `${words[0]!.toLowerCase()}${words.slice(1)}`
    .replace(/^on the hour, every/, 'every')
    .replace(/,? only on Sunday and Saturday/, ' at weekends')
    .replace(/,? Monday through Friday/, ' on weekdays')
    .replace(/,? only on /, ' on ')
    .replace(/, on (?=day|the)/, ' on ')
  return /^at [\d:, and]+$/.test(plain) ? `${plain} every day` : plain
}

/**
 * The next scheduled time after `now`. Undefined if there is none. An interval without an anchor starts at
 * `createdMs`.
 */
export function nextRun(
  schedule: CronSchedule | undefined,
  now: number,
  createdMs?: number,
): number | undefined {
  switch (schedule?.kind) {
    case 'at':
      return schedule.atMs > now ? schedule.atMs : undefined
    case 'every': {
      const { everyMs, anchorMs = createdMs ?? 0 } = schedule
      const next =
        anchorMs > now ? anchorMs : anchorMs + (Math.floor((now - anchorMs) / everyMs) + 1) * everyMs
      return isTime(next) ? next : undefined
    }
    case 'cron':
      return isTime(now)
        ? expressionOf(schedule.expr, schedule.tz)?.nextRun(new Date(now))?.getTime()
        : undefined
  }
  return undefined
}

/** Runs per day in the coming week. Undefined if unknown. */
export function runsPerDay(schedule: CronSchedule | undefined, now: number): number | undefined {
  if (schedule?.kind === 'every') return finite(DAY / schedule.everyMs)
  if (schedule?.kind !== 'cron') return undefined
  const cron = expressionOf(schedule.expr, schedule.tz)
  if (!cron) return undefined
  const end = now + 7 * DAY
  let count = 0
  let last = now
  for (let at = cron.nextRun(new Date(now)); at && count < COUNTED; at = cron.nextRun(at)) {
    if (at.getTime() > end) return count / 7
    last = at.getTime()
    count++
  }
  return count < COUNTED ? count / 7 : count / ((last - now) / DAY)
}

function expressionOf(expr: string, tz: string | undefined): Cron | undefined {
  if (expr.length > LONGEST) return undefined
  try {
    const cron = new Cron(expr, { timezone: tz, paused: true })
    // An unknown time zone only throws when it is first used.
    cron.nextRun()
    return cron
  } catch {
    return undefined
  }
}

const finite = (count: number): number | undefined => (Number.isFinite(count) ? count : undefined)

const isTime = (ms: number): boolean => Number.isFinite(ms) && Math.abs(ms) < LAST_MS
