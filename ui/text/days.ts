import { now } from './clock.ts'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Whether a text is a day, such as `2026-01-31`. */
export const isDay = (text: string): boolean => DAY.test(text)

/** The day of a time, in the reader's zone. */
function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first moment of a day in the reader's zone, or of one that follows so many days later. */
function startOf(day: string, later: number): Date {
  const [, year, month, date] = DAY.exec(day)!
  return new Date(Number(year), Number(month) - 1, Number(date) + later)
}

function named(text: string): string {
  if (text === 'today') return dayOf(now())
  if (text === 'yesterday') return dayOf(startOf(dayOf(now()), -1).getTime())
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
