import { LAST_MS } from '../../../model/json.ts'
import {
  type DayFigures,
  type FiguresRequest,
  localTime,
  type MessageFigure,
  type MinuteFigure,
  type Zone,
} from '../../figures.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import {
  type DirectFiles,
  directFiles,
  messageParts,
  type Part,
  replyParts,
  sharingReplies,
  TIMELESS,
  usageParts,
  writtenParts,
} from './parts.ts'
import {
  FIGURE_COLUMNS,
  hasWholeSlots,
  SLOT_MS,
  slotsWithin,
  type UsageValues,
  usageFigure,
} from './stored.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** After all times, where a slot begins: its day has a date everywhere on earth. */
const FOREVER = Math.floor((LAST_MS - DAY_MS) / SLOT_MS) * SLOT_MS
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

/** Longer spans are divided. */
const LONG_MS = 45 * 86_400_000
/** Times that no transcript can have are one span more. */
const LATEST_MS = Date.UTC(2100, 0, 1)

/**
 * Spans of about a month that contain all messages of a longer one, with whole local days each, so that only
 * the messages of one of them are in memory.
 */
function monthsWithin(scope: Scope, from: number, until: number, zone: Zone): [number, number][] {
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

/** A row of sums. `hour` is that of human messages. */
type MessageValues = [
  artifact: number,
  who: MessageFigure['who'],
  tool: string | null,
  hour: number | null,
  count: number,
  words: number,
]

/** Adds a row to the figures of its day. Rows come in the order of file, `who`, `tool` and `hour`. */
function addMessages(
  { messages, hours }: Pick<DayFigures, 'messages' | 'hours'>,
  [artifact, who, tool, hour, count, words]: MessageValues,
): void {
  const last = messages.at(-1)
  if (last && last.artifact === artifact && last.who === who && last.tool === tool) {
    last.count += count
    last.words += words
  } else messages.push({ artifact, who, tool, count, words })
  if (hour !== null) hours.push({ artifact, hour, count })
}
