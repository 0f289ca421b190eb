import { useEffect, useState } from 'preact/hooks'
import type { ParametersOf } from '../../api/ask.ts'
import { stated } from '../../api/stated.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { Awaited } from '../../parts/notice.tsx'
import { Check, Select } from '../../parts/select.tsx'
import { Section } from '../../shell/page.tsx'
import { query, setQuery } from '../../state/router.ts'
import { count } from '../../text/figures.ts'
import { statsAddress } from './address.ts'
import { DIMENSIONS, dimensionOf } from './dimensions.ts'
import { Pace } from './pace.tsx'
import { StatsTable } from './table.tsx'

/** More rows are shown on request. */
const FIRST = 100

const BY = DIMENSIONS.map(({ value, label }) => ({ value: value === 'day' ? '' : value, label }))

/** The sums by day, model, project or something else, as far as they are shown. */
export function useFigures(scope: ParametersOf<'stats'>) {
  const by = query('by') || 'day'
  const dimension = dimensionOf(by)
  const order = query('order')
  const withModels = query('breakdown') === 'true' && !dimension?.withoutModels
  const [limit, setLimit] = useState(FIRST)
  useEffect(() => setLimit(FIRST), [by])
  const rows = useAnswer(
    statsAddress({
      ...{ by: 'day', order: 'desc', limit, breakdown: withModels },
      ...stated<'stats'>(['by', 'order']),
      ...scope,
    }),
    { keep: true },
  )
  return { rows, dimension, order, withModels, showAll: () => setLimit(0) }
}

export function InFigures({ rows, dimension, order, withModels, showAll }: ReturnType<typeof useFigures>) {
  return (
    <Section
      title="In figures"
      more={
        <div class="figures-controls">
          <Select label="By" value={query('by')} options={BY} onChange={(by) => setQuery({ by })} />
          <Select
            label="Order"
            value={order}
            options={
              dimension?.isTime
                ? [
                    { value: '', label: 'Newest first' },
                    { value: 'asc', label: 'Oldest first' },
                  ]
                : [
                    { value: '', label: 'Highest cost first' },
                    { value: 'asc', label: 'Lowest cost first' },
                  ]
            }
            onChange={(order) => setQuery({ order })}
          />
          {dimension && !dimension.withoutModels && (
            <Check
              label="Models of each row"
              on={withModels}
              onChange={(on) => setQuery({ breakdown: on ? 'true' : '' })}
            />
          )}
        </div>
      }
    >
      <Awaited asked={rows} what="The table">
        {(answer) => (
          <>
            {answer.by === 'block' && <Pace rows={answer.rows} />}
            <StatsTable answer={answer} />
            {answer.rowsTotal > answer.rows.length && (
              <p class="more-rows">
                <Button label={`Show all ${count(answer.rowsTotal)} rows`} onClick={showAll} />
              </p>
            )}
          </>
        )}
      </Awaited>
    </Section>
  )
}
