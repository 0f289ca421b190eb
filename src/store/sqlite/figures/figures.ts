import type { DatabaseSync } from 'node:sqlite'
import { WRITING_TOOLS } from '../../../model/fold/tool-arguments.ts'
import { LENGTH_STEPS } from '../../../model/usage.ts'
import type {
  DayFigures,
  HourFigure,
  MessageFigure,
  MinuteFigure,
  TouchFigure,
  UsageFigure,
} from '../../figures.ts'
import type { Zone } from '../../local-time.ts'
import { SPEAKERS, speakerNumber } from '../../speakers.ts'
import { spanOf } from './calendar.ts'
import { dayOf, hourOf } from './local-time.ts'
import { createMerger } from './merger.ts'
import { type Moments, type SliceLimits, SMALL_SLICES, slicesOfIds, slicesOfTime } from './slices.ts'

const HUMAN = speakerNumber('human')
const COUNTED = ['human', 'agent', 'tool', 'error'] as const
/** Excludes possible errors. */
const SURE = `(m.more IS NULL OR m.more NOT LIKE '%"sure":false%')`
/** One by one, because SQLite would not look them up together. */
const TIMELESS = ['at IS NULL', 'at <= 0']
/** The same as `lengthOf`. */
const LENGTH = LENGTH_STEPS.map((step) => `(reply > 0 AND input + cache_read + cache_write > ${step})`).join(
  ' + ',
)
const REPLIES = 'FILTER (WHERE reply > 0)'
const STATED = 'FILTER (WHERE reply < 0)'
/** Matches the end of a word. */
const SPACE = /\s/

const MINUTE_MS = 60_000
/** The columns of a `UsageFigure`. */
const USAGE = `artifact, model, ${LENGTH} AS length, count(*) ${REPLIES} AS replies,
      total(input) ${REPLIES} AS input, total(output) ${REPLIES} AS output,
      total(cache_read) ${REPLIES} AS cacheRead, total(cache_write) ${REPLIES} AS cacheWrite,
      total(min(cache_write_hour, cache_write)) ${REPLIES} AS cacheWriteHour,
      coalesce(sum(cost), 0) AS recorded, count(cost) AS recordedReplies,
      total(input) ${STATED} AS statedInput, total(output) ${STATED} AS statedOutput,
      total(cache_read) ${STATED} AS statedCacheRead, total(cache_write) ${STATED} AS statedCacheWrite`
/** Lists of sessions do not count what was removed from a file either. */
const STILL_THERE = 'NOT EXISTS (SELECT 1 FROM removed r WHERE r.message = m.id)'
const RANK = 'SELECT rank FROM artifact WHERE id'
/** Of all rows of a reply, the one with the most output counts, and then the original. */
const COUNTS = `NOT EXISTS (SELECT 1 FROM usage o WHERE o.reply = u.reply AND o.artifact <> u.artifact
      AND (o.output > u.output OR o.output = u.output AND
        ((${RANK} = o.artifact), o.artifact) < ((${RANK} = u.artifact), u.artifact)))`

/**
 * Sums over a span of time, day by day, or over everything that has no time. Each reply counts once. If files
 * disagree, the largest numbers are the latest.
 */
export function sumUp(
  database: DatabaseSync,
  zone: Zone,
  within: Moments | undefined,
  limits = SMALL_SLICES,
): DayFigures[] {
  const days = new Map<number | null, DayFigures>()
  const dayFor = (day: number | null): DayFigures => {
    let figures = days.get(day)
    if (!figures) {
      figures = { day, usage: [], messages: [], hours: [], touched: [] }
      days.set(day, figures)
    }
    return figures
  }
  /** A statement, and what happens to its rows, run for one slice after the other. */
  const adding = <Figure>(sql: string, add: (figures: DayFigures, row: Figure) => void) => {
    const statement = database.prepare(sql)
    return (slice: Record<string, number>): void => {
      for (const row of statement.iterate(slice)) {
        const { day, ...figure } = row
        add(dayFor(day as number | null), figure as Figure)
      }
    }
  }
  const day = within ? dayOf(zone) : 'NULL'
  const usage = createMerger<UsageFigure>(['artifact', 'model', 'length'])
  const addUsage = (when: string) =>
    adding<UsageFigure>(
      `SELECT ${day} AS day, ${USAGE} FROM usage u WHERE ${when} AND ${COUNTS} GROUP BY day, artifact, model, length`,
      (figures, row) => usage(figures.usage, row),
    )
  if (within) {
    const add = addUsage(AT_WITHIN)
    for (const slice of timesWithin(database, zone, within, limits)) add(slice)
  } else for (const when of TIMELESS) addUsage(when)({})
  // Message ids roughly follow time, so this scans few others.
  const inTime = within
    ? `m.id BETWEEN :first AND :last AND ${atWithin(within)} AND ${STILL_THERE}`
    : `(${TIMELESS.join(' OR ')}) AND ${STILL_THERE}`
  const from = within ? 'message m' : 'message m INDEXED BY message_timeless'
  const words = new Map<string, number>()
  const addWords = adding<{ artifact: number; text: string | null }>(
    `SELECT ${day} AS day, m.artifact, text FROM ${from} WHERE who = ${HUMAN} AND ${inTime}`,
    (figures, { artifact, text }) => {
      const key = `${artifact} ${figures.day}`
      words.set(key, (words.get(key) ?? 0) + wordsIn(text ?? ''))
    },
  )
  const messages = createMerger<MessageFigure>(['artifact', 'who', 'tool'])
  const addMessages = adding<Omit<MessageFigure, 'who' | 'words'> & { speaker: number }>(
    `SELECT ${day} AS day, m.artifact, m.who AS speaker, t.name AS tool, count(*) AS count
    FROM ${from} LEFT JOIN tool t ON t.id = m.tool
    WHERE m.who IN (${COUNTED.map(speakerNumber).join(', ')}) AND ${SURE} AND ${inTime} GROUP BY day, m.artifact, m.who, m.tool`,
    (figures, { artifact, speaker, tool, count }) => {
      const who = SPEAKERS[speaker] as MessageFigure['who']
      messages(figures.messages, { artifact, who, tool, count, words: 0 })
    },
  )
  const hours = createMerger<HourFigure>(['artifact', 'hour'])
  const addHours = adding<HourFigure>(
    `SELECT ${day} AS day, artifact, ${hourOf(zone)} AS hour, count(*) AS count FROM message m
    WHERE who = ${HUMAN} AND ${inTime} GROUP BY day, artifact, hour`,
    (figures, row) => hours(figures.hours, row),
  )
  const writing = WRITING_TOOLS.map((name) => `'${name}'`).join(', ')
  const touched = createMerger<TouchFigure>(['artifact', 'path'])
  const addTouched = adding<TouchFigure>(
    `SELECT ${day} AS day, artifact, target AS path, count(*) AS count FROM ${from} WHERE who = ${speakerNumber('tool')}
    AND target IS NOT NULL AND tool IN (SELECT id FROM tool WHERE name IN (${writing})) AND ${inTime} GROUP BY day, artifact, target`,
    (figures, row) => touched(figures.touched, row),
  )
  const span = within && spanOf(database, within[0], within[1] - 1)
  // All of them for a slice at once, while its pages are in memory.
  for (const slice of !within ? [{}] : span ? slicesOfIds(span, limits) : []) {
    addWords(slice)
    addMessages(slice)
    if (within) addHours(slice)
    addTouched(slice)
  }
  for (const figures of days.values())
    for (const row of figures.messages)
      if (row.who === 'human') row.words = words.get(`${row.artifact} ${figures.day}`) ?? 0
  return [...days.values()]
}

/** Tokens by minute, in chronological order. Replies without a time are left out. */
export function* minutesWithin(database: DatabaseSync, within: Moments): Generator<MinuteFigure> {
  const statement =
    database.prepare(`SELECT at / ${MINUTE_MS} AS minute, ${USAGE} FROM usage u WHERE ${AT_WITHIN} AND ${COUNTS}
    GROUP BY minute, artifact, model, length ORDER BY minute`)
  for (const slice of timesWithin(database, UTC, within, SMALL_SLICES))
    for (const row of statement.iterate(slice)) {
      const { minute, ...figure } = row
      yield { atMs: Number(minute) * MINUTE_MS, figure: figure as unknown as UsageFigure }
    }
}

const AT_WITHIN = 'at >= :from AND at < :until'
const UTC: Zone = [{ fromMs: 0, offsetMs: 0 }]
/** Rows at 0 have no time. */
const atLeastOne = ([fromMs, untilMs]: Moments): Moments => [Math.max(fromMs, 1), untilMs]
const atWithin = (within: Moments): string => {
  const [fromMs, untilMs] = atLeastOne(within)
  return `at >= ${fromMs} AND at < ${untilMs}`
}

function* timesWithin(
  database: DatabaseSync,
  zone: Zone,
  within: Moments,
  limits: SliceLimits,
): Generator<Record<string, number>> {
  for (const [from, until] of slicesOfTime(database, zone, atLeastOne(within), limits)) yield { from, until }
}

/** Counts without splitting: a text may fill a large part of memory. */
function wordsIn(text: string): number {
  let words = 0
  let inside = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const space = code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 160 && SPACE.test(text[at]!)
    if (!space && !inside) words++
    inside = !space
  }
  return words
}
