import { LAST_MS } from '../../../model/json.ts'
import { isEditing } from '../../../model/tool-kind.ts'
import { LENGTH_STEPS } from '../../../model/usage.ts'
import {
  type DayFigures,
  type FiguresRequest,
  localTime,
  type MessageFigure,
  type MinuteFigure,
  type UsageFigure,
  type Zone,
} from '../../figures.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { filesOf, IS_THERE, type Scope, SPEAKER, toolsOf } from '../scope.ts'
import { MOST } from './well-formed.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** After all times: its day has a date everywhere on earth. */
const FOREVER = LAST_MS - DAY_MS

const within = (fromMs: number, untilMs: number): Raw =>
  raw(sql`(at >= ${Math.max(fromMs, 1)} AND at < ${untilMs})`)

/** With more items than this, they are summed up month by month, so that only one month is in memory. */
const SMALL = 2_000_000
/** Everything that has no time. */
const TIMELESS = raw('(at IS NULL OR at <= 0)')

/** Sums for statistics, day by day. Each reply and each message counts once, wherever it was read. */
export function readFigures(scope: Scope, { zone, fromMs, untilMs }: FiguresRequest): DayFigures[] {
  const from = Math.max(0, Math.ceil(fromMs ?? 0))
  const until = untilMs === undefined ? FOREVER : Math.min(FOREVER, Math.floor(untilMs) + 1)
  const days: Days = new Map()
  if (fromMs === undefined && untilMs === undefined) {
    addUsages(scope, TIMELESS, undefined, days)
    addItems(scope, TIMELESS, undefined, days)
  }
  addUsages(scope, within(from, until), zone, days)
  const spans =
    scope.overview().items <= SMALL ? [[from, until] as const] : monthsWithin(scope, from, until, zone)
  for (const [first, end] of spans) addItems(scope, within(first, end), zone, days)
  return [...days.values()].sort(
    (a, b) => (a.day ?? Number.NEGATIVE_INFINITY) - (b.day ?? Number.NEGATIVE_INFINITY),
  )
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

function addUsages(scope: Scope, inTime: Raw, zone: Zone | undefined, days: Days): void {
  for (const [of, ...values] of scope.connection.select<[number | null, ...UsageValues]>(
    sql`SELECT ${dayOf(zone)} AS day, ${FIGURE_COLUMNS} FROM ${replies(scope, inTime)}
      GROUP BY day, age, artifact, model, length ORDER BY day, age, artifact, model, length`,
  ))
    figuresOf(days, of).usage.push(usageFigure(values))
}

/** What needs the path of a tool call is summed up apart, because few items have one. */
function addItems(scope: Scope, inTime: Raw, zone: Zone | undefined, days: Days): void {
  const [day, hour] = [dayOf(zone).sql, hourOf(zone).sql]
  const shared = comparedItems(scope, inTime)
  for (const [of, ...values] of scope.connection.select<[number | null, ...MessageValues]>(
    messageSums(scope, inTime, shared, SPOKEN, { day, artifact: 'artifact', who: 'who', tool: 'tool', hour }),
  ))
    addMessages(figuresOf(days, of), values)
  for (const [of, artifact, tool, target, count] of scope.connection.select<
    [number | null, number, string, string, number]
  >(
    messageSums(scope, inTime, shared, written(scope), {
      day,
      artifact: 'artifact',
      tool: 'tool',
      target: 'target',
    }),
  ))
    figuresOf(days, of).touched.push({ artifact, tool, target, count })
}

/** Tokens by minute, in chronological order. Replies without a time are left out. */
export function readMinutes(scope: Scope, fromMs: number): MinuteFigure[] {
  return scope.connection
    .select<[number, ...UsageValues]>(
      sql`SELECT intDiv(at, ${MINUTE_MS}) AS minute, ${FIGURE_COLUMNS} FROM ${replies(scope, within(fromMs, FOREVER))}
        GROUP BY minute, age, artifact, model, length ORDER BY minute, age, artifact, model, length`,
    )
    .map(([minute, ...values]): MinuteFigure => ({ atMs: minute * MINUTE_MS, figure: usageFigure(values) }))
}

/** The same as `lengthOf`. */
const LENGTH = LENGTH_STEPS.map(
  (step) => `(u.reply > 0 AND u.input + u.cacheRead + u.cacheWrite > ${step})`,
).join(' + ')

const ofReply = (value: string): string => `if(u.reply > 0, ${value}, 0)`
const stated = (value: string): string => `if(u.reply < 0, ${value}, 0)`

/** The sums of a `UsageFigure`, in order, and what a row `u` of `usage` adds to each. */
const PARTS = {
  replies: 'u.reply > 0',
  input: ofReply('u.input'),
  output: ofReply('u.output'),
  cacheRead: ofReply('u.cacheRead'),
  cacheWrite: ofReply('u.cacheWrite'),
  cacheWriteHour: ofReply('least(u.cacheWriteHour, u.cacheWrite)'),
  reasoning: ofReply('least(u.reasoning, u.output)'),
  recorded: 'ifNull(u.cost, 0)',
  recordedReplies: 'isNotNull(u.cost)',
  statedInput: stated('u.input'),
  statedOutput: stated('u.output'),
  statedCacheRead: stated('u.cacheRead'),
  statedCacheWrite: stated('u.cacheWrite'),
} as const satisfies Partial<Record<keyof UsageFigure, string>>

const USAGE_SUMS = Object.keys(PARTS) as (keyof typeof PARTS)[]
const NAMES = ['artifact', 'model', 'length', ...USAGE_SUMS] as const

/** Length and sums of single rows `u` of `usage`, by the names that these have in a `UsageFigure`. */
const USAGE_PARTS: Raw = raw(
  [`toUInt8(${LENGTH}) AS length`, ...USAGE_SUMS.map((name) => `${PARTS[name]} AS ${name}`)].join(', '),
)

const FIGURE_COLUMNS: Raw = raw(
  ['artifact', 'model', 'length', ...USAGE_SUMS.map((name) => `sum(${name})`)].join(', '),
)

type UsageValues = readonly (number | string | null)[]

const usageFigure = (values: UsageValues): UsageFigure =>
  Object.fromEntries(NAMES.map((name, index) => [name, values[index]])) as unknown as UsageFigure

/** Sums that no reply can have are left out, so that they do not spoil a total. */
const IS_SOUND: Raw = raw(
  ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'reasoning', 'ifNull(cost, 0)']
    .map((name) => `${name} BETWEEN 0 AND ${MOST}`)
    .join(' AND '),
)

/** More shared rows than these are looked up again in each statement. */
const MOST_SHARED = 5000

/** What several rows have, as a list for `IN`. Undefined if nothing is. */
function sharedIn({ connection }: Scope, keys: 'reply' | 'record, digest', from: Raw): Raw | undefined {
  const shared = sql`SELECT ${raw(keys)} FROM ${from} GROUP BY ${raw(keys)} HAVING count() > 1`
  const rows = connection.select<number[]>(sql`${raw(shared)} LIMIT ${MOST_SHARED + 1}`)
  if (rows.length === 0) return undefined
  return raw(`(${rows.length > MOST_SHARED ? shared : rows.map((row) => `(${row.join(', ')})`).join(', ')})`)
}

/**
 * Every reply once: of all files that contain it, that with the most output, because the largest numbers are
 * the latest. Few replies are in several files, and only those are compared.
 */
function replies(scope: Scope, inTime: Raw): Raw {
  const here = raw(sql`SELECT reply FROM usage WHERE ${inTime}`)
  const shared = sharedIn(scope, 'reply', raw(sql`usage WHERE reply IN (${here})`))
  const rows = (which: Raw): Raw =>
    raw(sql`(SELECT u.*, a.age AS age FROM (SELECT * FROM usage FINAL WHERE ${which} AND ${IS_SOUND}) AS u
      INNER JOIN ${filesOf(scope, 'id')} ON a.id = u.artifact)`)
  const own = rows(raw(sql`${inTime} ${raw(shared ? `AND reply NOT IN ${shared.sql}` : '')}`))
  const first = shared
    ? sql`UNION ALL SELECT * FROM (SELECT * FROM ${rows(raw(`reply IN ${shared.sql}`))} ORDER BY output DESC, age LIMIT 1 BY reply)
      WHERE ${inTime}`
    : ''
  return raw(sql`(SELECT u.at AS at, u.artifact AS artifact, u.age AS age, u.model AS model, ${USAGE_PARTS}
    FROM (SELECT * FROM ${own} ${raw(first)}) AS u)`)
}

/** Which items `i` matter, what is needed of them besides file, speaker and time, and what is summed up. */
interface FirstColumns {
  /** It must be the same for all occurrences of a message. */
  of: Raw
  columns: Readonly<Record<string, string>>
  /** Which of them count. */
  where: string
  sums: Readonly<Record<string, string>>
}

/** Numbers of messages and words. What a fork copied as a program's may be a human's. */
const SPOKEN: FirstColumns = {
  of: raw(sql`i.who IN ${['human', 'program', 'agent', 'tool', 'error']}`),
  columns: { tool: 'i.tool', unsure: 'i.unsure', spoken: 'i.spoken' },
  where: `who <> 'program' AND unsure = 0`,
  sums: { count: 'count()', words: `sum(if(who = 'human', spoken, 0))` },
}

/** Changes of files: calls without those that failed or were declined. */
const written = (scope: Scope): FirstColumns => ({
  of: raw(
    sql`(i.who IN ${['tool', 'error']} OR i.who = 'marker' AND JSONExtractString(ifNull(i.more, ''), 'marker') = 'denial') AND i.tool IN ${toolsOf(scope, (all) => all.filter(isEditing))} AND isNotNull(i.target)`,
  ),
  columns: { tool: 'i.tool', target: 'i.target', unsure: 'i.unsure' },
  where: 'unsure = 0',
  sums: { count: `sum(if(who = 'tool', 1, -1))` },
})

/**
 * Sums over every message once, of the file that it belongs to, without those that were removed from all
 * files. Most messages are in one file, and are summed up before it is looked at whether they were removed.
 * Only the others, and those of files with a part that was cut off, are compared one by one.
 */
function messageSums(
  scope: Scope,
  inTime: Raw,
  shared: Raw | undefined,
  { of, columns, where, sums }: FirstColumns,
  keys: Record<string, string>,
): string {
  const selected = raw(listed({ ...keys, ...sums }))
  const [byNames, summed] = [
    raw(Object.keys(keys).join(', ')),
    raw(
      Object.keys(sums)
        .map((name) => `sum(${name})`)
        .join(', '),
    ),
  ]
  const items = (needed: string, which: string): Raw =>
    raw(sql`(SELECT ${raw(needed)} FROM item AS i FINAL WHERE ${inTime} AND ${of} AND ${raw(which)})`)
  const own = { artifact: 'i.artifact', generation: 'i.generation', who: 'i.who', at: 'i.at', ...columns }
  const firsts = Object.entries({ artifact: 'i.artifact', at: 'i.at', ...columns }).map(
    ([name, value]) => `argMin(${value}, a.age) AS ${name}`,
  )
  const compared = shared
    ? sql`UNION ALL SELECT ${selected}, any(generation), age FROM (
      SELECT ${SPEAKER} AS who, any(i.generation) AS generation, min(a.age) AS age, ${raw(firsts.join(', '))}
      FROM ${items('*', shared.sql)} AS i
      INNER JOIN ${filesOf(scope, 'id, generation, settled, cuts')} ON a.id = i.artifact
      GROUP BY i.record, i.digest HAVING max(${IS_THERE}))
      WHERE ${raw(where)} GROUP BY ${byNames}, age`
    : ''
  return sql`SELECT ${byNames}, ${summed} FROM (
    SELECT s.*, a.age AS age FROM (
      SELECT ${selected}, generation FROM ${items(listed(own), shared ? `NOT ${shared.sql}` : '1')}
      WHERE ${raw(where)} GROUP BY ${byNames}, generation) AS s
    INNER JOIN ${filesOf(scope, 'id, settled')} ON a.id = s.artifact WHERE s.generation >= a.settled
    ${raw(compared)}) GROUP BY age, ${byNames} ORDER BY day, age, ${byNames}`
}

/**
 * The condition for items that have to be compared: those that several files have, or that may be cut off.
 */
function comparedItems(scope: Scope, inTime: Raw): Raw | undefined {
  const shared = sharedIn(scope, 'record, digest', raw(sql`item WHERE ${inTime}`))
  const { cut } = scope.overview()
  const either = [
    ...(shared ? [`(i.record, i.digest) IN ${shared.sql}`] : []),
    ...(cut.length > 0 ? [sql`i.artifact IN ${cut}`] : []),
  ]
  return either.length === 0 ? undefined : raw(`(${either.join(' OR ')})`)
}

const listed = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, value]) => (name === value ? name : `${value} AS ${name}`))
    .join(', ')

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
