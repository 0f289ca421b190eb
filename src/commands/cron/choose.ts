import { among, ScrollbackError } from '../../errors.ts'
import type { Dialog } from '../kit/context.ts'
import type { JobWithRuns } from '../kit/schedules.ts'

/** How many of several matches are named. */
const NAMED = 8
/** The length of a shortened id, if it is unique. */
const BEGINNING = 8

/** Finds one job by its id, a prefix of it, its name, or a part of the name. `clean` redacts names. */
export function chooseJob(
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
