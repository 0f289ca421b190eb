import type { DatabaseSync } from 'node:sqlite'
import { append, largest, smallest } from '../../model/lists.ts'
import type { DayFigures, FiguresRequest } from '../figures.ts'
import { DAY, spanOf } from './calendar.ts'
import type { DaysAtHand } from './days-at-hand.ts'
import { isBusy, isFull } from './faults.ts'
import { type Moments, sumUp } from './figures.ts'
import { localDaysOf, momentsOf, TIMELESS_DAY, type Zone } from './local-time.ts'

/** Grows when sums mean something else. */
const VERSION = 3
/** Days that lie no further apart are added up in one go. */
const NEAR = 7

/**
 * Sums over what is stored, day by day. A whole day is added up once and kept until anything of it changes; what is asked of a part of a
 * day is added up each time. Where nothing can be kept the answer is the same.
 */
export function keptFigures(
  database: DatabaseSync,
  request: FiguresRequest,
  { atHand, readOnly }: { atHand: DaysAtHand; readOnly: boolean },
): DayFigures[] {
  // One view of the store however long it takes: who writes meanwhile makes keeping fail, so that nothing outdated is kept.
  database.exec('BEGIN')
  try {
    const { figures, made } = gather(database, request, atHand)
    if (!readOnly && made.size > 0) {
      keep(database, request.zone, made)
      atHand.stillHold()
    }
    return figures
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

/** What is asked for, and the whole days that had to be added up for it. */
function gather(database: DatabaseSync, { zone, fromMs, untilMs }: FiguresRequest, atHand: DaysAtHand) {
  const from = fromMs === undefined ? Number.NEGATIVE_INFINITY : Math.ceil(fromMs)
  const until = untilMs === undefined ? Number.POSITIVE_INFINITY : Math.floor(untilMs) + 1
  const parts = new Map<number, Moments>()
  const wanted = new Set<number>()
  for (const day of daysOf(database, zone)) {
    const [first, last] = momentsOf(zone, day)
    if (last <= from || first >= until) continue
    if (first < from || last > until) parts.set(day, [Math.max(first, from), Math.min(last, until)])
    else wanted.add(day)
  }
  const everything = fromMs === undefined && untilMs === undefined
  if (everything) wanted.add(TIMELESS_DAY)
  const figures: DayFigures[] = []
  for (const [day, within] of parts)
    append(
      figures,
      sumUp(database, zone, within).filter((sums) => sums.day === day),
    )
  for (const [day, sums] of atHand.days(scopeOf(zone))) if (wanted.delete(day)) figures.push(sums)
  const take = (day: number, sums: DayFigures): void => {
    figures.push(sums)
    atHand.add(day, sums)
  }
  if (wanted.size > 0)
    for (const [day, sums] of kept(database, zone, smallest(wanted), largest(wanted)))
      if (wanted.delete(day)) take(day, sums)
  const made = addUp(database, zone, wanted)
  for (const [day, sums] of made) take(day, sums)
  // Always in the same order: sums of dollars depend on it a little, and what costs the same is ordered by them.
  figures.sort((a, b) => (a.day ?? TIMELESS_DAY) - (b.day ?? TIMELESS_DAY))
  return { figures, made }
}

/** Every local day of which anything is stored, and perhaps some more. */
function daysOf(database: DatabaseSync, zone: Zone): Set<number> {
  const days = new Set<number>()
  // By leaps from day to day, not token by token.
  const stored = database.prepare(`WITH RECURSIVE used (day) AS (
    SELECT min(at) / ${DAY} FROM usage WHERE at > 0 UNION ALL
    SELECT (SELECT min(at) / ${DAY} FROM usage WHERE at >= (day + 1) * ${DAY}) FROM used WHERE day IS NOT NULL)
    SELECT day FROM used WHERE day IS NOT NULL UNION SELECT day FROM day WHERE day >= 0`)
  for (const { day } of stored.iterate()) for (const local of localDaysOf(zone, Number(day))) days.add(local)
  return days
}

function* kept(
  database: DatabaseSync,
  zone: Zone,
  first: number,
  last: number,
): Generator<[number, DayFigures]> {
  const rows = database.prepare('SELECT day, sums FROM figure WHERE scope = ? AND day BETWEEN ? AND ?')
  for (const { day, sums } of rows.iterate(scopeOf(zone), first, last))
    yield [Number(day), JSON.parse(String(sums)) as DayFigures]
}

/** The sums of whole days, also of those on which there was nothing. */
function addUp(database: DatabaseSync, zone: Zone, days: ReadonlySet<number>): Map<number, DayFigures> {
  const made = new Map<number, DayFigures>()
  for (const day of days)
    made.set(day, { day: day === TIMELESS_DAY ? null : day, usage: [], messages: [], hours: [], touched: [] })
  if (days.has(TIMELESS_DAY))
    for (const sums of sumUp(database, zone, undefined)) made.set(TIMELESS_DAY, sums)
  for (const run of runsOf(database, zone, days))
    for (const sums of sumUp(database, zone, run)) if (days.has(sums.day!)) made.set(sums.day!, sums)
  return made
}

/** Stretches of time that hold all of these days: several, unless they would look at more messages than a single one. */
function runsOf(database: DatabaseSync, zone: Zone, days: ReadonlySet<number>): Moments[] {
  const runs: Moments[] = []
  let before = Number.NEGATIVE_INFINITY
  for (const day of [...days].sort((a, b) => a - b)) {
    if (day === TIMELESS_DAY) continue
    const [first, last] = momentsOf(zone, day)
    if (day - before > NEAR) runs.push([first, last])
    else runs.push([runs.pop()![0], last])
    before = day
  }
  if (runs.length < 2) return runs
  const lookedAt = ([first, last]: Moments): number => {
    const span = spanOf(database, first, last - 1)
    return span ? span.last - span.first + 1 : 0
  }
  const single: Moments = [runs[0]![0], runs.at(-1)![1]]
  return runs.reduce((sum, run) => sum + lookedAt(run), 0) > lookedAt(single) ? [single] : runs
}

/** Keeps what was added up, where there is room and nobody wrote since. */
function keep(database: DatabaseSync, zone: Zone, made: ReadonlyMap<number, DayFigures>): void {
  try {
    const insert = database.prepare(
      'INSERT OR REPLACE INTO figure (day, scope, first, last, sums) VALUES (?, ?, ?, ?, ?)',
    )
    for (const [day, sums] of made) {
      const [first, last] = day === TIMELESS_DAY ? [0, 0] : momentsOf(zone, day)
      insert.run(day, scopeOf(zone), first, last, JSON.stringify(sums))
    }
    database.exec('COMMIT')
  } catch (error) {
    if (!isBusy(error) && !isFull(error)) throw error
  }
}

const scopeOf = (zone: Zone): string => JSON.stringify([VERSION, zone])
