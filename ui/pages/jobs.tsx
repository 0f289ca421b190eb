import { ask, type Job, type JobRun, type JobsAnswer } from '../api/ask.ts'
import { type Asked, useAnswer } from '../api/use-answer.ts'
import { Awaited, Empty } from '../parts/notice.tsx'
import { Page, Section, Time } from '../parts/page.tsx'
import { Status, Table } from '../parts/table.tsx'
import { query, sessionAddress } from '../state/router.ts'
import { brief, count, counted, dollars, modelName, percent } from '../text/format.ts'
import {
  age,
  distance,
  duration,
  isSameDay,
  onClock,
  readerZone,
  serverNow,
  timeOfDay,
  when,
} from '../text/times.ts'

const MOST_RUNS = 200

const stateOf = (job: Job): { state: string; words: string } =>
  job.gone
    ? { state: 'off', words: 'deleted' }
    : job.failing
      ? {
          state: 'failed',
          words: job.consecutiveErrors
            ? `failed ${job.consecutiveErrors === 1 ? 'once' : `${job.consecutiveErrors} times`}`
            : 'failing',
        }
      : !job.enabled
        ? { state: 'off', words: 'switched off' }
        : job.overdueSince
          ? {
              state: 'warning',
              words:
                job.schedule.kind === 'at'
                  ? `missed ${when(Date.parse(job.overdueSince))}`
                  : `overdue since ${when(Date.parse(job.overdueSince))}`,
            }
          : job.last
            ? { state: 'ok', words: 'works' }
            : { state: 'off', words: 'not run yet' }

export function Jobs() {
  const chosen = query('job')
  const asked = useAnswer(ask('cron'), { live: 10_000, keep: true })
  const runs = useAnswer(chosen === '' ? undefined : ask('cron', { job: chosen, limit: MOST_RUNS }))
  const name = runs.answer?.jobs[0]?.name ?? undefined
  const failing = asked.answer?.jobs.filter((job) => job.failing).length ?? 0
  return (
    <Page
      title="Jobs"
      subtitle={
        asked.answer
          ? `${count(asked.answer.jobs.length)} scheduled${failing > 0 ? `, ${failing} failing` : ''}`
          : ' '
      }
    >
      <Awaited asked={asked} what="The jobs">
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty title="No scheduled jobs">Jobs that an agent runs on a schedule appear here.</Empty>
          ) : (
            <Table
              label="Jobs"
              stacked
              columns={['Job', 'State', 'Last run', 'Next run', 'Success', 'Duration', 'Per day']}
              numbers={['Success', 'Duration', 'Per day']}
            >
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} />
              ))}
            </Table>
          )
        }
      </Awaited>
      {/* Below the jobs, which would move it if they came later. */}
      {chosen !== '' && (asked.answer || asked.failure) && (
        <Section title={`Runs${name === undefined ? '' : ` of ${name}`}`} more={<a href="/jobs">Close</a>}>
          {runs.failure?.status === 404 ? (
            <Empty title="There is no such job">It may have been deleted. Choose another one.</Empty>
          ) : (
            <Runs asked={runs} />
          )}
        </Section>
      )}
    </Page>
  )
}

/** When something is due, on the clock of the reader. */
const upcoming = (at: number): string =>
  isSameDay(at, serverNow()) ? `today ${timeOfDay(at)}` : distance(at)

/** Runs a day in words; rare ones by the days between them. */
const often = (perDay: number): string =>
  perDay >= 0.75
    ? counted(Math.round(perDay), 'run')
    : perDay > 0
      ? `every ${Math.round(1 / perDay)} days`
      : 'never'

/** When a job runs. Its zone is named only where its clock is not the reader's. */
const scheduleOf = ({ schedule: { words, tz } }: Job): string =>
  onClock(tz === readerZone() ? words.replace(` (${tz})`, '') : words)

function JobRow({ job }: { job: Job }) {
  const { state, words } = stateOf(job)
  const { runs, tokens, cost } = job.perDay
  return (
    <tr>
      <th scope="row">
        <a href={`/jobs?job=${encodeURIComponent(job.id)}`} dir="auto">
          {job.name ?? job.id}
        </a>
        <p class="note" dir="auto">
          {`${scheduleOf(job)} · ${job.agent}`}
        </p>
        {job.last?.error && (
          <p class="error-words" dir="auto">
            {job.last.error}
          </p>
        )}
      </th>
      <td data-label="State">
        <Status state={state} words={words} />
      </td>
      <td data-label="Last run">
        <Time at={job.last?.at} text={age} />
      </td>
      <td data-label="Next run">
        <Time at={job.nextRunAt} text={upcoming} />
      </td>
      <td class="right" data-label="Success">
        {job.successRate === null ? '–' : percent(job.successRate)}
      </td>
      <td class="right" data-label="Duration">
        {job.averageDurationMs === null ? '–' : duration(job.averageDurationMs)}
      </td>
      <td class="right" data-label="Per day">
        {runs === null ? '–' : often(runs)}
        {tokens !== null && <p class="note">{`${brief(tokens)} tokens`}</p>}
        {cost !== null && <p class="note">{dollars(cost)}</p>}
      </td>
    </tr>
  )
}

const STATES: Record<string, string> = { ok: 'ok', error: 'failed', running: 'warning' }

/** The runs of one job, newest first. */
function Runs({ asked }: { asked: Asked<JobsAnswer> }) {
  return (
    <Awaited asked={asked} what="The runs">
      {({ jobs, runs = [] }) => (
        <>
          {jobs[0]?.does?.text && (
            <p class="job-does" dir="auto">
              {jobs[0].does.text}
            </p>
          )}
          {runs.length === 0 ? (
            <Empty title="No runs">This job has not run yet, or its log is gone.</Empty>
          ) : (
            <Table
              label="Runs"
              stacked
              columns={['Started', 'Result', 'Said', 'Took', 'Tokens', 'Model']}
              numbers={['Took', 'Tokens']}
            >
              {runs.map((run, index) => (
                <RunRow key={`${run.at} ${index}`} run={run} />
              ))}
            </Table>
          )}
        </>
      )}
    </Awaited>
  )
}

function RunRow({ run }: { run: JobRun }) {
  return (
    <tr>
      <th scope="row">
        {run.session && run.readable ? (
          <a class="link" href={sessionAddress(run.session)}>
            <Time at={run.at} />
          </a>
        ) : (
          <Time at={run.at} />
        )}
      </th>
      <td data-label="Result">
        <Status state={STATES[run.status ?? ''] ?? 'off'} words={run.status ?? 'unknown'} />
      </td>
      <td dir="auto" class={`whole breakable ${run.error ? 'error-words' : ''}`} data-label="Said">
        {run.error ?? run.summary ?? ''}
      </td>
      <td class="right" data-label="Took">
        {run.durationMs === null ? '–' : duration(run.durationMs)}
      </td>
      <td class="right" data-label="Tokens">
        {run.tokens?.total == null ? '–' : brief(run.tokens.total)}
      </td>
      <td data-label="Model">{run.model ? modelName(run.model) : ''}</td>
    </tr>
  )
}
