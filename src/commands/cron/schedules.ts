import { hash } from 'node:crypto'
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
  const atMs = nextRun(job.schedule, now, { ...job, lastRunMs: lastBegin({ job, runs }) })
  return atMs === undefined ? undefined : { atMs, by: 'schedule' }
}

/** When the job began to run last. */
function lastBegin({ job, runs }: JobWithRuns): number | undefined {
  const last = largest(
    runs.map((run) => timeOfRun(run) ?? 0),
    job.state.lastRunMs ?? 0,
  )
  return last > 0 ? last : undefined
}

/** A job is not overdue before so much time has passed: a run is noted when it ends. */
const GRACE_MS = 15 * 60_000

/** When a run was expected that has not begun. Undefined if the job is disabled, runs now, or is in time. */
export function overdueSince(each: JobWithRuns, now: number): number | undefined {
  const { job, runs } = each
  if (!job.enabled || job.gone || runs[0]?.status === 'running') return undefined
  const last = largest([lastBegin(each) ?? 0], lastOf(each).atMs ?? 0)
  const noted = [job.state.nextRunMs, runs[0]?.nextRunMs].filter((at) => at !== undefined && at > last)
  const since = last > 0 ? last : job.createdMs
  const begun = { ...job, lastRunMs: lastBegin(each) }
  const expected = noted[0] ?? (since === undefined ? undefined : nextRun(job.schedule, since, begun))
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
      return `${expressionWords(schedule.expr)}${delayWords(schedule)}${schedule.tz ? ` (${schedule.tz})` : ''}`
    case 'unknown':
      return `not understood: ${schedule.text}`
    case undefined:
      return 'no schedule'
  }
}

/** Only a delay that somebody chose. The usual one is below five minutes. */
const delayWords = ({ staggerMs = 0 }: { staggerMs?: number }): string =>
  staggerMs > 1 ? `, delayed by up to ${interval(staggerMs).replace(/^(?=\D)/, '1 ')}` : ''

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

/** What a schedule alone does not say of the next run. */
interface Scheduled {
  id?: string
  createdMs?: number | undefined
  lastRunMs?: number | undefined
}

/**
 * The next scheduled time after `now`, by the rules of OpenClaw. Undefined if there is none. An interval
 * counts from the last run, or else from its anchor, which is `createdMs` by default.
 */
export function nextRun(
  schedule: CronSchedule | undefined,
  now: number,
  { id, createdMs, lastRunMs }: Scheduled = {},
): number | undefined {
  switch (schedule?.kind) {
    case 'at':
      return schedule.atMs > now ? schedule.atMs : undefined
    case 'every': {
      const { everyMs, anchorMs = createdMs ?? 0 } = schedule
      const afterLast = lastRunMs !== undefined && lastRunMs >= anchorMs ? lastRunMs + everyMs : 0
      const onGrid =
        anchorMs > now ? anchorMs : anchorMs + (Math.floor((now - anchorMs) / everyMs) + 1) * everyMs
      const next = afterLast > now ? afterLast : onGrid
      return isTime(next) ? next : undefined
    }
    case 'cron': {
      const delayMs = id === undefined ? 0 : delayOf(id, schedule)
      const at = isTime(now) ? nextMatch(schedule, now - delayMs) : undefined
      return at === undefined ? undefined : at + delayMs
    }
  }
  return undefined
}

/** The delay of jobs that run each hour or each few hours at minute 0, if their schedule states none. */
const USUAL_STAGGER_MS = 5 * 60_000

/**
 * How much later than its expression says a job runs, so that not all jobs begin at once. The same each time.
 */
function delayOf(id: string, { expr, staggerMs }: { expr: string; staggerMs?: number }): number {
  const stagger = staggerMs ?? (isHourly(expr) ? USUAL_STAGGER_MS : 0)
  return stagger <= 1 ? 0 : hash('sha256', id, 'buffer').readUInt32BE(0) % stagger
}

function isHourly(expr: string): boolean {
  const fields = expr.trim().split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) return false
  const [hours, ...below] = fields.slice(0, -3).reverse()
  const parts = hours!.split(',')
  const isKnown = parts.every((part) => /^(?:\d+(?:-\d+)?|[*?])(?:\/\d+)?$/.test(part))
  return below.every((field) => field === '0') && isKnown && parts.some((part) => /^[*?]/.test(part))
}

/** How many times of a clock change are passed over at most. A repeated hour has 3600 seconds. */
const PASSED = 4000

/**
 * The next time whose clock shows what the expression says, for the first time. So a run in the hour that is
 * skipped in spring does not happen, and one in the hour that is repeated in autumn happens once.
 */
function nextMatch({ expr, tz }: { expr: string; tz?: string }, now: number): number | undefined {
  const cron = expressionOf(expr, tz)
  let at = cron?.nextRun(new Date(now))
  for (let passed = 0; cron && at && passed < PASSED; passed++) {
    if (cron.match(at) && !isRepeated(at.getTime(), tz)) return at.getTime()
    at = cron.nextRun(at)
  }
  return undefined
}

/** Whether clocks showed this time before, because they were set back in between. */
function isRepeated(at: number, tz: string | undefined): boolean {
  const before = offsetAt(at - DAY, tz)
  const back = before - offsetAt(at, tz)
  return back > 0 && offsetAt(at - back, tz) === before
}

/** How far the clocks of a zone are ahead of UTC at a time, in ms. */
function offsetAt(at: number, tz: string | undefined): number {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' }).format(at)
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(shown) ?? []
  return Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
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
