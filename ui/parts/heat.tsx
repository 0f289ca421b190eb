import { useLayoutEffect, useRef } from 'preact/hooks'
import { now } from '../text/clock.ts'
import { counted } from '../text/figures.ts'
import { useGridKeys } from './grid-keys.ts'
import { levelsOf } from './levels.ts'

interface HeatDay {
  /** `2026-01-31` */
  day: string
  value: number
}

const DAY_MS = 86_400_000
const CELL = 12
const TOP = 14
const LEFT = 26
/** The width of the name of a month. */
const LABEL = 2 * CELL
const WEEKS = 53

const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })

interface HeatProperties {
  days: readonly HeatDay[]
  /** What is counted, such as `message`. */
  unit: string
  addressOf(day: string): string
}

/** A year of days. Each day with something in it links to its sessions. */
export function YearHeat({ days, unit, addressOf }: HeatProperties) {
  const keys = useGridKeys()
  const holder = useRef<HTMLDivElement>(null)
  // Where the year is wider than the window, its end is in view.
  useLayoutEffect(() => {
    holder.current!.scrollLeft = holder.current!.scrollWidth
  }, [])
  const values = new Map(days.map(({ day, value }) => [day, value]))
  const current = new Date(now()).toISOString().slice(0, 10)
  const today = Math.max(Date.parse(days.at(-1)?.day ?? current), Date.parse(current))
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const start = today - (weekday + (WEEKS - 1) * 7) * DAY_MS
  const levelOf = levelsOf(days.map(({ value }) => value))
  const cells = Array.from({ length: (WEEKS - 1) * 7 + weekday + 1 }, (_, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return {
      day,
      value: values.get(day) ?? 0,
      x: LEFT + Math.floor(index / 7) * CELL,
      y: TOP + (index % 7) * CELL,
    }
  })
  const latest = cells.findLast(({ value }) => value > 0)?.day
  const total = cells.reduce((sum, { value }) => sum + value, 0)
  const labels = cells
    .filter(({ day, y }, index) => y === TOP && (index === 0 || day.slice(8) <= '07'))
    // The year may begin at the end of a month, whose name has no room before the next.
    .filter(({ x }, index, all) => (all[index + 1]?.x ?? Number.POSITIVE_INFINITY) - x >= LABEL)
  return (
    <div
      ref={holder}
      class="heat-holder"
      tabIndex={0}
      role="region"
      aria-label={`${counted(total, unit)} in a year`}
    >
      <svg
        {...keys}
        class="heat"
        viewBox={`0 0 ${LEFT + WEEKS * CELL} ${TOP + 7 * CELL}`}
        role="group"
        aria-label="Days"
      >
        {labels.map(({ day, x }) => (
          <text key={day} x={x} y={9}>
            {month.format(Date.parse(day))}
          </text>
        ))}
        {['Mon', 'Wed', 'Fri'].map((name, index) => (
          <text key={name} x={0} y={TOP + index * 2 * CELL + 9}>
            {name}
          </text>
        ))}
        {cells.map(({ day, value, x, y }) => {
          const cell = (
            <rect x={x} y={y} width={CELL - 2} height={CELL - 2} rx={2.5} data-level={levelOf(value)} />
          )
          if (value === 0) return <g key={day}>{cell}</g>
          const name = `${counted(value, unit)}, ${full.format(Date.parse(day))}`
          return (
            <a
              key={day}
              href={addressOf(day)}
              aria-label={name}
              data-x={(x - LEFT) / CELL}
              data-y={(y - TOP) / CELL}
              tabIndex={day === latest ? 0 : -1}
            >
              <title>{name}</title>
              {cell}
            </a>
          )
        })}
      </svg>
    </div>
  )
}
