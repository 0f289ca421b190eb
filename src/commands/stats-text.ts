import { printable } from '../condense/printable.ts'
import { largest } from '../model/lists.ts'
import type { Screen } from './command.ts'
import { noticeLines } from './scanned.ts'
import type { StatsAnswer } from './stats.ts'
import { type Column, counted, cutTo, grouped, homely, table } from './table.ts'

type Row = StatsAnswer['rows'][number]

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
/** Rows that fill a screen without scrolling far. */
const SCREENFUL = 30
const TOP = 5

/** One bar a figure, the highest full; nothing is a blank. */
function sparkLine(values: readonly number[]): string {
  const most = largest(values, 0)
  return values
    .map((value) =>
      value <= 0 ? ' ' : BARS[Math.min(BARS.length - 1, Math.floor((value / most) * BARS.length))],
    )
    .join('')
}

/** `410`, `20.6k`, `1.2M`, `3.4B`. */
function amount(count: number): string {
  for (const [unit, size] of [
    ['B', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const)
    if (count >= size) return `${(count / size).toFixed(1)}${unit}`
  return String(Math.round(count))
}

const dollars = (value: number | null): string =>
  value === null ? '-' : value > 0 && value < 0.01 ? '<$0.01' : `$${value.toFixed(2)}`

const tokensOf = (row: Omit<Row, 'key'>): number =>
  row.inputTokens + row.outputTokens + row.cacheReadTokens + row.cacheCreationTokens

export function* statsText(answer: StatsAnswer, screen: Screen): Generator<string> {
  const { totals, rows: all, by } = answer
  if (totals.sessions === 0) {
    yield 'Nothing to count.\n'
    yield* noticeLines(answer.notices, screen.home)
    return
  }
  yield* totalText(answer, screen)
  const timed = by === 'day' || by === 'week' || by === 'month'
  if (timed && all.length > 1) {
    const room = Math.max(10, Math.min(screen.columns, 114) - 14)
    const bars = all.slice(-room)
    yield `\n  per ${by.padEnd(8)} ${sparkLine(bars.map(tokensOf))}\n`
  }
  const rows =
    screen.terminal && all.length > SCREENFUL
      ? timed
        ? all.slice(-SCREENFUL)
        : all.slice(0, SCREENFUL)
      : all
  yield '\n'
  yield* table(rows, columnsFor(by), screen)
  if (rows.length < all.length)
    yield `\n${grouped(rows.length)} of ${counted(all.length, 'row')} (--json has all)\n`
  yield* noticeLines(answer.notices, screen.home)
}

function* totalText(
  { totals, tools, files, hours, activeDays, project }: StatsAnswer,
  screen: Screen,
): Generator<string> {
  const line = (name: string, text: string): string =>
    `  ${name.padEnd(11)} ${cutTo(text, screen.columns - 14)}\n`
  const { human, agent } = totals.messages
  yield `${printable(project ?? 'Everything')}\n`
  yield line('sessions', `${grouped(totals.sessions)} on ${counted(activeDays, 'day')}`)
  yield line(
    'messages',
    `${grouped(human)} of yours (${counted(totals.humanWords, 'word')}), ${grouped(agent)} of theirs`,
  )
  yield line(
    'tools',
    `${counted(totals.toolCalls, 'call')}, ${counted(totals.errors, 'error')}${top(tools.map(({ name, calls }) => `${name} ${grouped(calls)}`))}`,
  )
  yield line(
    'tokens',
    `${amount(tokensOf(totals))}: ${amount(totals.inputTokens)} in, ${amount(totals.outputTokens)} out, ${amount(totals.cacheReadTokens)} read from cache, ${amount(totals.cacheCreationTokens)} written to it`,
  )
  const recorded =
    totals.recordedCost === null ? '' : `; recorded by the agents: ${dollars(totals.recordedCost)}`
  const missing =
    totals.unpricedModels.length === 0
      ? ''
      : `; without a price: ${totals.unpricedModels.map(printable).join(', ')}`
  yield line('cost', `${dollars(totals.cost)} at list price${recorded}${missing}`)
  if (hours.some((count) => count > 0)) yield line('hours', `${sparkLine(hours)}  from 0 to 23`)
  if (files.length > 0)
    yield line(
      'files',
      files
        .slice(0, TOP)
        .map(({ path, count }) => `${printable(homely(path, screen.home))} (${count})`)
        .join(', '),
    )
}

const top = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: ${names.slice(0, TOP).map(printable).join(', ')}`

function columnsFor(by: StatsAnswer['by']): Column<Row>[] {
  const number = (title: string, value: (row: Row) => number, from?: number): Column<Row> => ({
    ...{ title, from },
    value: (row) => (value(row) === 0 ? '' : grouped(value(row))),
    align: 'right',
  })
  const tokens = (title: string, value: (row: Row) => number, from?: number): Column<Row> => ({
    ...{ title, from },
    value: (row) => (value(row) === 0 ? '' : amount(value(row))),
    align: 'right',
  })
  const isTool = by === 'tool'
  return [
    { title: by.toUpperCase(), value: ({ key }) => key, most: 40 },
    number('SESSIONS', ({ sessions }) => sessions, 70),
    ...(isTool
      ? []
      : [number('YOU', ({ messages }) => messages.human), number('IT', ({ messages }) => messages.agent)]),
    number('CALLS', ({ toolCalls }) => toolCalls),
    number('ERRORS', ({ errors }) => errors, isTool ? 0 : 90),
    ...(isTool
      ? []
      : [
          tokens('IN', ({ inputTokens }) => inputTokens, 110),
          tokens('OUT', ({ outputTokens }) => outputTokens, 90),
          tokens('CACHE', (row) => row.cacheReadTokens + row.cacheCreationTokens, 110),
          tokens('TOKENS', tokensOf),
          { title: 'COST', value: (row: Row) => dollars(row.cost), align: 'right' as const },
        ]),
  ]
}
