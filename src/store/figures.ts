/** Local time as spans of one offset each: SQL then tells days as people do. */
export interface ZoneSpan {
  /** From this moment on, in ms; the first begins before everything. */
  fromMs: number
  /** What is added to UTC, in ms. */
  offsetMs: number
}

export interface FiguresRequest {
  zone: readonly ZoneSpan[]
  /** Only what was said from then on and until then, in ms. */
  fromMs?: number
  untilMs?: number
}

/**
 * Tokens of replies by file, model and length (see `lengthOf`), for long requests have other prices. Each reply counts once, however
 * many files hold it. Dollars are those that the agent recorded, with how often it did: of each reply, or by itself of many, which is no
 * reply.
 */
export type UsageFigure = [
  artifact: number,
  model: string | null,
  length: number,
  replies: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  recorded: number,
  recordedReplies: number,
  cacheWriteHour: number,
]

/** Messages, calls and errors, each counted once, by the file that told them first; words of human messages alone. */
export type MessageFigure = [
  artifact: number,
  who: 'human' | 'agent' | 'tool' | 'error',
  tool: string | null,
  count: number,
  words: number,
]

/** Human messages by the hour of the local day, from 0 to 23. */
export type HourFigure = [artifact: number, hour: number, count: number]

/** How often tools changed a file. */
export type TouchFigure = [artifact: number, path: string, count: number]

/** Sums of one local day. */
export interface DayFigures {
  /** Days since 1970; null for all that has no time. */
  day: number | null
  usage: UsageFigure[]
  messages: MessageFigure[]
  hours: HourFigure[]
  touched: TouchFigure[]
}

/** Tokens of one minute. */
export interface MinuteFigure {
  /** When the minute begins. */
  atMs: number
  figure: UsageFigure
}
