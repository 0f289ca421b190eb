import type { DatabaseSync } from 'node:sqlite'
import { LENGTH_STEPS } from '../../model/priced-usage.ts'
import type {
  DayFigures,
  HourFigure,
  MessageFigure,
  MinuteFigure,
  TouchFigure,
  UsageFigure,
} from '../figures.ts'
import { spanOf } from './calendar.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'
import { dayOf, hourOf, type Zone } from './local-time.ts'

/** Moments from the first to before the second, in ms. */
export type Moments = readonly [fromMs: number, untilMs: number]

/** Tools that change the file they are used on, by the names agents give them. */
const WRITING = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'edit', 'write', 'apply_patch']
const HUMAN = speakerNumber('human')
const COUNTED = ['human', 'agent', 'tool', 'error'] as const
/** Errors that only read like ones are none here. */
const SURE = `(m.more IS NULL OR m.more NOT LIKE '%"sure":false%')`
const TIMELESS = '(at IS NULL OR at <= 0)'
/** The same as `lengthOf`. */
const LENGTH = LENGTH_STEPS.map((step) => `(input + cache_read + cache_write > ${step})`).join(' + ')
/** Ends a word. */
const SPACE = /\s/

const MINUTE_MS = 60_000
/** What a `UsageFigure` consists of. */
const USAGE = `artifact, model, ${LENGTH} AS length, count(*) FILTER (WHERE reply > 0),
      sum(input), sum(output), sum(cache_read), sum(cache_write), coalesce(sum(cost), 0), count(cost),
      sum(min(cache_write_hour, cache_write))`
/** Of the copies of a reply, one counts. */
const COUNTS = `NOT EXISTS (SELECT 1 FROM usage o WHERE o.reply = u.reply
      AND (o.output > u.output OR o.output = u.output AND o.artifact < u.artifact))`

type Row<Figure extends unknown[]> = [day: number | null, ...Figure]

/**
 * Sums over what was told within some time, day by day; without a time over what has none. Each reply counts once: where files
 * disagree, the largest figures are the later ones.
 */
export function sumUp(database: DatabaseSync, zone: Zone, within: Moments | undefined): DayFigures[] {
  const days = new Map<number | null, DayFigures>()
  const dayFor = (day: number | null): DayFigures => {
    let figures = days.get(day)
    if (!figures) {
      figures = { day, usage: [], messages: [], hours: [], touched: [] }
      days.set(day, figures)
    }
    return figures
  }
  const each = <Figure extends unknown[]>(sql: string, add: (figures: DayFigures, row: Figure) => void) => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    for (const row of statement.iterate()) {
      const [day, ...figure] = row as unknown as Row<Figure>
      add(dayFor(day), figure as unknown as Figure)
    }
  }
  const day = within ? dayOf(zone) : 'NULL'
  const told = within ? messagesWithin(database, within) : TIMELESS
  each<UsageFigure>(
    `SELECT ${day} AS day, ${USAGE} FROM usage u WHERE ${within ? atWithin(within) : TIMELESS} AND ${COUNTS}
    GROUP BY day, artifact, model, length`,
    ({ usage }, row) => usage.push(row),
  )
  const words = new Map<string, number>()
  each<[artifact: number, text: string | null]>(
    `SELECT ${day}, artifact, text FROM message m WHERE who = ${HUMAN} AND ${told}`,
    (figures, [artifact, text]) => {
      const key = `${artifact} ${figures.day}`
      words.set(key, (words.get(key) ?? 0) + wordsIn(text ?? ''))
    },
  )
  each<[artifact: number, who: number, tool: string | null, count: number]>(
    `SELECT ${day} AS day, m.artifact, m.who, t.name, count(*) FROM message m LEFT JOIN tool t ON t.id = m.tool
    WHERE m.who IN (${COUNTED.map(speakerNumber).join(', ')}) AND ${SURE} AND ${told} GROUP BY day, m.artifact, m.who, m.tool`,
    (figures, [artifact, speaker, tool, count]) => {
      const who = SPEAKERS[speaker] as MessageFigure[1]
      const said = who === 'human' ? (words.get(`${artifact} ${figures.day}`) ?? 0) : 0
      figures.messages.push([artifact, who, tool, count, said])
    },
  )
  if (within)
    each<HourFigure>(
      `SELECT ${day} AS day, artifact, ${hourOf(zone)} AS hour, count(*) FROM message m
      WHERE who = ${HUMAN} AND ${told} GROUP BY day, artifact, hour`,
      ({ hours }, row) => hours.push(row),
    )
  const writing = WRITING.map((name) => `'${name}'`).join(', ')
  each<TouchFigure>(
    `SELECT ${day} AS day, artifact, target, count(*) FROM message m WHERE who = ${speakerNumber('tool')}
    AND target IS NOT NULL AND tool IN (SELECT id FROM tool WHERE name IN (${writing})) AND ${told} GROUP BY day, artifact, target`,
    ({ touched }, row) => touched.push(row),
  )
  return [...days.values()]
}

/** Tokens minute by minute, in order of time; of what has no time none. */
export function* minutesWithin(database: DatabaseSync, within: Moments): Generator<MinuteFigure> {
  const statement =
    database.prepare(`SELECT at / ${MINUTE_MS} AS minute, ${USAGE} FROM usage u WHERE ${atWithin(within)} AND ${COUNTS}
    GROUP BY minute, artifact, model, length ORDER BY minute`)
  statement.setReturnArrays(true)
  for (const row of statement.iterate()) {
    const [minute, ...figure] = row as unknown as [number, ...UsageFigure]
    yield { atMs: minute * MINUTE_MS, figure }
  }
}

const atWithin = ([fromMs, untilMs]: Moments): string => `at >= ${Math.max(fromMs, 1)} AND at < ${untilMs}`

/** Numbers of messages follow time, about, so that few others are looked at. */
function messagesWithin(database: DatabaseSync, within: Moments): string {
  const span = spanOf(database, within[0], within[1] - 1)
  return span ? `m.id BETWEEN ${span.first} AND ${span.last} AND ${atWithin(within)}` : '0'
}

/** Counted without making them: a text may be a large part of memory. */
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
