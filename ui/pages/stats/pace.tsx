import type { StatsRow } from '../../api/shapes.ts'
import { type Figure, FigureList } from '../../parts/figure-list.tsx'
import { brief, dollars } from '../../text/figures.ts'
import { duration } from '../../text/times.ts'

const MINUTE_MS = 60_000

/** The rate of the block that runs, and what it comes to at that rate. */
export function Pace({ rows }: { rows: readonly StatsRow[] }) {
  const pace = rows.find(({ block }) => block?.pace)?.block?.pace
  if (!pace) return <p class="note">No block runs now.</p>
  const figures: Figure[] = [
    { name: 'The block that runs ends in', value: duration(pace.minutesLeft * MINUTE_MS) },
    { name: 'Tokens a minute', value: brief(pace.tokensPerMinute) },
    { name: 'Cost an hour', value: dollars(pace.costPerHour) },
    {
      ...{ name: 'At that pace, by its end', value: dollars(pace.projectedCost) },
      note: `${brief(pace.projectedTokens)} tokens`,
    },
  ]
  return <FigureList figures={figures} look="pace" />
}
