import type { StatsAnswer, StatsRow } from '../../api/shapes.ts'
import { projectAddress, sessionAddress } from '../../state/router.ts'
import { brief, count, dollars } from '../../text/figures.ts'
import { dateOf } from '../../text/times.ts'

/** The address that a row leads to, if there is one. */
function addressOf(by: string, row: StatsRow): string | undefined {
  if (by === 'session') return sessionAddress(row.key)
  if (by === 'project') return projectAddress(row.key)
  if (by === 'day') return `/sessions?since=${row.key}&until=${row.key}`
  if (by === 'model') return `/sessions?model=${encodeURIComponent(row.key)}`
  if (by === 'agent') return `/sessions?agent=${encodeURIComponent(row.key)}`
  if (by === 'platform') return `/sessions?platform=${encodeURIComponent(row.key)}`
  return undefined
}

const nameOf = (by: string, row: StatsRow): string =>
  row.title ??
  (by === 'block' && row.block ? dateOf(Date.parse(row.block.startsAt)) + row.key.slice(10, 16) : row.key)

export function StatsTable({ answer }: { answer: StatsAnswer }) {
  const { by, rows } = answer
  const newestFirst = ['day', 'week', 'month', 'block'].includes(by) ? rows.toReversed() : rows
  const isTool = by === 'tool'
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label="In figures">
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{`${by.charAt(0).toUpperCase()}${by.slice(1)}`}</th>
            {[
              'Sessions',
              'You',
              'Agent',
              'Calls',
              'Errors',
              ...(isTool ? [] : ['Input', 'Cache', 'Output', 'Cost']),
            ].map((name) => (
              <th scope="col" class="right" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newestFirst.map((row) => {
            const address = addressOf(by, row)
            return (
              <tr key={row.key}>
                <th scope="row" dir="auto">
                  {address ? <a href={address}>{nameOf(by, row)}</a> : nameOf(by, row)}
                </th>
                <td class="right">{figure(row.sessions, count)}</td>
                <td class="right">{figure(row.messages?.human, count)}</td>
                <td class="right">{figure(row.messages?.agent, count)}</td>
                <td class="right">{figure(row.toolCalls, count)}</td>
                <td class="right">{figure(row.errors, count)}</td>
                {!isTool && (
                  <>
                    <td class="right">{figure(row.inputTokens, brief)}</td>
                    <td class="right">
                      {figure((row.cacheReadTokens ?? 0) + (row.cacheCreationTokens ?? 0), brief)}
                    </td>
                    <td class="right">{figure(row.outputTokens, brief)}</td>
                    <td class="right">{dollars(row.cost)}</td>
                  </>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
      {answer.rowsTotal > rows.length && (
        <p class="note">{`${rows.length} of ${count(answer.rowsTotal)} rows`}</p>
      )}
    </div>
  )
}

/** Rows of some kinds have no such figure. */
const figure = (value: number | undefined | null, shown: (value: number) => string): string =>
  value === undefined || value === null ? '' : shown(value)
