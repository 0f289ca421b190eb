import { ScrollbackError } from '../errors.ts'
import type { JobWithRuns } from './cron-load.ts'

/** How many of several are named. */
const NAMED = 8
/** So much of an id is told where that tells them apart. */
const BEGINNING = 8

/** The one job that is meant: by its id, the beginning of it, its name, or a part of that. `clean` takes secrets out of names. */
export function chooseJob(
  jobs: readonly JobWithRuns[],
  wanted: string,
  clean: (text: string) => string,
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
    // Of several, the one that is still there is meant.
    const living = found.filter(({ job }) => !job.gone)
    if (living.length === 1) return living[0]!
    if (found.length > 1)
      throw new ScrollbackError(
        'several-jobs',
        `${wanted}: ${found.length} cron jobs match`,
        `Name one by more of its id or name: ${clean(listed(found))}`,
      )
  }
  throw new ScrollbackError(
    'no-job',
    `${wanted}: no cron job is called so`,
    jobs.length > 0
      ? `There are: ${clean(listed(jobs))}`
      : 'There is none at all: scrollback cron says where was looked.',
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
