import type { Notice, Root } from '../../model/artifact.ts'
import { type CronJob, type CronReach, type CronRun, timeOfRun } from '../../model/cron.ts'
import { mergeJobs, mergeRuns } from '../../model/cron-merge.ts'
import { platforms } from '../../platforms/index.ts'
import { nextRun } from './words.ts'

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
export interface NextRun {
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

/** Whether the job is enabled and its last run failed. */
export const isFailing = (each: JobWithRuns): boolean =>
  each.job.enabled && !each.job.gone && lastOf(each).status === 'error'

/** The names of the jobs whose last run failed. `clean` redacts them. */
export const failingJobs = (roots: readonly Root[], clean: (text: string) => string): string[] =>
  loadCron(roots, 'last')
    .jobs.filter(isFailing)
    .map(({ job }) => clean(job.name ?? job.id))
    .sort()
