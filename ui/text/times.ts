import { now as clockNow } from './clock.ts'

// Times in the zone and the language of the reader.

/** `4:05 PM`, but `04:05` where the day has 24 hours. */
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12
  ? 'numeric'
  : '2-digit'
const clock = new Intl.DateTimeFormat(undefined, { hour, minute: '2-digit' })
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const yearDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const yearWeekday = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

const DAY_MS = 86_400_000

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

/** The day with its name, and with its year unless it is the current one. */
export const dayName = (at: number, now = clockNow()): string =>
  (isSameYear(at, now) ? weekday : yearWeekday).format(at)

export const dateOf = (at: number, now = clockNow()): string =>
  (isSameYear(at, now) ? shortDay : yearDay).format(at)

/** The date of a day, as statistics name it: `2026-01-31`. Other periods stay as they are. */
export const periodName = (period: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(period) ? dateOf(Date.parse(`${period}T12:00`)) : period

/** The shortest time that is still clear: `14:05`, `yesterday 14:05`, `3 Oct`. */
export function when(at: number, now = clockNow()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days === 0) return clock.format(at)
  if (days === 1) return `yesterday ${clock.format(at)}`
  return dateOf(at, now)
}

/** How long ago, or in how long: `in 3 days`, `2 hours ago`. */
export function distance(at: number, now = clockNow()): string {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const minutes = Math.round((at - now) / 60_000)
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  if (Math.abs(hours) < 36) return relative.format(hours, 'hour')
  return relative.format(Math.round(hours / 24), 'day')
}

export function duration(length: number): string {
  const seconds = Math.round(length / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}
