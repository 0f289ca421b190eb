import type { Context } from '../kit/context.ts'
import { spanOf } from '../kit/filters.ts'
import type { DevlogInput } from './input.ts'
import type { Span } from './sources.ts'

/** The requested time. A standup without one begins with the last working day. */
export function requestedSpan(given: DevlogInput, context: Context): Span {
  const { since, until } = spanOf(given, context)
  // Standups and changelogs need only a span of time, so nobody has to choose sessions.
  const routine = given.style === 'standup' || given.style === 'changelog'
  const begin = given.style === 'standup' && given.since === undefined ? lastWorkingDay(context.now) : since
  return { since: begin, until, routine }
}

/** The first moment of the last working day before today, in local time. */
export function lastWorkingDay(now: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  do day.setDate(day.getDate() - 1)
  while (day.getDay() === 0 || day.getDay() === 6)
  return day.getTime()
}
