import { largest } from '../../model/lists.ts'
import { amount, counted, cutTo, dollars, grouped, homely, table } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import { tokensOf } from '../../stats/sum.ts'
import { isTimed } from '../../stats/summarize.ts'
import type { StatsAnswer } from './figures.ts'
import { paceText, statsColumns, tableRows } from './table.ts'

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
/** How many rows fill a screen. */
const SCREENFUL = 30
const TOP = 5

/** One bar per figure. The highest is full, and zero is a blank. */
function sparkLine(values: readonly number[]): string {
  const most = largest(values, 0)
  return values
    .map((value) =>
      value <= 0 ? ' ' : BARS[Math.min(BARS.length - 1, Math.floor((value / most) * BARS.length))],
    )
    .join('')
}

export function* statsText(answer: StatsAnswer, screen: Screen): Generator<string> {
  const { totals, rows: all, by, order, rowsTotal } = answer
  if (totals.sessions === 0) {
    yield 'Nothing to count.\n'
    if (answer.lastAt !== undefined) {
      const day = answer.lastAt.slice(0, 10)
      yield `The last activity before was on ${day}: ${screen.suggest.again({ flags: ['--since', day] })}\n`
    }
    return
  }
  yield* totalText(answer, screen)
  if (by !== 'project-day' && isTimed(by) && all.length > 1) {
    const room = Math.max(10, Math.min(screen.columns, 114) - 14)
    const bars = (order === 'asc' ? all : all.toReversed()).slice(-room)
    yield `\n  per ${by.padEnd(8)} ${sparkLine(bars.map(tokensOf))}\n`
  }
  // The most important row is the last one, or the first.
  const most = screen.terminal ? SCREENFUL : all.length
  const rows = order === 'asc' ? all.slice(-most) : all.slice(0, most)
  yield '\n'
  if (rows.length > 0) yield* table(tableRows(answer, rows), statsColumns(by), screen)
  if (rows.length < rowsTotal)
    yield `\n${grouped(rows.length)} of ${counted(rowsTotal, 'row')}${rows.length < all.length ? ' (--json has all)' : ''}; Total is of all of them.\n`
  const running = all.find(({ block }) => block?.pace)?.block
  if (running) yield `\n${paceText(running)}\n`
}

function* totalText(
  { totals, notPriced = [], silent, tools, files, hours, activeDays, project }: StatsAnswer,
  screen: Screen,
): Generator<string> {
  const line = (name: string, text: string): string =>
    `  ${name.padEnd(11)} ${cutTo(text, screen.columns - 14)}\n`
  const { human, agent } = totals.messages
  yield `${printable(project ?? 'Everything')}\n`
  const more = silent ? `, and ${grouped(silent)} without new messages` : ''
  yield line('sessions', `${grouped(totals.sessions)} on ${counted(activeDays, 'day')}${more}`)
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
  if (totals.recordedTokens)
    yield line(
      'recorded',
      `${recordedAs(totals.recordedTokens)} tokens, with titles, summaries and subagents`,
    )
  const recorded =
    totals.recordedCost === null ? '' : `; recorded by the agents: ${dollars(totals.recordedCost)}`
  const missing =
    totals.unpricedModels.length === 0
      ? ''
      : `; without a price: ${totals.unpricedModels.map(printable).join(', ')}`
  yield line('cost', `${dollars(totals.cost)} at list price${recorded}${missing}`)
  if (notPriced.length > 0)
    yield line(
      'not priced',
      notPriced.map(({ terms, requests }) => `${terms}: ${counted(requests, 'request')}`).join('; '),
    )
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

type RecordedTokens = NonNullable<StatsAnswer['totals']['recordedTokens']>

const recordedAs = ({ input, output, cacheRead, cacheWrite }: RecordedTokens): string =>
  amount(input + output + cacheRead + cacheWrite)

const top = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: ${names.slice(0, TOP).map(printable).join(', ')}`
