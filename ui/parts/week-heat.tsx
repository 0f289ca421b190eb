import { counted } from '../text/figures.ts'
import { hourName, WEEKDAYS } from '../text/week.ts'
import { useGridKeys } from './grid-keys.ts'
import { levelsOf } from './levels.ts'

const CELL = 22
const HEIGHT = 18
const LEFT = 30
const TOP = 4

interface WeekHeatProperties {
  /** Seven lists of 24 numbers, from Monday. */
  hours: readonly (readonly number[])[]
  /** What is counted, such as `message`. */
  unit: string
  addressOf(weekday: number, hour: number): string
}

/** The hours of the week, in shades. Each hour with something in it is a link. */
export function WeekHeat({ hours, unit, addressOf }: WeekHeatProperties) {
  const keys = useGridKeys()
  const all = hours.flat()
  const levelOf = levelsOf(all)
  const first = all.findIndex((value) => value > 0)
  const total = all.reduce((sum, value) => sum + value, 0)
  const label = `${counted(total, unit)} by hour of the week`
  return (
    <div class="heat-holder" tabIndex={0} role="region" aria-label={label}>
      <svg
        {...keys}
        class="heat week"
        viewBox={`0 0 ${LEFT + 24 * CELL} ${TOP + 7 * HEIGHT + 14}`}
        role="group"
        aria-label="Hours of the week"
      >
        {WEEKDAYS.map((name, weekday) => (
          <text key={name} x={0} y={TOP + weekday * HEIGHT + 12}>
            {name.slice(0, 3)}
          </text>
        ))}
        {Array.from({ length: 8 }, (_, index) => (
          <text key={index} x={LEFT + index * 3 * CELL} y={TOP + 7 * HEIGHT + 11}>
            {hourName(index * 3)}
          </text>
        ))}
        {hours.map((counts, weekday) =>
          counts.map((value, hour) => {
            const key = weekday * 24 + hour
            const cell = (
              <rect
                x={LEFT + hour * CELL}
                y={TOP + weekday * HEIGHT}
                width={CELL - 2}
                height={HEIGHT - 2}
                rx={3}
                data-level={levelOf(value)}
              />
            )
            if (value === 0) return <g key={key}>{cell}</g>
            const name = `${counted(value, unit)}, ${WEEKDAYS[weekday]} ${hourName(hour)} to ${hourName(hour + 1)}`
            return (
              <a
                key={key}
                href={addressOf(weekday, hour)}
                aria-label={name}
                data-x={hour}
                data-y={weekday}
                tabIndex={key === first ? 0 : -1}
              >
                <title>{name}</title>
                {cell}
              </a>
            )
          }),
        )}
      </svg>
    </div>
  )
}
