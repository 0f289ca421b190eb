import { largest, smallest } from '../model/iteration.ts'

/** Local time as spans with one UTC offset each, so that SQL can compute local days. */
export interface ZoneSpan {
  /** The beginning of the span, in ms. The first span covers everything before it too. */
  fromMs: number
  /** The offset from UTC, in ms. */
  offsetMs: number
}

export interface FiguresRequest {
  zone: readonly ZoneSpan[]
  /** Limits of the time, in ms. */
  fromMs?: number
  untilMs?: number
}

/**
 * Tokens of replies by file, model and length (see `lengthOf`; long requests have other prices). Each reply
 * counts once, however many files contain it. `recorded` are the dollars that the agent recorded, per reply
 * or as a sum over many. `stated` are the tokens that the agent added up itself, including requests that have
 * no record.
 */
export interface UsageFigure {
  artifact: number
  model: string | null
  length: number
  replies: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** The part of `cacheWrite` that lives for an hour. */
  cacheWriteHour: number
  /** The part of `output` that is reasoning. */
  reasoning: number
  recorded: number
  recordedReplies: number
  statedInput: number
  statedOutput: number
  statedCacheRead: number
  statedCacheWrite: number
}

/**
 * Messages, tool calls and errors, each counted once, by the first file that contains them. `words` counts
 * human messages only.
 */
export interface MessageFigure {
  artifact: number
  who: 'human' | 'agent' | 'tool' | 'error'
  tool: string | null
  count: number
  words: number
}

/** Human messages by local hour, from 0 to 23. */
interface HourFigure {
  artifact: number
  hour: number
  count: number
}

/**
 * How often a tool changed the file, or the files, of a target: its calls without those that failed. A call
 * may fail on a later day, so `count` may be negative.
 */
interface TouchFigure {
  artifact: number
  tool: string
  target: string
  count: number
}

/** Sums of one local day. */
export interface DayFigures {
  /** Days since 1970. Null for everything that has no time. */
  day: number | null
  usage: UsageFigure[]
  messages: MessageFigure[]
  hours: HourFigure[]
  touched: TouchFigure[]
}

/** Tokens of one minute. */
export interface MinuteFigure {
  /** The beginning of the minute. */
  atMs: number
  figure: UsageFigure
}

export type Zone = readonly ZoneSpan[]

/** The day number of everything that has no time. Real days begin with 0. */
export const TIMELESS_DAY = -1
const DAY_MS = 86_400_000

/** SQL for the local time of a column `at`, in ms since 1970. The same in every engine. */
export function localTime(zone: Zone): string {
  const [first, ...rest] = zone
  const cases = rest.toReversed().map(({ fromMs, offsetMs }) => `WHEN at >= ${fromMs} THEN at + ${offsetMs}`)
  const begin = `at + ${first!.offsetMs}`
  return cases.length === 0 ? `(${begin})` : `(CASE ${cases.join(' ')} ELSE ${begin} END)`
}

/**
 * The widest span of a local day in ms, since days with a clock change can be longer. Day 0 includes
 * everything before it.
 */
export function momentsOf(zone: Zone, day: number): readonly [fromMs: number, untilMs: number] {
  const offsets = zone.map(({ offsetMs }) => offsetMs)
  return [day === 0 ? 0 : day * DAY_MS - largest(offsets), (day + 1) * DAY_MS - smallest(offsets)]
}

/** When the local day began that contains this time, in ms. */
export function startOfDay(zone: Zone, atMs: number): number {
  const { offsetMs } = zone.findLast(({ fromMs }) => atMs >= fromMs) ?? zone[0]!
  return Math.floor((atMs + offsetMs) / DAY_MS) * DAY_MS - offsetMs
}

/** All local days that overlap a UTC day. */
export function localDaysOf(zone: Zone, day: number): number[] {
  const offsets = zone.map(({ offsetMs }) => offsetMs)
  const first = Math.floor((day * DAY_MS + smallest(offsets)) / DAY_MS)
  const last = Math.floor(((day + 1) * DAY_MS - 1 + largest(offsets)) / DAY_MS)
  return Array.from({ length: last - first + 1 }, (_, index) => Math.max(0, first + index))
}
