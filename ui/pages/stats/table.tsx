import type { StatsAnswer, StatsRow } from '../../api/shapes.ts'
import { brief, count, dollars } from '../../text/figures.ts'
import { modelName } from '../../text/names.ts'
import { type Dimension, dimensionOf } from './dimensions.ts'

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

type Tokens = Pick<Part, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens' | 'cost'>

const usage = (title: string, shown: (tokens: Tokens) => string): Column => ({
  title,
  of: shown,
  ofModel: shown,
})

/** The figures that rows of this kind have. */
function columnsOf({ value, withoutTalk, withoutUsage }: Dimension): Column[] {
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
          usage('Cost', ({ cost }) => dollars(cost)),
        ]),
  ]
}

export function StatsTable({ answer }: { answer: StatsAnswer }) {
  const { by, rows, rowsSum, rowsTotal } = answer
  const dimension = dimensionOf(by)!
  const columns = columnsOf(dimension)
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
