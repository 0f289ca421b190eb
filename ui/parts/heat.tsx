import { useLayoutEffect, useRef } from 'preact/hooks'
import { counted } from '../text/format.ts'
import { DAY_MS, dayOf, hourName, serverNow, utcDay, WEEKDAYS } from '../text/times.ts'

interface HeatDay {
  /** `2026-01-31` */
  day: string
  value: number
}

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
  const current = dayOf(serverNow())
  const today = Math.max(Date.parse(days.at(-1)?.day ?? current), Date.parse(current))
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const start = today - (weekday + (WEEKS - 1) * 7) * DAY_MS
  const levelOf = levelsOf(days.map(({ value }) => value))
  const cells = Array.from({ length: (WEEKS - 1) * 7 + weekday + 1 }, (_, index) => {
    const day = utcDay(start + index * DAY_MS)
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

const WEEK_CELL = 22
const WEEK_HEIGHT = 18
const WEEK_LEFT = 42
const WEEK_TOP = 4

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
        viewBox={`0 0 ${WEEK_LEFT + 24 * WEEK_CELL} ${WEEK_TOP + 7 * WEEK_HEIGHT + 20}`}
        role="group"
        aria-label="Hours of the week"
      >
        {WEEKDAYS.map((name, weekday) => (
          <text key={name} x={0} y={WEEK_TOP + weekday * WEEK_HEIGHT + 13}>
            {weekday % 2 === 0 ? name.slice(0, 3) : ''}
          </text>
        ))}
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={WEEK_LEFT + hour * WEEK_CELL} y={WEEK_TOP + 7 * WEEK_HEIGHT + 16}>
            {hourName(hour)}
          </text>
        ))}
        {hours.map((counts, weekday) =>
          counts.map((value, hour) => {
            const key = weekday * 24 + hour
            const cell = (
              <rect
                x={WEEK_LEFT + hour * WEEK_CELL}
                y={WEEK_TOP + weekday * WEEK_HEIGHT}
                width={WEEK_CELL - 2}
                height={WEEK_HEIGHT - 2}
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

/** The shade of a value, from 0 to 4, by its rank: one very high value does not make all others look empty. */
function levelsOf(values: readonly number[]): (value: number) => number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b)
  const limits = [0.25, 0.5, 0.75].map((part) => sorted[Math.floor(sorted.length * part)] ?? 0)
  return (value) => (value === 0 ? 0 : 1 + limits.filter((limit) => value > limit).length)
}

const STEPS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Cells beside the line are further away than cells on it. */
const ASIDE = 4

interface Cell {
  element: SVGAElement
  x: number
  y: number
}

const cellsOf = (grid: SVGElement): Cell[] =>
  Array.from(grid.querySelectorAll<SVGAElement>('a[data-x]'), (element) => ({
    element,
    x: Number(element.dataset.x),
    y: Number(element.dataset.y),
  }))

/** The nearest cell in a direction. Home and End lead to the first and the last. */
function target(cells: readonly Cell[], from: Cell, key: string): Cell | undefined {
  if (key === 'Home') return cells[0]
  if (key === 'End') return cells.at(-1)
  const step = STEPS[key]
  if (!step) return undefined
  let best: Cell | undefined
  let least = Number.POSITIVE_INFINITY
  for (const cell of cells) {
    const along = (cell.x - from.x) * step.x + (cell.y - from.y) * step.y
    if (along <= 0) continue
    const aside = Math.abs(step.x === 0 ? cell.x - from.x : cell.y - from.y)
    if (along + ASIDE * aside >= least) continue
    least = along + ASIDE * aside
    best = cell
  }
  return best
}

/**
 * The keys of a grid of links with `data-x` and `data-y`: one stop of the tab key, and arrows between its links.
 * The returned properties belong to the grid; its links have `tabIndex` -1, except the one that comes first.
 */
function useGridKeys() {
  const grid = useRef<SVGSVGElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const cells = grid.current ? cellsOf(grid.current) : []
    const from = cells.find(({ element }) => element === document.activeElement)
    const to = from && target(cells, from, event.key)
    if (!to) return
    event.preventDefault()
    from.element.setAttribute('tabindex', '-1')
    to.element.setAttribute('tabindex', '0')
    to.element.focus()
  }
  return { ref: grid, onKeyDown }
}
