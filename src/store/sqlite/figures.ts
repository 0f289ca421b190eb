import type { DatabaseSync } from 'node:sqlite'
import type {
  Figures,
  FiguresRequest,
  HourFigure,
  MessageFigure,
  TouchFigure,
  UsageFigure,
  ZoneSpan,
} from '../figures.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Requests with more input than this have prices of their own with some vendors. */
const LONG_TOKENS = 200_000
/** Tools that change the file they are used on, by the names agents give them. */
const WRITING = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'edit', 'write', 'apply_patch']
const HUMAN = speakerNumber('human')
const COUNTED = ['human', 'agent', 'tool', 'error'] as const
/** Errors that only read like ones are none here. */
const SURE = `(m.more IS NULL OR m.more NOT LIKE '%"sure":false%')`
/** What `words` splits at. */
const SPACES = /\s+/

/** Sums over everything that is stored. Each reply counts once: where files disagree, the largest figures are the later ones. */
export function figuresOf(database: DatabaseSync, request: FiguresRequest): Figures {
  const local = localTime(request.zone)
  const within = spanOf(request)
  const rows = <Row>(sql: string): Row[] => database.prepare(sql).all() as Row[]
  const usage = rows<Omit<UsageFigure, 'long'> & { long: number }>(`
    SELECT artifact, ${dayOf(local)} AS day, model, input + cacheRead + cacheWrite > ${LONG_TOKENS} AS long,
      count(*) AS replies, sum(input) AS input, sum(output) AS output, sum(cacheRead) AS cacheRead,
      sum(cacheWrite) AS cacheWrite, coalesce(sum(cost), 0) AS recorded, count(cost) AS recordedReplies
    FROM (SELECT artifact, at, model, input, max(output) AS output, cache_read AS cacheRead, cache_write AS cacheWrite, cost
      FROM usage GROUP BY reply) WHERE ${within} GROUP BY 1, 2, 3, 4`)
  const speakers = COUNTED.map(speakerNumber).join(', ')
  const counts = rows<{
    artifact: number
    day: number | null
    who: number
    tool: string | null
    count: number
  }>(`
    SELECT m.artifact, ${dayOf(local)} AS day, m.who, t.name AS tool, count(*) AS count
    FROM message m LEFT JOIN tool t ON t.id = m.tool WHERE m.who IN (${speakers}) AND ${SURE} AND ${within} GROUP BY 1, 2, 3, 4`)
  const words = new Map<string, number>()
  const human = database.prepare(
    `SELECT artifact, ${dayOf(local)} AS day, text FROM message WHERE who = ${HUMAN} AND ${within}`,
  )
  for (const { artifact, day, text } of human.iterate()) {
    const key = `${artifact} ${day}`
    words.set(key, (words.get(key) ?? 0) + wordsIn(String(text ?? '')))
  }
  const writing = WRITING.map((name) => `'${name}'`).join(', ')
  return {
    usage: usage.map((row) => ({ ...row, long: row.long === 1 })),
    messages: counts.map(({ who, ...row }): MessageFigure => {
      const name = SPEAKERS[who] as MessageFigure['who']
      return {
        ...row,
        who: name,
        words: name === 'human' ? (words.get(`${row.artifact} ${row.day}`) ?? 0) : 0,
      }
    }),
    hours: rows<HourFigure>(`
      SELECT artifact, (${local}) / ${HOUR_MS} % 24 AS hour, count(*) AS count FROM message
      WHERE who = ${HUMAN} AND at > 0 AND ${within} GROUP BY 1, 2`),
    touched: rows<TouchFigure>(`
      SELECT m.artifact, m.target AS path, count(*) AS count FROM message m JOIN tool t ON t.id = m.tool
      WHERE m.who = ${speakerNumber('tool')} AND m.target IS NOT NULL AND t.name IN (${writing}) AND ${within} GROUP BY 1, 2`),
  }
}

const wordsIn = (text: string): number => {
  const plain = text.trim()
  return plain === '' ? 0 : plain.split(SPACES).length
}

/** Milliseconds since 1970 as a clock on the wall would count them. */
function localTime(zone: readonly ZoneSpan[]): string {
  const [first, ...rest] = zone
  const cases = rest.toReversed().map(({ fromMs, offsetMs }) => `WHEN at >= ${fromMs} THEN at + ${offsetMs}`)
  const begin = `at + ${first?.offsetMs ?? 0}`
  return cases.length === 0 ? begin : `CASE ${cases.join(' ')} ELSE ${begin} END`
}

const dayOf = (local: string): string => `CASE WHEN at > 0 THEN (${local}) / ${DAY_MS} END`

const spanOf = ({ fromMs, untilMs }: FiguresRequest): string =>
  [
    ...(fromMs === undefined ? [] : [`at >= ${Math.trunc(fromMs)}`]),
    ...(untilMs === undefined ? [] : [`at <= ${Math.trunc(untilMs)}`]),
    '1',
  ].join(' AND ')
