import { useState } from 'preact/hooks'
import type { StatsAnswer } from '../api/ask.ts'
import { ShowAll } from '../parts/controls.tsx'
import { Empty } from '../parts/notice.tsx'
import { projectAddress } from '../state/router.ts'
import { dollars } from '../text/format.ts'
import { byModel } from './stats-data.ts'

const MOST = 10

/** What projects cost, each bar divided by model. Sessions without a project have no page of their own. */
export function ProjectCosts({ rows: all }: Pick<StatsAnswer, 'rows'>) {
  const [isAll, setAll] = useState(false)
  const rows = all
    .filter(({ cost }) => cost !== null && cost > 0)
    .toSorted((one, other) => (other.cost ?? 0) - (one.cost ?? 0))
  const { series, columns } = byModel(rows, 'cost')
  const { unpriced } = byModel(all, 'cost')
  const most = Math.max(...rows.map(({ cost }) => cost ?? 0), 0) || 1
  const totals = series.map((_, index) => columns.reduce((sum, { parts }) => sum + parts[index]!, 0))
  if (rows.length === 0)
    return (
      <>
        <Empty title="No costs">Replies of models with a known price appear here.</Empty>
        <Unpriced models={unpriced} />
      </>
    )
  return (
    <>
      <ul class="bars">
        {columns.slice(0, isAll ? undefined : MOST).map(({ name, parts }, row) => (
          <li class="bar-row" key={name}>
            <span class="bar-name" dir="auto" title={name}>
              {name.startsWith('(') ? name : <a href={projectAddress(name)}>{name}</a>}
            </span>
            <span class="bar-track bar-stack">
              {parts.map((part, index) =>
                part > 0 ? (
                  <span
                    key={series[index]}
                    class={`s${Math.min(index + 1, 6)}`}
                    style={{ width: `${(part / most) * 100}%` }}
                    title={`${series[index]}: ${dollars(part)}`}
                  />
                ) : null,
              )}
            </span>
            <span class="bar-value">{dollars(rows[row]!.cost)}</span>
          </li>
        ))}
      </ul>
      <ul class="legend">
        {series.map((name, index) => (
          <li key={name}>
            <span class={`swatch s${Math.min(index + 1, 6)}`} aria-hidden="true" />
            <span dir="auto">{name}</span>
            <span class="note">{dollars(totals[index])}</span>
          </li>
        ))}
      </ul>
      <Unpriced models={unpriced} />
      {rows.length > MOST && <ShowAll total={rows.length} all={isAll} setAll={setAll} />}
    </>
  )
}

/** Names the models that costs leave out. */
export const Unpriced = ({ models }: { models: readonly string[] }) =>
  models.length === 0 ? null : (
    <p class="note" dir="auto">{`Not in these costs, because no price is known: ${models.join(', ')}`}</p>
  )
