import * as z from 'zod/mini'
import { type CronRun, timeOfRun } from '../model/cron.ts'
import type { Session } from '../model/session.ts'
import { type Context, defineCommand } from './command.ts'
import { chooseJob } from './cron-choose.ts'
import { type CronView, cronShapes, type JobJson, jobJson, runJson } from './cron-json.ts'
import { isFailing, loadCron } from './cron-load.ts'
import { jobsText, nothingText, runsText } from './cron-text.ts'
import { field } from './fields.ts'
import { loadSessions } from './load.ts'
import { identities, spanOf } from './options.ts'
import { cleaner } from './read-job.ts'
import { noticesOf, noticesShape, scannedOf, scannedShape } from './scanned.ts'

const output = () => {
  const { job, run } = cronShapes()
  return z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    jobs: z.array(job),
    runs: z.optional(z.array(run)),
  })
}

export type CronAnswer = z.output<ReturnType<typeof output>>

export const cron = defineCommand({
  name: 'cron',
  summary: 'scheduled jobs of OpenClaw: when they run, how they went, what they cost',
  details:
    'With a job (its id, the beginning of it, or a part of its name) its runs, the newest first, each with the id of its own ' +
    'transcript. Jobs whose last run failed come first. Numbers and addresses of people are shortened.',
  examples: [
    { command: 'scrollback cron', tells: 'every job, those that fail first' },
    { command: 'scrollback cron "stock check"', tells: 'the runs of one, by a part of its name' },
    { command: 'scrollback cron --failed', tells: 'jobs whose last run failed' },
    { command: 'scrollback cron stock --failed --since 30d', tells: 'the failed runs of one, last month' },
    { command: "scrollback cron --json | jq '.jobs[] | select(.failing).name'", tells: 'for programs' },
  ],
  input: z.object({
    job: field.text({ description: 'id of a job, its beginning, or a part of its name', positional: true }),
    failed: field.flag({ description: 'only jobs whose last run failed; with a job, only runs that failed' }),
    agent: field.text({ description: 'only jobs of this agent', placeholder: 'id' }),
    since: field.text({
      description: 'only runs since, and jobs that ran: 7d, 2026-01-31',
      placeholder: 'time',
    }),
    limit: field.count({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
    ...identities,
  }),
  output,
  run(input, context): CronAnswer {
    const loaded = loadSessions({ platform: 'openclaw' }, context)
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
      const chosen = chooseJob(ofAgent, input.job, view.clean)
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
    return { ...rest, total: jobs.length, jobs: jobs.slice(0, limit) }
  },
  *render(answer, screen) {
    if (answer.runs) yield* runsText(answer, screen)
    else if (answer.jobs.length > 0) yield* jobsText(answer, screen)
    else yield* nothingText(answer, screen)
  },
})

const viewOf = (context: Context, identities: boolean): CronView => ({
  now: context.now,
  clean: cleaner(context.redact),
  identities,
})

/** Logs seldom state what a run cost; its transcript may. A price of nothing is no price. */
function priced(run: CronRun, sessions: ReadonlyMap<string, Session>): CronRun {
  if (run.sessionId === undefined || run.usage?.cost !== undefined) return run
  const used = sessions.get(run.sessionId)?.usage
  if (!used) return run
  const total = used.input + used.output + used.cacheRead + used.cacheWrite
  const usage = run.usage?.total === undefined && total > 0 ? { ...used, total } : { ...run.usage }
  return { ...run, usage: { ...usage, cost: used.cost || undefined } }
}

/** What fails first, then what runs next, then what is off, and last what is gone. */
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
