export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

const HOUR_MS = 3_600_000
const WEEK_HOURS = 7 * 24

export const hourName = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`

/** An hour of the week, as addresses name it: `5-09` is Friday at nine. */
export interface WeekHour {
  /** From 0, which is Monday. */
  weekday: number
  hour: number
}

export const weekHourText = ({ weekday, hour }: WeekHour): string =>
  `${weekday + 1}-${String(hour).padStart(2, '0')}`

export function weekHourIn(text: string): WeekHour | undefined {
  const [, weekday, hour] = /^([1-7])-([01]\d|2[0-3])$/.exec(text) ?? []
  return weekday === undefined ? undefined : { weekday: Number(weekday) - 1, hour: Number(hour) }
}

/** `Fridays, 09:00 to 10:00` */
export const weekHourName = ({ weekday, hour }: WeekHour): string =>
  `${WEEKDAYS[weekday]}s, ${hourName(hour)} to ${hourName(hour + 1)}`

/** Whether a time from one moment to another contains a part of that hour of a week, in the reader's zone. */
export function spansWeekHour(from: number, to: number, { weekday, hour }: WeekHour): boolean {
  const begin = new Date(from)
  const ofWeek = ((begin.getDay() + 6) % 7) * 24 + begin.getHours()
  const wait = (weekday * 24 + hour - ofWeek + WEEK_HOURS) % WEEK_HOURS
  if (wait === 0) return true
  begin.setMinutes(0, 0, 0)
  return begin.getTime() + wait * HOUR_MS <= to
}
