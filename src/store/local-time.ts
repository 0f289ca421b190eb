import { largest, smallest } from '../model/iteration.ts'
import type { ZoneSpan } from './figures.ts'

export type Zone = readonly ZoneSpan[]

/** The day number of everything that has no time. Real days begin with 0. */
export const TIMELESS_DAY = -1
const DAY_MS = 86_400_000

/** SQL for the local time of a column `at`, in ms since 1970. The same in every engine. */
export function localTime(zone: Zone): string {
  const [first, ...rest] = zone
  const cases = rest.toReversed().map(({ fromMs, offsetMs }) => `WHEN at >= ${fromMs} THEN at + ${offsetMs}`)
  const begin = `at + ${first!.offsetMs}`
  return cases.length === 0 ? `(${begin})` : `(CASE ${cases.join(' ')} ELSE ${begin} END)`
}

/**
 * The widest span of a local day in ms, since days with a clock change can be longer. Day 0 includes
 * everything before it.
 */
export function momentsOf(zone: Zone, day: number): readonly [fromMs: number, untilMs: number] {
  const offsets = zone.map(({ offsetMs }) => offsetMs)
  return [day === 0 ? 0 : day * DAY_MS - largest(offsets), (day + 1) * DAY_MS - smallest(offsets)]
}

/** When the local day began that contains this time, in ms. */
export function startOfDay(zone: Zone, atMs: number): number {
  const { offsetMs } = zone.findLast(({ fromMs }) => atMs >= fromMs) ?? zone[0]!
  return Math.floor((atMs + offsetMs) / DAY_MS) * DAY_MS - offsetMs
}

/** All local days that overlap a UTC day. */
export function localDaysOf(zone: Zone, day: number): number[] {
  const offsets = zone.map(({ offsetMs }) => offsetMs)
  const first = Math.floor((day * DAY_MS + smallest(offsets)) / DAY_MS)
  const last = Math.floor(((day + 1) * DAY_MS - 1 + largest(offsets)) / DAY_MS)
  return Array.from({ length: last - first + 1 }, (_, index) => Math.max(0, first + index))
}
