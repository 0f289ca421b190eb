import { ScrollbackError } from '../errors.ts'
import type { JobWithRuns } from './cron-load.ts'

/** How many of several are named. */
const NAMED = 8

/** The one job that is meant: by its id, the beginning of it, its name, or a part of that. */
export function chooseJob(jobs: readonly JobWithRuns[], wanted: string): JobWithRuns {
  const text = wanted.trim().toLowerCase()
  const matching = (test: (job: JobWithRuns['job']) => boolean) => jobs.filter(({ job }) => test(job))
  const name = (job: JobWithRuns['job']): string => (job.name ?? '').toLowerCase()
  for (const found of [
    matching((job) => job.id === wanted),
    matching((job) => name(job) === text),
    matching((job) => job.id.toLowerCase().startsWith(text) || name(job).includes(text)),
  ]) {
    if (found.length === 1) return found[0]!
    // Of several, those that still run are meant.
    const living = found.filter(({ job }) => !job.gone)
    if (living.length === 1) return living[0]!
    if (found.length > 1) throw several(wanted, found)
  }
  throw new ScrollbackError(
    'no-job',
    `${wanted}: no cron job is called so`,
    jobs.length > 0
      ? `There are: ${listed(jobs)}`
      : 'There is none at all: scrollback cron says where was looked.',
  )
}

const several = (wanted: string, found: readonly JobWithRuns[]): ScrollbackError =>
  new ScrollbackError(
    'several-jobs',
    `${wanted}: ${found.length} cron jobs match`,
    `Name one by more of its id or name: ${listed(found)}`,
  )

function listed(jobs: readonly JobWithRuns[]): string {
  const named = jobs
    .slice(0, NAMED)
    .map(({ job }) => `${job.id.slice(0, 13)}${job.name ? ` (${job.name})` : ''}`)
  return `${named.join(', ')}${jobs.length > NAMED ? `, and ${jobs.length - NAMED} more` : ''}`
}
