import type { StatsAnswer } from '../../api/shapes.ts'
import { FigureList } from '../../parts/figure-list.tsx'
import { brief, count, counted, dollars } from '../../text/figures.ts'

/** The sums over everything that was asked for. */
export function ProjectFigures({ totals, activeDays }: Pick<StatsAnswer, 'totals' | 'activeDays'>) {
  const tokens =
    totals.inputTokens + totals.outputTokens + totals.cacheReadTokens + totals.cacheCreationTokens
  const figures = [
    {
      ...{ name: 'Sessions', value: count(totals.sessions) },
      note: `on ${counted(activeDays, 'active day')}`,
    },
    { name: 'Your messages', value: count(totals.messages.human), note: `${brief(totals.humanWords)} words` },
    { name: 'Agent messages', value: count(totals.messages.agent) },
    { name: 'Tool calls', value: brief(totals.toolCalls), note: `${brief(totals.errors)} failed` },
    { name: 'Tokens', value: brief(tokens), note: `${brief(totals.outputTokens)} written` },
    {
      name: 'Cost at list price',
      value: dollars(totals.cost),
      note: totals.unpricedModels.length > 0 ? `without ${totals.unpricedModels.join(', ')}` : undefined,
    },
  ]
  return <FigureList figures={figures} />
}
