import { useSignal } from '@preact/signals'
import type { StatsAnswer } from '../../api/shapes.ts'
import type { Asked } from '../../api/use-answer.ts'
import { Choice } from '../../parts/choice.tsx'
import { Columns } from '../../parts/columns.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Section } from '../../shell/page.tsx'
import { brief, dollars } from '../../text/figures.ts'
import { byModel } from './models.ts'

const FIGURES = [
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
] as const

interface DayColumnsProperties {
  asked: Asked<StatsAnswer>
  /** The newest days fit side by side; more would be hairlines. */
  most: number
}

/** Costs or tokens by day and model. */
export function DayColumns({ asked, most }: DayColumnsProperties) {
  const figure = useSignal<'cost' | 'tokens'>('cost')
  const isCost = figure.value === 'cost'
  return (
    <Section
      title="Tokens and cost by day and model"
      more={
        <Choice
          label="Figure"
          value={figure.value}
          options={FIGURES}
          onChange={(value) => {
            figure.value = value
          }}
        />
      }
    >
      <Awaited asked={asked} what="The costs">
        {({ rows }) => {
          const stacked = byModel(rows.slice(-most), figure.value)
          return stacked.series.length === 0 ? (
            <Empty title="No costs yet">Replies that state their tokens appear here.</Empty>
          ) : (
            <Columns
              {...stacked}
              shown={isCost ? dollars : brief}
              label={isCost ? 'Cost by day and model' : 'Tokens by day and model'}
            />
          )
        }}
      </Awaited>
    </Section>
  )
}
