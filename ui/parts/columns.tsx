import { periodName } from '../text/times.ts'
import type { Column } from './column.ts'

interface ColumnsProperties {
  columns: readonly Column[]
  series: readonly string[]
  shown(value: number): string
  label: string
}

const HEIGHT = 160
const WIDTH = 800

/** Stacked columns over time, with a legend. The last series gathers what is left. */
export function Columns({ columns, series, shown, label }: ColumnsProperties) {
  const totals = columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const most = Math.max(...totals, 0) || 1
  const step = WIDTH / Math.max(columns.length, 1)
  const width = Math.max(1, Math.min(step * 0.74, 36))
  return (
    <figure>
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
        <span>{`highest ${shown(most)}`}</span>
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
