export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

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
