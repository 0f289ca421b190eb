import type { ZoneSpan } from '../store/figures.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STEP_MS = 7 * DAY_MS

/** The UTC offset at a time, in ms. */
export type OffsetAt = (ms: number) => number

export const localOffset: OffsetAt = (ms) => -new Date(ms).getTimezoneOffset() * 60_000

/**
 * The offsets of a named time zone such as `Europe/Berlin`. Undefined if the system does not know the name.
 */
export function offsetIn(zone: string): OffsetAt | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
  return (ms) => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(ms)) parts[type] = Number(value)
    const { year, month, day, hour, minute, second } = parts
    const wall = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
    return wall - Math.floor(ms / 1000) * 1000
  }
}

/**
 * The first moment at which a clock shows `wallMs`, a local time expressed as if it were UTC, or later. So it
 * is the end of an hour that daylight saving skips, and the first of two equal times.
 */
export function momentOf(wallMs: number, offsetAt: OffsetAt): number {
  const before = offsetAt(wallMs - DAY_MS)
  const after = offsetAt(wallMs + DAY_MS)
  for (const offset of [before, after]) {
    const moment = wallMs - offset
    if (offsetAt(moment) === offset) return moment
  }
  return changeTo(after, wallMs - after, wallMs - before, offsetAt)
}

/** The first moment after `low` and at most `high` with this offset. */
function changeTo(offsetMs: number, low: number, high: number, offsetAt: OffsetAt): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === offsetMs) high = middle
    else low = middle
  }
  return high
}

/** Local time between two moments as spans with one offset each. */
export function zoneSpans(fromMs: number, untilMs: number, offsetAt: OffsetAt = localOffset): ZoneSpan[] {
  const spans: ZoneSpan[] = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetMs: offsetAt(fromMs) }]
  for (let at = fromMs; at < untilMs; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, untilMs)
    const offsetMs = offsetAt(end)
    if (offsetMs === spans.at(-1)!.offsetMs) continue
    spans.push({ fromMs: changeTo(offsetMs, at, end, offsetAt), offsetMs })
  }
  return spans
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** The date of a day since 1970, as `2026-01-31`. */
export const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().replace(/T.*/, '')

/** 0 for Monday to 6 for Sunday. The first day of 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

export const monthName = (day: number): string => dayName(day).replace(/-\d\d$/, '')

/** The ISO 8601 week of a day, as `2026-W05`. A week belongs to the year of its Thursday. */
export function weekName(day: number): string {
  const monday = day - weekdayOf(day)
  const thursday = new Date((monday + 3) * DAY_MS)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1) / DAY_MS
  return `${thursday.getUTCFullYear()}-W${pad(Math.floor((monday + 3 - first) / 7) + 1)}`
}
