import { ScrollbackError } from '../errors.ts'
import { LAST_MS } from '../model/json.ts'
import type { ParseTime } from '../search/query.ts'
import { localOffset, momentOf, type OffsetAt } from '../stats/zone.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
/** A time that has a beginning and an end, and may be said beside the name of a command. */
const SPAN = new RegExp(
  `^(?:(?:this|last) (?:week|month|year)|today|yesterday|this morning|(?:last )?(?:${WEEKDAYS.join('|')})|${MONTHS.join('|')}|20\\d\\d-\\d\\d(?:-\\d\\d)?)$`,
  'i',
)
export const isSpan = (text: string): boolean => SPAN.test(text)

/** The time that people say beside the name of a command, `stats last month`, and the other words. */
export function spanAmong(words: readonly string[]): { span: string; others: string[] } | undefined {
  for (const many of [2, 1])
    for (const at of words.keys()) {
      const span = words.slice(at, at + many).join(' ')
      if (isSpan(span) && span.split(' ').length === many) return { span, others: words.toSpliced(at, many) }
    }
  return undefined
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/**
 * Parses a time: `7d`, `12h`, `30m`, `2w` ago, `today`, `yesterday`, `this morning`, `monday` (the last one,
 * today included), `last week`, `this month`, `october` (the last one, this month included), a date, or a
 * date with a time. A day, a week (from Monday) and a month mean their first moment for `since` and their
 * last for `until`, in local time unless an offset is given.
 */
export function parseTime(
  text: string,
  edge: 'since' | 'until',
  now: number,
  offsetAt: OffsetAt = localOffset,
  flag = `--${edge}`,
): number {
  const wanted = text.trim().toLowerCase()
  const ago = /^(\d+(?:\.\d+)?)\s*([mhdw])$/.exec(wanted)
  if (ago) return now - Number(ago[1]) * UNITS[ago[2]!]!
  if (wanted === 'now') return now
  const edgeOf = (firstWall: number, afterWall: number): number =>
    edge === 'since' ? momentOf(firstWall, offsetAt) : momentOf(afterWall, offsetAt) - 1
  if (wanted === 'today' || wanted === 'yesterday') {
    const today = Math.floor((now + offsetAt(now)) / UNITS.d!) * UNITS.d!
    const day = wanted === 'today' ? today : today - UNITS.d!
    return edgeOf(day, day + UNITS.d!)
  }
  const weekday = WEEKDAYS.indexOf(wanted.replace(/^last /, ''))
  if (weekday >= 0) {
    const today = Math.floor((now + offsetAt(now)) / UNITS.d!) * UNITS.d!
    const ago = (new Date(today).getUTCDay() - weekday + 7) % 7
    const day = today - (ago === 0 && wanted.startsWith('last ') ? 7 : ago) * UNITS.d!
    return edgeOf(day, day + UNITS.d!)
  }
  if (wanted === 'this morning') {
    const today = Math.floor((now + offsetAt(now)) / UNITS.d!) * UNITS.d!
    return edgeOf(today, today + UNITS.d! / 2)
  }
  const span = /^(this|last) (week|month|year)$/.exec(wanted)
  if (span) {
    const wall = new Date(Math.floor((now + offsetAt(now)) / UNITS.d!) * UNITS.d!)
    const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
    const back = span[1] === 'last' ? 1 : 0
    if (span[2] === 'year') return edgeOf(Date.UTC(year - back, 0, 1), Date.UTC(year - back + 1, 0, 1))
    if (span[2] === 'month')
      return edgeOf(Date.UTC(year, month - back, 1), Date.UTC(year, month - back + 1, 1))
    const monday = Date.UTC(year, month, day - ((wall.getUTCDay() + 6) % 7) - 7 * back)
    return edgeOf(monday, monday + UNITS.w!)
  }
  const named = MONTHS.indexOf(wanted)
  if (named >= 0) {
    const wall = new Date(now + offsetAt(now))
    const year = wall.getUTCFullYear() - (named > wall.getUTCMonth() ? 1 : 0)
    return edgeOf(Date.UTC(year, named, 1), Date.UTC(year, named + 1, 1))
  }
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(wanted)
  if (date) {
    const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3] ?? '1')]
    const first = Date.UTC(year, month - 1, day)
    const start = new Date(first)
    if (start.getUTCMonth() === month - 1 && start.getUTCDate() === day)
      return edgeOf(first, date[3] ? first + UNITS.d! : Date.UTC(year, month, 1))
  } else if (/^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}/.test(wanted)) {
    const written = text.trim().replace(' ', 'T')
    const hasZone = /(?:z|[+-]\d{2}:?\d{2})$/i.test(written.slice(11))
    const time = Date.parse(hasZone ? written : `${written}Z`)
    if (!Number.isNaN(time)) return hasZone ? time : momentOf(time, offsetAt)
  }
  throw new ScrollbackError(
    'bad-time',
    `${flag}: invalid time "${text}"`,
    'Use 7d, 12h, 2w, today, yesterday, monday, last week, this month, october, 2026-01-31, 2026-01 or 2026-01-31T14:00.',
  )
}

/** `0.4s`, `14s`, `1m 29s`, `2h 5m`. */
export function duration(ms: number | null): string {
  if (ms === null) return '-'
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  return seconds < 3600
    ? `${Math.floor(seconds / 60)}m ${seconds % 60}s`
    : `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}

/** The same, but undefined for an invalid time. */
export const timeOrUndefined: ParseTime = (text, edge, now) => {
  try {
    return parseTime(text, edge, now)
  } catch (error) {
    if (error instanceof ScrollbackError) return undefined
    throw error
  }
}

/** A time in ms as text for JSON. Null if it is unknown, or beyond what a date can represent. */
export const isoTime = (ms: number | null | undefined): string | null =>
  ms == null || Math.abs(ms) > LAST_MS ? null : new Date(ms).toISOString()
