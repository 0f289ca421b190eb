import type { Session } from '../../model/session.ts'
import { type OffsetAt, zoneSpans } from '../../stats/zone.ts'

const HOUR_MS = 3_600_000
const WEEK_HOURS = 7 * 24
/** The first day of 1970 was a Thursday, and weeks begin on Monday. */
const FIRST_HOUR = 3 * 24

/**
 * An hour of the week as addresses of the page name it: `5-09` is Friday at nine. The answer counts from the
 * midnight in which Monday begins.
 */
export function weekHourOf(text: string): number | undefined {
  const [, weekday, hour] = /^([1-7])-([01]\d|2[0-3])$/.exec(text) ?? []
  return weekday === undefined ? undefined : (Number(weekday) - 1) * 24 + Number(hour)
}

/** Whether a time span contains a part of that hour of a week, on a clock with this offset. */
export function spansWeekHour(fromMs: number, untilMs: number, weekHour: number, offsetMs: number): boolean {
  const begin = Math.floor((fromMs + offsetMs) / HOUR_MS)
  const ofWeek = (begin + FIRST_HOUR) % WEEK_HOURS
  const wait = (weekHour - ofWeek + WEEK_HOURS) % WEEK_HOURS
  return wait === 0 || (begin + wait) * HOUR_MS <= untilMs + offsetMs
}

/** Whether a session was going on during that hour of a week. */
export function goingOnAt(weekHour: number, now: number, offsetAt: OffsetAt): (session: Session) => boolean {
  const year = 366 * 24 * HOUR_MS
  const spans = zoneSpans(now - 10 * year, now, offsetAt)
  return ({ startedMs, lastActivityMs }) => {
    if (startedMs === undefined) return false
    const { offsetMs } = spans.findLast(({ fromMs }) => fromMs <= startedMs) ?? spans[0]!
    return spansWeekHour(startedMs, lastActivityMs ?? startedMs, weekHour, offsetMs)
  }
}
