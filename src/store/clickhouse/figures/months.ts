import { localTime, type Zone } from '../../local-time.ts'
import { raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'

const DAY_MS = 86_400_000
/** Longer spans are divided. */
const LONG_MS = 45 * DAY_MS
/** Times that no transcript can have are one span more. */
const LATEST_MS = Date.UTC(2100, 0, 1)

/**
 * Spans of about a month that contain all messages of a longer one, with whole local days each, so that only
 * the messages of one of them are in memory.
 */
export function monthsWithin(scope: Scope, from: number, until: number, zone: Zone): [number, number][] {
  if (until - from <= LONG_MS) return [[from, until]]
  const months = scope.connection.select<[number]>(
    sql`SELECT DISTINCT toYYYYMM(toDateTime(intDiv(${raw(localTime(zone))}, 1000), 'UTC')) AS month FROM item
      WHERE at >= ${Math.max(from, 1)} AND at < ${Math.min(until, LATEST_MS)} ORDER BY month`,
  )
  const spans = months.map(([month]): [number, number] => {
    const [year, number] = [Math.floor(month / 100), (month % 100) - 1]
    return [
      Math.max(from, localMidnight(Date.UTC(year, number, 1), zone)),
      Math.min(until, LATEST_MS, localMidnight(Date.UTC(year, number + 1, 1), zone)),
    ]
  })
  if (until > LATEST_MS) spans.push([Math.max(from, LATEST_MS), until])
  return spans
}

/** When a day begins there, whose name is that of a day of UTC. */
function localMidnight(day: number, zone: Zone): number {
  const offset = (at: number): number => (zone.findLast(({ fromMs }) => fromMs <= at) ?? zone[0]!).offsetMs
  // The offset at that moment is not known before the moment is.
  return day - offset(day - offset(day))
}
