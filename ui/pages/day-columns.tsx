import { useSignal } from '@preact/signals'
import type { StatsAnswer, StatsRow } from '../api/ask.ts'
import type { Asked } from '../api/use-answer.ts'
import { Choice } from '../parts/controls.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { Section } from '../parts/page.tsx'
import { brief, dollars, dollarsOnAxis } from '../text/format.ts'
import { DAY_MS, periodName } from '../text/times.ts'
import { Unpriced } from './project-costs.tsx'
import { byModel, type Column, spread, undatedIn, withoutTime } from './stats-data.ts'

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
  const { columns, series, unpriced } = byModel(rows, figure.value)
  const { unit, columns: spreadColumns } = spread(columns, MOST)
  const shown = isCost ? dollars : brief
  const undated = undatedIn(columns)
  const without = withoutTime([undated > 0 ? `${shown(undated)}${isCost ? '' : ' tokens'}` : undefined])
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
            <>
              <Empty title="No costs yet">Replies that state their tokens appear here.</Empty>
              <Unpriced models={unpriced} />
            </>
          ) : (
            <>
              <Columns
                columns={spreadColumns}
                series={series}
                shown={shown}
                onAxis={isCost ? dollarsOnAxis : brief}
                label={`${isCost ? 'Cost' : 'Tokens'} by ${unit} and model`}
              />
              {without && <p class="note">{without}</p>}
              <Unpriced models={unpriced} />
            </>
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

interface ColumnsProperties {
  columns: readonly Column[]
  series: readonly string[]
  shown(value: number): string
  onAxis(value: number, most: number): string
  label: string
}

const HEIGHT = 160
const WIDTH = 800

/** Stacked columns over time, with a legend. The last series gathers what is left. */
function Columns({ columns, series, shown, onAxis, label }: ColumnsProperties) {
  const totals = columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const most = Math.max(...totals, 0) || 1
  const step = WIDTH / Math.max(columns.length, 1)
  const width = Math.max(1, Math.min(step * 0.74, 36))
  return (
    <figure class="columns-holder">
      <div class="columns-scale" aria-hidden="true">
        {[1, 0.75, 0.5, 0.25, 0].map((part) => (
          <span key={part}>{onAxis(most * part, most)}</span>
        ))}
      </div>
      <svg
        class="columns"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line
            key={part}
            class="grid"
            x1="0"
            x2={WIDTH}
            y1={HEIGHT - part * (HEIGHT - 4)}
            y2={HEIGHT - part * (HEIGHT - 4)}
            vector-effect="non-scaling-stroke"
          />
        ))}
        {columns.map(({ name, parts }, index) => {
          let base = HEIGHT
          return (
            <g key={name}>
              <title>{`${periodName(name)}: ${shown(totals[index]!)}`}</title>
              <rect x={index * step} y="0" width={step} height={HEIGHT} fill="transparent" />
              {parts.map((part, layer) => {
                const height = (part / most) * (HEIGHT - 4)
                base -= height
                return (
                  <rect
                    key={series[layer]}
                    class={`s${Math.min(layer + 1, 6)}`}
                    x={index * step + (step - width) / 2}
                    y={base}
                    width={width}
                    height={height}
                  />
                )
              })}
            </g>
          )
        })}
      </svg>
      <div class="axis">
        <span>{periodName(columns[0]?.name ?? '')}</span>
        <span>{periodName(columns.at(-1)?.name ?? '')}</span>
      </div>
      <ul class="legend">
        {series.map((name, index) => (
          <li key={name}>
            <span class={`swatch s${Math.min(index + 1, 6)}`} aria-hidden="true" />
            <span dir="auto">{name}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
