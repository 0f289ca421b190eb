import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context, Dialog } from '../../context/context.ts'
import { identities, spanOf } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { noticesOf, scannedOf } from '../../context/scanned.ts'
import { among, ScrollbackError } from '../../errors.ts'
import { type CronRun, timeOfRun } from '../../model/cron.ts'
import type { Session } from '../../model/session.ts'
import { joined } from '../../platforms/identities.ts'
import { platforms } from '../../platforms/index.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { cleaner } from '../../selection/read-messages.ts'
import {
  type CronAnswer,
  type CronView,
  type JobJson,
  jobJson,
  jobsText,
  nothingText,
  output,
  runJson,
  runsText,
} from './answer.ts'
import { isFailing, type JobWithRuns, loadCron } from './schedules.ts'

/** The platforms whose clients run scheduled jobs. */
const schedulers = platforms.filter((platform) => platform.cron)

export const cron = defineCommand({
  name: 'cron',
  summary: `list the scheduled jobs of ${joined(
    schedulers.map(({ identity }) => identity.name),
    'and',
  )}: when they run, how they went, what they cost`,
  details:
    'With a job (its id, the beginning of its id, or part of its name) it lists the runs of that job, newest first, each with the id of its ' +
    'transcript. Jobs whose last run failed come first. Phone numbers and addresses are shortened.',
  examples: [
    { command: 'scrollback cron', description: 'list every job, failing ones first' },
    { command: 'scrollback cron "stock check"', description: 'list the runs of a job, by part of its name' },
    { command: 'scrollback cron --failed', description: 'list jobs whose last run failed' },
    {
      command: 'scrollback cron stock --failed --since 30d',
      description: 'list the failed runs of a job in the last 30 days',
    },
    { command: "scrollback cron --json | jq '.jobs[] | select(.failing).name'", description: 'for programs' },
  ],
  input: z.object({
    job: field.text({
      description: 'id of a job, the beginning of its id, or part of its name',
      positional: true,
    }),
    failed: field.flag({ description: 'only jobs whose last run failed; with a job, only runs that failed' }),
    agent: field.text({ description: 'only jobs of this agent', placeholder: 'id' }),
    since: field.time('since', {
      description: 'only runs since this time, and jobs with one: 7d, 2026-01-31',
    }),
    limit: field.count({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
    ...identities,
  }),
  output,
  needs: 'messages',
  run(input, context): CronAnswer {
    const parts = schedulers.map(({ id }) => loadSessions({ platform: id }, context))
    const loaded = {
      ...parts[0]!,
      roots: parts.flatMap(({ roots }) => roots),
      notices: parts.flatMap(({ notices }) => notices),
      sessions: parts.flatMap(({ sessions }) => sessions),
    }
    const book = loadCron(loaded.roots, 'all')
    for (const { path, message } of book.notices) context.note(`${path}: ${message}`, 'partly')
    for (const { path, message } of book.damages) context.note(`${path}: ${message}`)
    const sessions = new Map(loaded.sessions.map((session) => [session.id, session]))
    const { since } = spanOf({ since: input.since }, context)
    const view = viewOf(context, input.identities)
    const limit = input.limit || Number.POSITIVE_INFINITY
    const ofAgent = book.jobs
      .filter(({ job }) => input.agent === undefined || job.agent === input.agent.toLowerCase())
      .map((each) => ({ ...each, runs: each.runs.map((run) => priced(run, sessions)) }))
    const notices = [...loaded.notices, ...book.notices, ...book.damages]
    const rest = {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf({ ...loaded, notices }),
    } as const
    const within = (run: CronRun): boolean => (timeOfRun(run) ?? 0) >= since
    if (input.job !== undefined) {
      const chosen = chooseJob(ofAgent, input.job, view.clean, context)
      const runs = chosen.runs.filter((run) => within(run) && (!input.failed || run.status === 'error'))
      return {
        ...rest,
        total: runs.length,
        jobs: [jobJson(chosen, view)],
        runs: runs.slice(0, limit).map((run) => runJson(run, chosen, sessions, view)),
      }
    }
    const jobs = ofAgent
      .filter((each) => !input.failed || isFailing(each))
      .map((each) => (input.since === undefined ? each : { ...each, runs: each.runs.filter(within) }))
      .filter(
        ({ job, runs }) =>
          input.since === undefined || runs.length > 0 || (job.state.lastRunMs ?? 0) >= since,
      )
      .map((each) => jobJson(each, view))
      .sort(byUse)
    const last = jobs.length === 0 ? lastRunOf(ofAgent, view) : undefined
    return { ...rest, total: jobs.length, jobs: jobs.slice(0, limit), ...(last && { lastRun: last }) }
  },
  isNothing: ({ total }) => total === 0,
  *render(answer, screen) {
    if (answer.runs) yield* runsText(answer, screen)
    else if (answer.jobs.length > 0) yield* jobsText(answer, screen)
    else yield* nothingText(answer, screen)
  },
})

/** The job that ran last, whatever is asked for. */
const lastRunOf = (jobs: readonly JobWithRuns[], view: CronView): CronAnswer['lastRun'] =>
  jobs
    .map((each) => jobJson(each, view))
    .flatMap(({ id, name, last }) => (last?.at ? [{ id, name, at: last.at }] : []))
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))[0]

const viewOf = (context: Context, identities: boolean): CronView => ({
  now: context.now,
  clean: cleaner(context.redact),
  identities,
})

/** Logs seldom state the cost of a run, but its transcript may. A price of zero counts as no price. */
function priced(run: CronRun, sessions: ReadonlyMap<string, Session>): CronRun {
  if (run.sessionId === undefined || run.usage?.cost !== undefined) return run
  const used = sessions.get(run.sessionId)?.usage
  if (!used) return run
  const total = used.input + used.output + used.cacheRead + used.cacheWrite
  const usage = run.usage?.total === undefined && total > 0 ? { ...used, total } : { ...run.usage }
  return { ...run, usage: { ...usage, cost: used.cost || undefined } }
}

/** Failing jobs first, then the next to run, then disabled and at last deleted jobs. */
function byUse(one: JobJson, other: JobJson): number {
  const rank = (job: JobJson): number => (job.failing ? 0 : job.gone ? 3 : job.enabled ? 1 : 2)
  const next = (job: JobJson): string => job.nextRunAt ?? '9'
  const name = (job: JobJson): string => job.name ?? job.id
  return (
    rank(one) - rank(other) ||
    (next(one) < next(other) ? -1 : next(one) > next(other) ? 1 : 0) ||
    (name(one) < name(other) ? -1 : 1)
  )
}

/** How many of several matches are named. */
const NAMED = 8
/** The length of a shortened id, if it is unique. */
const BEGINNING = 8

/** Finds one job by its id, a prefix of it, its name, or a part of the name. `clean` redacts names. */
function chooseJob(
  jobs: readonly JobWithRuns[],
  wanted: string,
  clean: (text: string) => string,
  { suggest }: Pick<Dialog, 'suggest'>,
): JobWithRuns {
  const text = wanted.trim().toLowerCase()
  const matching = (test: (job: JobWithRuns['job']) => boolean) => jobs.filter(({ job }) => test(job))
  const name = (job: JobWithRuns['job']): string => (job.name ?? '').toLowerCase()
  for (const found of [
    matching((job) => job.id === wanted),
    matching((job) => name(job) === text),
    matching((job) => job.id.toLowerCase().startsWith(text) || name(job).includes(text)),
  ]) {
    if (found.length === 1) return found[0]!
    // An existing job wins over deleted ones.
    const living = found.filter(({ job }) => !job.gone)
    if (living.length === 1) return living[0]!
    if (found.length > 1)
      throw among(
        new ScrollbackError(
          'several-jobs',
          `${wanted}: ${found.length} cron jobs match`,
          `Use a longer part of the id or name: ${clean(listed(found))}`,
        ),
        found.map(({ job }) => job.id),
      )
  }
  throw new ScrollbackError(
    'no-job',
    `${wanted}: no such cron job`,
    jobs.length > 0
      ? `Known jobs: ${clean(listed(jobs))}`
      : `No cron jobs found. To see which folders were read: ${suggest('cron')}`,
  )
}

function listed(jobs: readonly JobWithRuns[]): string {
  const begins = new Set(jobs.map(({ job }) => job.id.slice(0, BEGINNING)))
  const named = jobs.slice(0, NAMED).map(({ job }) => {
    const id = begins.size === jobs.length ? job.id.slice(0, BEGINNING) : job.id
    return job.name ? `${id} (${job.name})` : id
  })
  return `${named.join(', ')}${jobs.length > NAMED ? `, and ${jobs.length - NAMED} more` : ''}`
}
