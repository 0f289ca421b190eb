import { useSignal } from '@preact/signals'
import type { StatsAnswer, StatsRow } from '../../api/shapes.ts'
import type { Asked } from '../../api/use-answer.ts'
import { Choice } from '../../parts/choice.tsx'
import { Columns } from '../../parts/columns.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Section } from '../../shell/page.tsx'
import { brief, dollars } from '../../text/figures.ts'
import { byModel } from './models.ts'
import { spread } from './spread.ts'

const DAY_MS = 86_400_000

const FIGURES = [
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
] as const

/** More columns side by side would be hairlines. */
const MOST = 120

interface DayColumnsProperties {
  asked: Asked<StatsAnswer>
  /** Of so many days up to the last one. By default of all, where necessary as weeks or months. */
  newest?: number
}

/** Costs or tokens by day and model. */
export function DayColumns({ asked, newest }: DayColumnsProperties) {
  const figure = useSignal<'cost' | 'tokens'>('cost')
  const isCost = figure.value === 'cost'
  const rows = newestDays(asked.answer?.rows ?? [], newest)
  const { columns, series } = byModel(rows, figure.value)
  const { unit, columns: spreadColumns } = spread(columns, MOST)
  return (
    <Section
      title={`Tokens and cost by ${unit} and model`}
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
        {() =>
          series.length === 0 ? (
            <Empty title="No costs yet">Replies that state their tokens appear here.</Empty>
          ) : (
            <Columns
              columns={spreadColumns}
              series={series}
              shown={isCost ? dollars : brief}
              label={`${isCost ? 'Cost' : 'Tokens'} by ${unit} and model`}
            />
          )
        }
      </Awaited>
    </Section>
  )
}

/** The rows of the last days: as many days as asked for, with or without rows. */
function newestDays(rows: readonly StatsRow[], many: number | undefined): readonly StatsRow[] {
  if (many === undefined) return rows
  const days = rows.map(({ key }) => Date.parse(key))
  const last = days.reduce((newest, day) => (day > newest ? day : newest), 0)
  return rows.filter((_, index) => days[index]! > last - many * DAY_MS)
}
