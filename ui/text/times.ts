// Times in the zone of the reader, and in English, which the page is written in.

/** The English of the reader. Other readers get the day before the month, and 24 hours. */
const LANGUAGE = /^en\b/.test(navigator.language) ? navigator.language : 'en-GB'

/** `4:05 PM`, but `04:05` where the day has 24 hours. */
const hour = new Intl.DateTimeFormat(LANGUAGE, { hour: 'numeric' }).resolvedOptions().hour12
  ? 'numeric'
  : '2-digit'
const clock = new Intl.DateTimeFormat(LANGUAGE, { hour, minute: '2-digit' })
const shortDay = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short' })
const shortWeekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'short', day: 'numeric', month: 'short' })
const yearDay = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'full', timeStyle: 'medium' })
const weekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'long', day: 'numeric', month: 'long' })
const yearWeekday = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'full' })

export const DAY_MS = 86_400_000

/** The day of a time, as statistics name it: `2026-01-31`. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

export type Moment = string | number | null | undefined

export function ms(moment: Moment): number | undefined {
  if (moment === null || moment === undefined) return undefined
  const value = typeof moment === 'number' ? moment : Date.parse(moment)
  return Number.isFinite(value) ? value : undefined
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Whether two times are on one day of the reader's calendar. */
export const isSameDay = (a: number, b: number): boolean => startOfDay(a) === startOfDay(b)

export const timeOfDay = (at: number): string => clock.format(at)

export const fullTime = (at: number): string => full.format(at)

export const dateAndTime = (at: number): string => `${yearDay.format(at)}, ${clock.format(at)}`

const isSameYear = (a: number, b: number): boolean => new Date(a).getFullYear() === new Date(b).getFullYear()

/** A day as the heading of what was done on it. */
export function headingOfDay(at: number, now = serverNow()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days === 0 || days === 1) return days === 0 ? 'Today' : 'Yesterday'
  return (isSameYear(at, now) ? shortWeekday : yearDay).format(at)
}

/** The day with its name, and with its year unless it is the current one. */
export const dayName = (at: number, now = serverNow()): string =>
  (isSameYear(at, now) ? weekday : yearWeekday).format(at)

export const dateOf = (at: number, now = serverNow()): string =>
  (isSameYear(at, now) ? shortDay : yearDay).format(at)

/** The date of a day, as statistics name it: `2026-01-31`. Other periods stay as they are. */
export const periodName = (period: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(period) ? dateOf(Date.parse(`${period}T12:00`)) : period

/** The shortest time that is still clear: `14:05`, `yesterday 14:05`, `3 Oct`. */
export function when(at: number, now = serverNow()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days === 0) return clock.format(at)
  if (days === 1) return `yesterday ${clock.format(at)}`
  return dateOf(at, now)
}

/** How long ago in two words at most, as lists show it: `now`, `5 min`, `3 h`, `2 d`, `5 w`, `4 mo`, `2 y`. */
export function age(at: number, now = serverNow()): string {
  const minutes = Math.floor(Math.max(0, now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  const days = Math.floor(minutes / (24 * 60))
  if (days < 14) return `${days} d`
  if (days < 60) return `${Math.floor(days / 7)} w`
  return days < 730 ? `${Math.floor(days / 30.44)} mo` : `${Math.floor(days / 365.25)} y`
}

/** How long ago, or in how long: `in 3 days`, `2 hours ago`. */
export function distance(at: number, now = serverNow()): string {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const minutes = Math.round((at - now) / 60_000)
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  if (Math.abs(hours) < 36) return relative.format(hours, 'hour')
  return relative.format(Math.round(hours / 24), 'day')
}

export function duration(length: number): string {
  if (length < 1000) return `${Math.round(length)} ms`
  const seconds = Math.round(length / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Whether a text is a day, such as `2026-01-31`. */
export const isDay = (text: string): boolean => DAY.test(text)

/** The day of a time, in the reader's zone. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first moment of a day in the reader's zone, or of one that follows so many days later. */
function startOf(day: string, later: number): Date {
  const [, year, month, date] = DAY.exec(day)!
  return new Date(Number(year), Number(month) - 1, Number(date) + later)
}

/** The day so many days after another one. */
export const nextDay = (day: string, days: number): string => utcDay(Date.parse(day) + days * DAY_MS)

function named(text: string): string {
  if (text === 'today') return dayOf(serverNow())
  if (text === 'yesterday') return dayOf(startOf(dayOf(serverNow()), -1).getTime())
  return text
}

/**
 * A day of an address as a moment for the server, whose zone may be another one: the first moment for `since`,
 * the last one for `until`. Other times stay as they are.
 */
export function momentOf(text: string, edge: 'since' | 'until'): string {
  const day = named(text)
  if (!isDay(day)) return text
  const at = edge === 'since' ? startOf(day, 0).getTime() : startOf(day, 1).getTime() - 1
  return Number.isNaN(at) ? text : new Date(at).toISOString()
}

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export const hourName = (hour: number): string => clock.format(new Date(2000, 0, 1, hour % 24))

/** Words with the days and clock times in them as the page shows others: `once on 2026-12-01 07:00`. */
export const onClock = (words: string): string =>
  words.replace(/\b(?:(\d{4}-\d\d-\d\d) )?([01]\d|2[0-3]):([0-5]\d)\b/g, (_, day, hours, minutes) => {
    const time = clock.format(new Date(2000, 0, 1, Number(hours), Number(minutes)))
    return day === undefined ? time : `${periodName(day)}, ${time}`
  })

/** An hour of the week, as addresses name it: `5-09` is Friday at nine. */
interface WeekHour {
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

/** `Fridays, 09:00 to 10:00`, or `Fridays, 9:00 AM to 10:00 AM` */
export const weekHourName = ({ weekday, hour }: WeekHour): string =>
  `${WEEKDAYS[weekday]}s, ${hourName(hour)} to ${hourName(hour + 1)}`

/** The time zone of the reader, such as `Europe/Berlin`. */
export const readerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Differences below this are delays and rounded seconds, in ms. */
const ALIKE_MS = 60_000

let ahead = 0

/** The time of the server, in ms. It is fixed in the demo, and may differ from this machine's on another one. */
export const serverNow = (): number => Date.now() + ahead

/** Takes the time of an answer, as its header `date` states it. */
export function setClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  ahead = Math.abs(difference) < ALIKE_MS ? 0 : difference
}
