import { WRITING_TOOLS } from '../../../model/writing-tools.ts'
import type { DayFigures, FiguresRequest, MessageFigure, MinuteFigure, UsageFigure } from '../../figures.ts'
import { localTime, type Zone } from '../../local-time.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import { firstItems } from './first-items.ts'
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
  return [
    ...(everything ? sumUp(scope, TIMELESS, undefined) : []),
    ...sumUp(scope, within(from, until), zone).sort((one, other) => one.day! - other.day!),
  ]
}

function sumUp(scope: Scope, inTime: Raw, zone: Zone | undefined): DayFigures[] {
  const { connection } = scope
  const days = new Map<number | null, DayFigures>()
  const figuresOf = (day: number | null): DayFigures => {
    let figures = days.get(day)
    if (!figures) {
      figures = { day, usage: [], messages: [], hours: [], touched: [] }
      days.set(day, figures)
    }
    return figures
  }
  const day = raw(zone ? `intDiv(${localTime(zone)}, ${DAY_MS})` : 'CAST(NULL AS Nullable(Int64))')
  for (const [of, ...values] of connection.select<[number | null, ...UsageValues]>(
    sql`SELECT ${day} AS day, ${FIGURE_COLUMNS} FROM ${countedReplies(scope, inTime)}
      GROUP BY day, since, artifact, model, length ORDER BY day, since, model, length`,
  ))
    figuresOf(of).usage.push(usageFigure(values))
  const first = firstItems(scope, inTime)
  for (const [of, artifact, who, tool, count, words] of connection.select<
    [number | null, number, MessageFigure['who'], string | null, number, number]
  >(sql`SELECT ${day} AS day, artifact, who, tool, count(), sum(words) FROM ${first}
      WHERE who IN ('human', 'agent', 'tool', 'error') AND sure = 1 GROUP BY day, since, artifact, who, tool
      ORDER BY day, since, who, tool`))
    figuresOf(of).messages.push({ artifact, who, tool, count, words })
  if (zone)
    for (const [of, artifact, hour, count] of connection.select<[number | null, number, number, number]>(
      sql`SELECT ${day} AS day, artifact, intDiv(${raw(localTime(zone))}, ${HOUR_MS}) % 24 AS hour, count() FROM ${first}
        WHERE who = 'human' GROUP BY day, since, artifact, hour ORDER BY day, since, hour`,
    ))
      figuresOf(of).hours.push({ artifact, hour, count })
  for (const [of, artifact, path, count] of connection.select<[number | null, number, string, number]>(
    sql`SELECT ${day} AS day, artifact, target, count() FROM ${first}
      WHERE who = 'tool' AND target IS NOT NULL AND tool IN ${WRITING_TOOLS}
      GROUP BY day, since, artifact, target ORDER BY day, since, target`,
  ))
    figuresOf(of).touched.push({ artifact, path, count })
  return [...days.values()]
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
