import { counted, grouped } from '../../render/counted.ts'
import { amount, dollars } from '../../render/figures-text.ts'
import type { Column } from '../../render/table.ts'
import type { Dimension } from '../../stats/order.ts'
import { tokensOf } from '../../stats/sum.ts'
import { shortId } from '../kit/session-names.ts'
import { duration } from '../kit/time.ts'
import type { StatsAnswer } from './figures.ts'

type Row = StatsAnswer['rows'][number]
type Line = Omit<Row, 'models' | 'block' | 'unpricedModels'>

/** The lines of the table: rows, the models of each row if requested, and the total. */
export function tableRows({ by, rowsSum, rowsTotal }: StatsAnswer, rows: readonly Row[]): Line[] {
  const lines = rows.flatMap((row): Line[] => [
    { ...row, key: by === 'session' ? shortId(row.key) : row.key },
    ...(row.models ?? []).map(({ model, replies, ...tokens }) => ({
      ...{ key: `- ${model}`, sessions: 0, messages: { human: 0, agent: replies } },
      ...{ humanWords: 0, toolCalls: 0, errors: 0 },
      ...tokens,
    })),
  ])
  const some = rows.length < rowsTotal
  return [...lines, { ...rowsSum, key: some ? `Total of ${grouped(rowsTotal)}` : 'Total' }]
}

export function statsColumns(by: Dimension): Column<Line>[] {
  const count = (title: string, value: (row: Line) => number, from?: number): Column<Line> => ({
    ...{ title, from },
    value: (row) => (value(row) === 0 ? '' : grouped(value(row))),
    align: 'right',
  })
  const tokens = (title: string, value: (row: Line) => number, from?: number): Column<Line> => ({
    ...{ title, from },
    value: (row) => (value(row) === 0 ? '' : amount(value(row))),
    align: 'right',
  })
  const isTool = by === 'tool'
  const isConversation = !isTool && by !== 'model' && by !== 'block'
  return [
    { title: by.toUpperCase(), value: ({ key }) => key, most: 40 },
    ...(by === 'session' ? [] : [count('SESSIONS', ({ sessions }) => sessions, 70)]),
    ...(isConversation ? [count('YOU', ({ messages }) => messages.human)] : []),
    ...(isTool ? [] : [count('IT', ({ messages }) => messages.agent)]),
    ...(isConversation || isTool
      ? [
          count('CALLS', ({ toolCalls }) => toolCalls),
          count('ERRORS', ({ errors }) => errors, isTool ? 0 : 120),
        ]
      : []),
    ...(isTool
      ? []
      : [
          tokens('IN', ({ inputTokens }) => inputTokens, 100),
          tokens('OUT', ({ outputTokens }) => outputTokens, 90),
          tokens('CACHE READ', ({ cacheReadTokens }) => cacheReadTokens, 100),
          tokens('CACHE WRITE', ({ cacheCreationTokens }) => cacheCreationTokens, 100),
          tokens('TOKENS', tokensOf),
          { title: 'COST', value: (row: Line) => dollars(row.cost), align: 'right' as const },
        ]),
    ...(by === 'session'
      ? [{ title: 'TITLE', value: ({ title }: Line) => title ?? '', rest: true } satisfies Column<Line>]
      : []),
  ]
}

/** The usage of the running block, its rate, and the projection. */
export function paceText({ pace, ...block }: NonNullable<Row['block']>): string {
  const { minutesLeft, tokensPerMinute, costPerHour, projectedTokens, projectedCost } = pace!
  const begun = counted(
    Math.round((Date.parse(block.endsAt) - Date.parse(block.startsAt)) / 3_600_000),
    'hour',
  )
  const cost = costPerHour === null ? '' : `, ${dollars(costPerHour)} an hour`
  const then = projectedCost === null ? '' : ` and ${dollars(projectedCost)}`
  return `The block of ${begun} that runs ends in ${duration(minutesLeft * 60_000)}. ${amount(tokensPerMinute)} tokens a minute${cost}: at that pace ${amount(projectedTokens)} tokens${then} by its end.`
}
