import { count, counted } from '../text/figures.ts'

interface HeatDay {
  /** `2026-01-31` */
  day: string
  value: number
}

const DAY_MS = 86_400_000
const CELL = 12
const TOP = 14
const LEFT = 26
const WEEKS = 53

const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })

/** The shade of a value, from 0 to 4, by its rank: one very busy day does not make all others look empty. */
function levels(values: readonly number[]): (value: number) => number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b)
  const limits = [0.25, 0.5, 0.75].map((part) => sorted[Math.floor(sorted.length * part)] ?? 0)
  return (value) => (value === 0 ? 0 : 1 + limits.filter((limit) => value > limit).length)
}

interface HeatProperties {
  days: readonly HeatDay[]
  /** What is counted, such as `message`. */
  unit: string
  addressOf(day: string): string
}

/** A year of days. Each day with something in it links to its sessions. */
export function YearHeat({ days, unit, addressOf }: HeatProperties) {
  const values = new Map(days.map(({ day, value }) => [day, value]))
  const last = days.at(-1)?.day ?? new Date().toISOString().slice(0, 10)
  const today = Math.max(Date.parse(last), Date.parse(new Date().toISOString().slice(0, 10)))
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const start = today - (weekday + (WEEKS - 1) * 7) * DAY_MS
  const levelOf = levels(days.map(({ value }) => value))
  const cells = Array.from({ length: (WEEKS - 1) * 7 + weekday + 1 }, (_, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return {
      day,
      value: values.get(day) ?? 0,
      x: LEFT + Math.floor(index / 7) * CELL,
      y: TOP + (index % 7) * CELL,
    }
  })
  const total = cells.reduce((sum, { value }) => sum + value, 0)
  const labels = cells.filter(({ day, y }, index) => y === TOP && (index === 0 || day.slice(8) <= '07'))
  return (
    <div class="heat-holder" tabIndex={0} role="region" aria-label={`${counted(total, unit)} in a year`}>
      <svg
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
            <a key={day} href={addressOf(day)} aria-label={name}>
              <title>{name}</title>
              {cell}
            </a>
          )
        })}
      </svg>
    </div>
  )
}

/** The hours of a day, in shades. */
export function HourHeat({ hours, unit }: { hours: readonly number[]; unit: string }) {
  const levelOf = levels(hours)
  const step = 26
  return (
    <svg
      class="heat"
      viewBox={`0 0 ${24 * step} 44`}
      role="img"
      aria-label={hours.map((value, hour) => `${hour}:00 ${count(value)}`).join(', ')}
    >
      {hours.map((value, hour) => (
        <g key={hour}>
          <title>{`${String(hour).padStart(2, '0')}:00 to ${String(hour + 1).padStart(2, '0')}:00: ${counted(value, unit)}`}</title>
          <rect x={hour * step} y={0} width={step - 3} height={26} rx={4} data-level={levelOf(value)} />
          {hour % 3 === 0 && (
            <text x={hour * step} y={40}>
              {`${String(hour).padStart(2, '0')}:00`}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}
