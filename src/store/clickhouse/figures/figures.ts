import type { DayFigures, FiguresRequest, MinuteFigure } from '../../figures.ts'
import { localTime, type Zone } from '../../local-time.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { LATEST_MS as TIMES_MS } from '../read/well-formed.ts'
import type { Scope } from '../scope.ts'
import { addMessages, type MessageValues } from './add-messages.ts'
import { type DirectFiles, directFiles, sharingReplies } from './direct-files.ts'
import { monthsWithin } from './months.ts'
import { messageParts, type Part, replyParts, TIMELESS, usageParts, writtenParts } from './parts.ts'
import { hasWholeSlots, SLOT_MS, slotsWithin } from './slots.ts'
import { FIGURE_COLUMNS, type UsageValues, usageFigure } from './usage-columns.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** After all times, where a slot begins: its day has a date everywhere on earth. */
const FOREVER = Math.floor((TIMES_MS - DAY_MS) / SLOT_MS) * SLOT_MS
/** With more lines in the files whose rows are read, these are read month by month. */
const MOST_LINES = 1_000_000

const within = (fromMs: number, untilMs: number): Raw =>
  raw(sql`(at >= ${Math.max(fromMs, 1)} AND at < ${untilMs})`)

/**
 * Sums for statistics, day by day. Each reply and each message counts once, wherever it was read. Most files
 * share nothing with others, so that their stored sums can be added up. Of the others, the rows are read.
 */
export function readFigures(scope: Scope, { zone, fromMs, untilMs }: FiguresRequest): DayFigures[] {
  const everything = fromMs === undefined && untilMs === undefined
  const from = Math.max(0, Math.ceil(fromMs ?? 0))
  const until = untilMs === undefined ? FOREVER : Math.min(FOREVER, Math.floor(untilMs) + 1)
  const slots = slotsWithin(from, until)
  const direct = hasWholeSlots(zone) ? directFiles(scope, everything ? undefined : slots) : undefined
  const days: Days = new Map()
  if (everything) {
    addUsages(scope, { ...TIMELESS, direct }, undefined, days)
    addItems(scope, { ...TIMELESS, direct }, undefined, days)
  }
  addUsages(scope, { inTime: within(from, until), slots, direct }, zone, days)
  const spans = isLittle(scope, direct) ? [[from, until] as const] : monthsWithin(scope, from, until, zone)
  for (const [first, end] of spans)
    addItems(scope, { inTime: within(first, end), slots: slotsWithin(first, end), direct }, zone, days)
  return [...days.values()].sort(
    (a, b) => (a.day ?? Number.NEGATIVE_INFINITY) - (b.day ?? Number.NEGATIVE_INFINITY),
  )
}

/** Whether few rows have to be read. */
function isLittle({ connection }: Scope, direct: DirectFiles | undefined): boolean {
  if (direct === undefined) return false
  if (direct.messages.length === 0) return true
  const [[lines] = [0]] = connection.select<[number]>(
    sql`SELECT sum(line) FROM artifact FINAL WHERE id IN ${direct.messages}`,
  )
  return lines <= MOST_LINES
}

type Days = Map<number | null, DayFigures>

function figuresOf(days: Days, day: number | null): DayFigures {
  let figures = days.get(day)
  if (!figures) {
    figures = { day, usage: [], messages: [], hours: [], touched: [] }
    days.set(day, figures)
  }
  return figures
}

const dayOf = (zone: Zone | undefined): Raw =>
  raw(zone ? `intDiv(${localTime(zone)}, ${DAY_MS})` : 'CAST(NULL AS Nullable(Int64))')

/** Only humans have hours. */
const hourOf = (zone: Zone | undefined): Raw =>
  raw(zone ? `if(who = 'human', intDiv(${localTime(zone)}, ${HOUR_MS}) % 24, NULL)` : 'NULL')

function addUsages(scope: Scope, part: Part, zone: Zone | undefined, days: Days): void {
  for (const [of, ...values] of scope.connection.select<[number | null, ...UsageValues]>(
    sql`SELECT ${dayOf(zone)} AS day, ${FIGURE_COLUMNS} FROM ${usageParts(scope, part)}
      GROUP BY day, age, artifact, model, length ORDER BY day, age, artifact, model, length`,
  ))
    figuresOf(days, of).usage.push(usageFigure(values))
}

function addItems(scope: Scope, part: Part, zone: Zone | undefined, days: Days): void {
  for (const [of, ...values] of scope.connection.select<[number | null, ...MessageValues]>(
    sql`SELECT ${dayOf(zone)} AS day, artifact, who, tool, ${hourOf(zone)} AS hour, sum(count), sum(words)
      FROM ${messageParts(scope, part)} GROUP BY day, age, artifact, who, tool, hour
      ORDER BY day, age, artifact, who, tool, hour`,
  ))
    addMessages(figuresOf(days, of), values)
  for (const [of, artifact, path, count] of scope.connection.select<[number | null, number, string, number]>(
    sql`SELECT ${dayOf(zone)} AS day, artifact, path, sum(count) FROM ${writtenParts(scope, part)}
      GROUP BY day, artifact, path`,
  ))
    figuresOf(days, of).touched.push({ artifact, path, count })
}

/** Tokens by minute, in chronological order. Replies without a time are left out. */
export function readMinutes(scope: Scope, fromMs: number): MinuteFigure[] {
  return scope.connection
    .select<[number, ...UsageValues]>(
      sql`SELECT intDiv(at, ${MINUTE_MS}) AS minute, ${FIGURE_COLUMNS}
        FROM ${replyParts(scope, within(fromMs, FOREVER), sharingReplies(scope))}
        GROUP BY minute, age, artifact, model, length ORDER BY minute, age, artifact, model, length`,
    )
    .map(([minute, ...values]): MinuteFigure => ({ atMs: minute * MINUTE_MS, figure: usageFigure(values) }))
}
