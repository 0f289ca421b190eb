const DAY_MS = 86_400_000

const pad = (value: number): string => String(value).padStart(2, '0')

/** The date of a day since 1970, as `2026-01-31`. */
export const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** 0 for Monday to 6 for Sunday. The first day of 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

export const monthName = (day: number): string => dayName(day).slice(0, 7)

/** The ISO 8601 week of a day, as `2026-W05`. A week belongs to the year of its Thursday. */
export function weekName(day: number): string {
  const monday = day - weekdayOf(day)
  const thursday = new Date((monday + 3) * DAY_MS)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1) / DAY_MS
  return `${thursday.getUTCFullYear()}-W${pad(Math.floor((monday + 3 - first) / 7) + 1)}`
}
