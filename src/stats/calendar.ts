const DAY_MS = 86_400_000

const pad = (value: number): string => String(value).padStart(2, '0')

/** `2026-01-31` of a day since 1970. */
export const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export const monthName = (day: number): string => dayName(day).slice(0, 7)

/** `2026-W05`, by ISO 8601: a week belongs to the year that its Thursday is in. */
export function weekName(day: number): string {
  const monday = day - ((day + 3) % 7)
  const thursday = new Date((monday + 3) * DAY_MS)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1) / DAY_MS
  return `${thursday.getUTCFullYear()}-W${pad(Math.floor((monday + 3 - first) / 7) + 1)}`
}
