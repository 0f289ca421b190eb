import type { Dimension } from '../stats/order.ts'
import { tokensOf } from '../stats/sum.ts'
import { amount, dollars } from './figures-text.ts'
import { shortId } from './sessions.ts'
import type { StatsAnswer } from './stats-figures.ts'
import { type Column, counted, grouped } from './table.ts'
import { duration } from './time.ts'

type Row = StatsAnswer['rows'][number]
type Line = Omit<Row, 'models' | 'block' | 'unpricedModels'>

/** Rows as lines of the table, each with its models below it where they were asked for, and the total. */
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
  const isSaid = !isTool && by !== 'model' && by !== 'block'
  return [
    { title: by.toUpperCase(), value: ({ key }) => key, most: 40 },
    ...(by === 'session' ? [] : [count('SESSIONS', ({ sessions }) => sessions, 70)]),
    ...(isSaid ? [count('YOU', ({ messages }) => messages.human)] : []),
    ...(isTool ? [] : [count('IT', ({ messages }) => messages.agent)]),
    ...(isSaid || isTool
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

/** What the running block used, how fast, and where that leads. */
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
