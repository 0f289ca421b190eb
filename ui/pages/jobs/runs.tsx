import type { JobRun, Jobs } from '../../api/shapes.ts'
import type { Asked } from '../../api/use-answer.ts'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { sessionAddress } from '../../state/router.ts'
import { brief } from '../../text/figures.ts'
import { modelName } from '../../text/names.ts'
import { duration } from '../../text/times.ts'

const STATES: Record<string, string> = { ok: 'ok', error: 'failed', running: 'warning' }

/** The runs of one job, newest first. */
export function Runs({ asked }: { asked: Asked<Jobs> }) {
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
            <div class="table-holder" tabIndex={0} role="region" aria-label="Runs">
              <table class="data">
                <thead>
                  <tr>
                    <th scope="col">Started</th>
                    <th scope="col">Result</th>
                    <th scope="col">Said</th>
                    <th scope="col" class="right">
                      Took
                    </th>
                    <th scope="col" class="right">
                      Tokens
                    </th>
                    <th scope="col">Model</th>
                  </tr>
                </thead>
                <tbody>
                  {runs.map((run, index) => (
                    <RunRow key={`${run.at} ${index}`} run={run} />
                  ))}
                </tbody>
              </table>
            </div>
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
      <td>
        <span class="status" data-state={STATES[run.status ?? ''] ?? 'off'}>
          {run.status ?? 'unknown'}
        </span>
      </td>
      <td dir="auto" class={run.error ? 'error-words breakable' : 'breakable'}>
        {run.error ?? run.summary ?? ''}
      </td>
      <td class="right">{run.durationMs === null ? '–' : duration(run.durationMs)}</td>
      <td class="right">{run.tokens?.total == null ? '–' : brief(run.tokens.total)}</td>
      <td>{run.model ? modelName(run.model) : ''}</td>
    </tr>
  )
}
