import type { StatsAnswer } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { cacheShare } from '../parts/charts.tsx'
import { Awaited } from '../parts/notice.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { brief, counted, dollars, percent } from '../text/format.ts'
import { DAY_MS, isDay, periodName, serverNow, utcDay } from '../text/times.ts'
import { statsAddress } from './stats-dimensions.ts'

interface Span {
  since: string
  until?: string
}

interface Spans {
  now: Span
  before: Span
  /** What the two are called. */
  names: [now: string, before: string]
}

/** If no span is chosen, the last days of this number are compared. */
const USUAL_DAYS = 30

/** The chosen span, and the one before it that is as long. */
function spansOf({ since = '', until = '' }: { since?: string; until?: string }): Spans {
  if (isDay(since)) {
    const first = Date.parse(since)
    const last = Math.max(first, Date.parse(isDay(until) ? until : utcDay(serverNow())))
    const before = { since: utcDay(first - (last - first) - DAY_MS), until: utcDay(first - DAY_MS) }
    const nameOf = (from: string, to: string): string =>
      from === to ? periodName(from) : `${periodName(from)} to ${periodName(to)}`
    return {
      now: { since, until: utcDay(last) },
      before,
      names: [nameOf(since, utcDay(last)), nameOf(before.since, before.until)],
    }
  }
  const days = Number(/^(\d+)d$/.exec(since)?.[1] ?? USUAL_DAYS)
  return {
    now: { since: `${days}d` },
    before: { since: `${2 * days}d`, until: `${days}d` },
    names: [`Last ${counted(days, 'day')}`, `${counted(days, 'day')} before`],
  }
}

type Totals = StatsAnswer['totals']

const tokensOf = (totals: Totals): number =>
  totals.inputTokens + totals.outputTokens + totals.cacheReadTokens + totals.cacheCreationTokens

const FIGURES: readonly { name: string; of(totals: Totals): number; shown(value: number): string }[] = [
  { name: 'Sessions', of: ({ sessions }) => sessions, shown: brief },
  { name: 'Your messages', of: ({ messages }) => messages.human, shown: brief },
  { name: 'Agent messages', of: ({ messages }) => messages.agent, shown: brief },
  { name: 'Tool calls', of: ({ toolCalls }) => toolCalls, shown: brief },
  { name: 'Failed calls', of: ({ errors }) => errors, shown: brief },
  { name: 'Tokens', of: tokensOf, shown: brief },
  { name: 'Read from cache', of: cacheShare, shown: percent },
  { name: 'Cost at list price', of: ({ cost }) => cost ?? 0, shown: dollars },
]

/** How much more or less, in the words of the figure and as a part of what was before. */
function differenceOf(now: number, before: number, shown: (value: number) => string): string {
  if (now === before) return 'same'
  const sign = now > before ? '+' : '−'
  if (shown === percent) return `${sign}${Math.round(Math.abs(now - before) * 100)} points`
  const part = before > 0 ? ` (${sign}${percent(Math.abs(now - before) / before)})` : ''
  return `${sign}${shown(Math.abs(now - before))}${part}`
}

/** Two spans side by side. `filters` are those of the page. */
export function TwoSpans({ filters }: { filters: Record<string, string> }) {
  const { since: _since, until: _until, ...scope } = filters
  const { now, before, names } = spansOf(filters)
  const latest = useAnswer(statsAddress({ by: 'day', limit: 1, ...scope, ...now }), { keep: true })
  const earlier = useAnswer(statsAddress({ by: 'day', limit: 1, ...scope, ...before }), { keep: true })
  const title = 'Compared with the previous period'
  return (
    <Section title={title}>
      <Awaited asked={latest} what="The figures">
        {({ totals }) => (
          <Awaited asked={earlier} what="The figures before">
            {({ totals: past }) => (
              <Table
                label={title}
                columns={['Figure', ...names, 'Difference']}
                numbers={[...names, 'Difference']}
              >
                {FIGURES.map(({ name, of, shown }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td class="right">{shown(of(totals))}</td>
                    <td class="right">{shown(of(past))}</td>
                    <td class="right">{differenceOf(of(totals), of(past), shown)}</td>
                  </tr>
                ))}
              </Table>
            )}
          </Awaited>
        )}
      </Awaited>
    </Section>
  )
}
