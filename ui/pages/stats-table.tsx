import { useEffect, useState } from 'preact/hooks'
import type { ParametersOf, StatsAnswer, StatsRow } from '../api/ask.ts'
import { stated, useAnswer } from '../api/use-answer.ts'
import { type Figure, FigureList } from '../parts/charts.tsx'
import { Button, Check, Select } from '../parts/controls.tsx'
import { Awaited } from '../parts/notice.tsx'
import { Section } from '../parts/page.tsx'
import { query, setQuery } from '../state/router.ts'
import { brief, count, dollars, modelName } from '../text/format.ts'
import { duration } from '../text/times.ts'
import { DIMENSIONS, type Dimension, dimensionOf, statsAddress } from './stats-dimensions.ts'

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
      by: 'day',
      order: 'desc',
      limit,
      breakdown: withModels,
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

type Sums = StatsAnswer['rowsSum']
type Part = NonNullable<StatsRow['models']>[number]

interface Column {
  title: string
  of(sums: Sums): string
  /** The same for a model within a row, if it has that figure. */
  ofModel?(part: Part): string
}

/** Zero is no news, and an empty cell is quicker to read. */
const some = (value: number, shown: (value: number) => string): string => (value === 0 ? '' : shown(value))

type Tokens = Pick<
  Part,
  'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cacheReadTokens' | 'cacheCreationTokens' | 'cost'
>

const usage = (title: string, shown: (tokens: Tokens) => string): Column => ({
  title,
  of: shown,
  ofModel: shown,
})

/** The figures that rows of this kind have. Few agents record reasoning. */
function columnsOf({ value, withoutTalk, withoutUsage }: Dimension, withReasoning: boolean): Column[] {
  const plain = (title: string, of: (sums: Sums) => number): Column => ({
    title,
    of: (sums) => some(of(sums), count),
  })
  return [
    ...(value === 'session' ? [] : [plain('Sessions', ({ sessions }) => sessions)]),
    ...(withoutTalk || withoutUsage ? [] : [plain('You', ({ messages }) => messages.human)]),
    ...(withoutUsage
      ? []
      : [
          {
            ...plain('Agent', ({ messages }) => messages.agent),
            ofModel: ({ replies }: Part) => some(replies, count),
          },
        ]),
    ...(withoutTalk
      ? []
      : [plain('Calls', ({ toolCalls }) => toolCalls), plain('Errors', ({ errors }) => errors)]),
    ...(withoutUsage
      ? []
      : [
          usage('Input', ({ inputTokens }) => some(inputTokens, brief)),
          usage('Cache', ({ cacheReadTokens, cacheCreationTokens }) =>
            some(cacheReadTokens + cacheCreationTokens, brief),
          ),
          usage('Output', ({ outputTokens }) => some(outputTokens, brief)),
          ...(withReasoning
            ? [usage('Reasoning', ({ reasoningTokens }) => some(reasoningTokens, brief))]
            : []),
          usage('Cost', ({ cost }) => dollars(cost)),
        ]),
  ]
}

function StatsTable({ answer }: { answer: StatsAnswer }) {
  const { by, rows, rowsSum, rowsTotal } = answer
  const dimension = dimensionOf(by)!
  const columns = columnsOf(dimension, rowsSum.reasoningTokens > 0)
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label="In figures">
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{dimension.label}</th>
            {columns.map(({ title }) => (
              <th scope="col" class="right" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} dimension={dimension} columns={columns} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{rowsTotal > rows.length ? `Total of ${count(rowsTotal)}` : 'Total'}</th>
            {columns.map(({ title, of }) => (
              <td class="right" key={title}>
                {of(rowsSum)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

interface RowProperties {
  row: StatsRow
  dimension: Dimension
  columns: readonly Column[]
}

function Row({ row, dimension, columns }: RowProperties) {
  const address = dimension.address?.(row)
  const name = dimension.name?.(row) ?? row.key
  return (
    <>
      <tr>
        <th scope="row" dir="auto">
          {address ? <a href={address}>{name}</a> : name}
        </th>
        {columns.map(({ title, of }) => (
          <td class="right" key={title}>
            {of(row)}
          </td>
        ))}
      </tr>
      {row.models?.map((part) => (
        <tr key={part.model} class="part">
          <th scope="row" dir="auto">
            {modelName(part.model)}
          </th>
          {columns.map(({ title, ofModel }) => (
            <td class="right" key={title}>
              {ofModel?.(part)}
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}

const MINUTE_MS = 60_000

/** The rate of the block that runs, and what it comes to at that rate. */
function Pace({ rows }: { rows: readonly StatsRow[] }) {
  const pace = rows.find(({ block }) => block?.pace)?.block?.pace
  if (!pace) return <p class="note">No block is running.</p>
  const figures: Figure[] = [
    { name: 'The current block ends in', value: duration(pace.minutesLeft * MINUTE_MS) },
    { name: 'Tokens a minute', value: brief(pace.tokensPerMinute) },
    { name: 'Cost an hour', value: dollars(pace.costPerHour) },
    {
      name: 'Projected at its end',
      value: dollars(pace.projectedCost),
      note: `${brief(pace.projectedTokens)} tokens`,
    },
  ]
  return <FigureList figures={figures} look="pace" />
}
