import { WRITING_TOOLS } from '../../../model/writing-tools.ts'
import type { DayFigures, FiguresRequest, MessageFigure, MinuteFigure, UsageFigure } from '../../figures.ts'
import { localTime, type Zone } from '../../local-time.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import { firstItems, WORDS_SENT } from './first-items.ts'
import { countedReplies, FIGURE_COLUMNS, type UsageValues, usageFigure } from './usage-columns.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const TIMELESS = raw('(at IS NULL OR at <= 0)')

const within = (fromMs: number, untilMs: number): Raw =>
  raw(sql`(at >= ${Math.max(fromMs, 1)} AND at < ${untilMs})`)

/**
 * Sums for statistics, day by day. Each reply and each message counts once, wherever it was read. These are
 * plain queries: a materialized view adds up every row that arrives, and a row may arrive again, lose to
 * another one, or be withdrawn.
 */
export function readFigures(scope: Scope, { zone, fromMs, untilMs }: FiguresRequest): DayFigures[] {
  const everything = fromMs === undefined && untilMs === undefined
  const from = Math.ceil(fromMs ?? 0)
  const until = untilMs === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(untilMs) + 1
  const days: Days = new Map()
  if (everything) {
    addUsages(scope, TIMELESS, undefined, days)
    addMessages(scope, TIMELESS, undefined, days)
  }
  addUsages(scope, within(from, until), zone, days)
  for (const [first, end] of monthsWithin(scope, from, until, zone))
    addMessages(scope, within(first, end), zone, days)
  return [...days.values()].sort(
    (a, b) => (a.day ?? Number.NEGATIVE_INFINITY) - (b.day ?? Number.NEGATIVE_INFINITY),
  )
}

function figuresOf(days: Days, day: number | null): DayFigures {
  let figures = days.get(day)
  if (!figures) {
    figures = { day, usage: [], messages: [], hours: [], touched: [] }
    days.set(day, figures)
  }
  return figures
}

/** Longer spans are summed up month by month, so that only the messages of one month are in memory. */
const LONG_MS = 45 * DAY_MS
/** Times that no transcript can have are one span more. */
const LATEST_MS = Date.UTC(2100, 0, 1)

/** Spans that contain all messages of a longer one, with whole local days each. */
function monthsWithin(
  scope: Scope,
  from: number,
  until: number,
  zone: Zone,
): [from: number, until: number][] {
  if (until - from <= LONG_MS) return [[from, until]]
  const months = scope.connection.select<[number]>(
    sql`SELECT DISTINCT toYYYYMM(toDateTime(intDiv(${raw(localTime(zone))}, 1000), 'UTC')) AS month FROM item
      WHERE ${within(from, Math.min(until, LATEST_MS))} ORDER BY month`,
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

const dayOf = (zone: Zone | undefined): Raw =>
  raw(zone ? `intDiv(${localTime(zone)}, ${DAY_MS})` : 'CAST(NULL AS Nullable(Int64))')

type Days = Map<number | null, DayFigures>

function addUsages(scope: Scope, inTime: Raw, zone: Zone | undefined, days: Days): void {
  for (const [of, ...values] of scope.connection.select<[number | null, ...UsageValues]>(
    sql`SELECT ${dayOf(zone)} AS day, ${FIGURE_COLUMNS} FROM ${countedReplies(scope, inTime)}
      GROUP BY day, since, artifact, model, length ORDER BY day, since, model, length`,
  ))
    figuresOf(days, of).usage.push(usageFigure(values))
}

function addMessages(scope: Scope, inTime: Raw, zone: Zone | undefined, days: Days): void {
  const { connection } = scope
  const day = dayOf(zone)
  const counted = firstItems(scope, inTime, {
    of: raw(`i.who IN ('human', 'program', 'agent', 'tool', 'error')`),
    columns: {
      tool: raw('i.tool'),
      sure: raw(`ifNull(i.more NOT LIKE '%"sure":false%', 1)`),
      sent: WORDS_SENT,
    },
  })
  for (const [of, artifact, who, tool, count, words] of connection.select<
    [number | null, number, MessageFigure['who'], string | null, number, number]
  >(sql`SELECT ${day} AS day, artifact, who, tool, count(), sum(if(who = 'human', sent, 0)) FROM ${counted}
      WHERE who IN ('human', 'agent', 'tool', 'error') AND sure = 1 GROUP BY day, since, artifact, who, tool
      ORDER BY day, since, who, tool`))
    figuresOf(days, of).messages.push({ artifact, who, tool, count, words })
  const spoken = firstItems(scope, inTime, { of: raw(`i.who IN ('human', 'program')`), columns: {} })
  if (zone)
    for (const [of, artifact, hour, count] of connection.select<[number | null, number, number, number]>(
      sql`SELECT ${day} AS day, artifact, intDiv(${raw(localTime(zone))}, ${HOUR_MS}) % 24 AS hour, count() FROM ${spoken}
        WHERE who = 'human' GROUP BY day, since, artifact, hour ORDER BY day, since, hour`,
    ))
      figuresOf(days, of).hours.push({ artifact, hour, count })
  const written = firstItems(scope, inTime, {
    of: raw(sql`i.who = 'tool' AND i.target IS NOT NULL AND i.tool IN ${WRITING_TOOLS}`),
    columns: { target: raw('i.target') },
  })
  for (const [of, artifact, path, count] of connection.select<[number | null, number, string, number]>(
    sql`SELECT ${day} AS day, artifact, target, count() FROM ${written}
      GROUP BY day, since, artifact, target ORDER BY day, since, target`,
  ))
    figuresOf(days, of).touched.push({ artifact, path, count })
}

/** Tokens by minute, in chronological order. Replies without a time are left out. */
export function readMinutes(scope: Scope, fromMs: number): MinuteFigure[] {
  return scope.connection
    .select<[number, ...UsageValues]>(
      sql`SELECT intDiv(at, ${MINUTE_MS}) AS minute, ${FIGURE_COLUMNS}
        FROM ${countedReplies(scope, within(fromMs, Number.MAX_SAFE_INTEGER))}
        GROUP BY minute, since, artifact, model, length ORDER BY minute, since, model, length`,
    )
    .map(
      ([minute, ...values]): MinuteFigure => ({
        atMs: minute * MINUTE_MS,
        figure: usageFigure(values) satisfies UsageFigure,
      }),
    )
}
