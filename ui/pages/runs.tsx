import { useState } from 'preact/hooks'
import { type AnswerTo, ask } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Check, ShowAll } from '../parts/controls.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { Page, Time } from '../parts/page.tsx'
import { Status, Table } from '../parts/table.tsx'
import { query, sessionAddress, setQuery } from '../state/router.ts'
import { count, counted, modelName } from '../text/format.ts'
import { age, duration } from '../text/times.ts'

type Run = AnswerTo<'runs'>['runs'][number]

const FIRST = 100

/** What agents started other agents for. */
export function Runs() {
  const [all, setAll] = useState(false)
  const failed = query('failed') === 'true'
  const asked = useAnswer(ask('runs', { all: true, failed, limit: all ? 0 : FIRST }), {
    live: 10_000,
    keep: true,
  })
  return (
    <Page
      title="Subagents"
      subtitle={asked.answer ? counted(asked.answer.total, 'run') : ' '}
      actions={<Check label="Failed" on={failed} onChange={(on) => setQuery({ failed: on ? 'true' : '' })} />}
    >
      <Awaited asked={asked} what="The runs">
        {({ runs, total }) =>
          total === 0 ? (
            <Empty title={failed ? 'No subagent is recorded as failed' : 'No subagents yet'}>
              What an agent starts another agent for appears here.
            </Empty>
          ) : (
            <>
              <Table
                label="Subagents"
                stacked
                columns={['Task', 'Result', 'Started', 'Took', 'Calls', 'Model']}
                numbers={['Took', 'Calls']}
              >
                {runs.map((run) => (
                  <RunRow key={`${run.path} ${run.id}`} run={run} />
                ))}
              </Table>
              {total > FIRST && <ShowAll total={total} all={all} setAll={setAll} />}
            </>
          )
        }
      </Awaited>
    </Page>
  )
}

/** Where a run can be read: its own session, or the place in its parent that started it. */
const addressOf = ({ child, parent }: Run): string | undefined =>
  child ? sessionAddress(child.session) : parent ? startOf(parent) : undefined

const startOf = ({ session, line }: NonNullable<Run['parent']>): string =>
  sessionAddress(session, line ?? undefined)

/** How long a task may be in a table. Its own session has all of it. */
const MOST_LETTERS = 160

function RunRow({ run }: { run: Run }) {
  const name = run.label ?? run.task?.slice(0, MOST_LETTERS).toWellFormed() ?? run.id
  const address = addressOf(run)
  const isFine = run.status === null || run.status === 'ok'
  return (
    <tr>
      <th scope="row">
        <span class="with-badge">
          <AgentBadge platform={run.platform} agent={run.agent} />
          <span>
            {address ? (
              <a href={address} dir="auto">
                {name}
              </a>
            ) : (
              <span dir="auto">{name}</span>
            )}
            <span class="note run-facts">
              {run.type && <span dir="auto">{run.type}</span>}
              {run.parent && (
                <a class="link" href={startOf(run.parent)}>
                  where it was started
                </a>
              )}
            </span>
          </span>
        </span>
        {run.error && (
          <p class="error-words" dir="auto">
            {run.error}
          </p>
        )}
      </th>
      <td data-label="Result">
        <Status
          state={isFine ? (run.status === null ? 'off' : 'ok') : 'failed'}
          words={run.status ?? 'not recorded'}
        />
      </td>
      <td data-label="Started">
        <Time at={run.startedAt} text={age} />
      </td>
      <td class="right" data-label="Took">
        {run.durationMs === null ? '–' : duration(run.durationMs)}
      </td>
      <td class="right" data-label="Calls">
        {run.toolCalls === null ? '–' : count(run.toolCalls)}
      </td>
      <td data-label="Model">{run.model ? modelName(run.model) : ''}</td>
    </tr>
  )
}
