import type { DatabaseSync } from 'node:sqlite'
import {
  type DayFigures,
  type FiguresRequest,
  localDaysOf,
  momentsOf,
  TIMELESS_DAY,
  type Zone,
} from '../figures.ts'
import { ifPossible, prepareWrite } from './database.ts'
import { DAY, spanOf } from './days.ts'
import { type Moments, sumUp } from './figures.ts'

/** Raise this when the meaning or the form of the sums changes. */
const VERSION = 6
/** Days at most this far apart are summed in one query. */
const NEAR = 7

/**
 * Sums over the store, day by day. A whole day is summed once and cached until anything in it changes. Parts
 * of days are summed each time. The result is the same if nothing can be cached. Statistics over 300,000
 * messages take 0.4 s with this cache and 1.3 s without.
 */
export function* cachedFigures(
  database: DatabaseSync,
  request: FiguresRequest,
  { daysAtHand, readOnly }: { daysAtHand: DaysAtHand; readOnly: boolean },
): Generator<DayFigures> {
  // One transaction gives one view of the store. If another process writes meanwhile, caching fails, so no
  // outdated sums are cached.
  database.exec('BEGIN')
  try {
    const made = yield* gather(database, request, daysAtHand)
    if (!readOnly && made.size > 0) {
      cacheDays(database, request.zone, made)
      daysAtHand.stillHold()
    }
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

/**
 * The requested figures. Returns the whole days that were summed for them. The others are read one by one,
 * because a year may take 30 MB.
 */
function* gather(
  database: DatabaseSync,
  { zone, fromMs, untilMs }: FiguresRequest,
  atHand: DaysAtHand,
): Generator<DayFigures, ReadonlyMap<number, DayFigures>> {
  const from = fromMs === undefined ? Number.NEGATIVE_INFINITY : Math.ceil(fromMs)
  const until = untilMs === undefined ? Number.POSITIVE_INFINITY : Math.floor(untilMs) + 1
  const parts = new Map<number, Moments>()
  const whole = new Set<number>()
  for (const day of daysOf(database, zone)) {
    const [first, last] = momentsOf(zone, day)
    if (last <= from || first >= until) continue
    if (first < from || last > until) parts.set(day, [Math.max(first, from), Math.min(last, until)])
    else whole.add(day)
  }
  const everything = fromMs === undefined && untilMs === undefined
  if (everything) whole.add(TIMELESS_DAY)
  const held = atHand.days(scopeOf(zone))
  const cached = cachedDays(database, zone)
  const missing = [...whole].filter((day) => !held.has(day) && !cached.has(day))
  const made = addUp(database, zone, new Set(missing))
  // Always in the same order: rounding of dollars depends on it, and rows of equal cost are sorted by them.
  for (const day of [...whole, ...parts.keys()].sort((a, b) => a - b)) {
    const part = parts.get(day)
    if (part) yield* sumUp(database, zone, part).filter((sums) => sums.day === day)
    else yield held.get(day) ?? take(day)
  }
  return made

  function take(day: number): DayFigures {
    const sums = made.get(day) ?? cached.read(day)
    atHand.add(day, sums)
    return sums
  }
}

/** Every local day with stored items, and possibly some others. */
function daysOf(database: DatabaseSync, zone: Zone): Set<number> {
  const days = new Set<number>()
  // Jumps from day to day instead of scanning all rows.
  const stored = database.prepare(`WITH RECURSIVE used (day) AS (
    SELECT min(at) / ${DAY} FROM usage WHERE at > 0 UNION ALL
    SELECT (SELECT min(at) / ${DAY} FROM usage WHERE at >= (day + 1) * ${DAY}) FROM used WHERE day IS NOT NULL)
    SELECT day FROM used WHERE day IS NOT NULL UNION SELECT day FROM day WHERE day >= 0`)
  for (const { day } of stored.iterate()) for (const local of localDaysOf(zone, Number(day))) days.add(local)
  return days
}

/** The days whose sums are cached. */
function cachedDays(database: DatabaseSync, zone: Zone) {
  const scope = scopeOf(zone)
  const days = database.prepare('SELECT day FROM figure WHERE scope = ?').iterate(scope)
  const known = new Set(Array.from(days, ({ day }) => Number(day)))
  const sums = database.prepare('SELECT sums FROM figure WHERE scope = ? AND day = ?')
  return {
    has: (day: number): boolean => known.has(day),
    read: (day: number): DayFigures => unpackFigures(String(sums.get(scope, day)!.sums)),
  }
}

/** The sums of whole days, including empty ones. */
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

/**
 * Spans of time that cover these days: one per group of near days, unless a single span scans fewer messages.
 */
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
  const scannedBy = ([first, last]: Moments): number => {
    const span = spanOf(database, first, last - 1)
    return span ? span.last - span.first + 1 : 0
  }
  const single: Moments = [runs[0]![0], runs.at(-1)![1]]
  return runs.reduce((sum, run) => sum + scannedBy(run), 0) > scannedBy(single) ? [single] : runs
}

/** Caches the sums, unless the disk is full or another process has written since. */
function cacheDays(database: DatabaseSync, zone: Zone, made: ReadonlyMap<number, DayFigures>): void {
  ifPossible(() => {
    const insert = prepareWrite(
      database,
      'INSERT OR REPLACE INTO figure (day, scope, first, last, sums) VALUES (?, ?, ?, ?, ?)',
    )
    for (const [day, sums] of made) {
      const [first, last] = day === TIMELESS_DAY ? [0, 0] : momentsOf(zone, day)
      insert.run(day, scopeOf(zone), first, last, packFigures(sums))
    }
    database.exec('COMMIT')
  })
}

const scopeOf = (zone: Zone): string => JSON.stringify([VERSION, zone])

/** The maximum number of figures in memory, unless the cache is limited further. */
const MOST = 300_000
/** The approximate size of a figure. */
const BYTES = 400

type DaysAtHand = ReturnType<typeof createDaysAtHand>

/** An in-memory cache of the sums of whole days. Call it within a transaction. */
export function createDaysAtHand(database: DatabaseSync) {
  const sql = {
    own: database.prepare('SELECT total_changes() AS written'),
    others: database.prepare('PRAGMA data_version'),
  }
  const ownNow = (): number => Number(sql.own.get()!.written)
  let held = { scope: '', own: -1, others: -1 }
  let days = new Map<number, DayFigures>()
  let figures = 0
  let most = MOST
  return {
    /** The cached days. Empty if anything was written since. */
    days(scope: string): ReadonlyMap<number, DayFigures> {
      const now = { scope, own: ownNow(), others: Number(sql.others.get()!.data_version) }
      if (now.scope !== held.scope || now.own !== held.own || now.others !== held.others) {
        days = new Map()
        figures = 0
        held = now
      }
      return days
    },
    add(day: number, sums: DayFigures): void {
      figures += sums.usage.length + sums.messages.length + sums.hours.length + sums.touched.length
      if (figures <= most) days.set(day, sums)
    },
    /** Call this after own writes that do not change any sums. */
    stillHold(): void {
      held.own = ownNow()
    },
    /** Caches at most this much from now on, in KiB. */
    limit(kibibytes: number): void {
      most = Math.min(MOST, Math.floor((kibibytes * 1024) / BYTES))
      days = new Map()
      held.own = -1
    },
  }
}

/** Rows of equal fields: the names once, then the values of each row. */
interface Packed {
  names: string[]
  rows: unknown[][]
}

const LISTS = ['usage', 'messages', 'hours', 'touched'] as const

/** The sums of a day as JSON without repeated names, which would be 40 % of it. */
const packFigures = ({ day, ...lists }: DayFigures): string =>
  JSON.stringify([day, ...LISTS.map((name) => pack(lists[name]))])

function unpackFigures(text: string): DayFigures {
  const [day, ...packed] = JSON.parse(text) as [number | null, ...Packed[]]
  const lists = LISTS.map((name, index) => [name, unpack(packed[index]!)] as const)
  return { day, ...(Object.fromEntries(lists) as unknown as Omit<DayFigures, 'day'>) }
}

function pack(rows: readonly object[]): Packed {
  const names = Object.keys(rows[0] ?? {})
  return { names, rows: rows.map((row) => names.map((name) => row[name as keyof typeof row])) }
}

const unpack = ({ names, rows }: Packed): object[] =>
  rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index]!] = values[index]
    return row
  })
