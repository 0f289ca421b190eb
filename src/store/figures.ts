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
export interface HourFigure {
  artifact: number
  hour: number
  count: number
}

/** How often tools changed a file. */
export interface TouchFigure {
  artifact: number
  path: string
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
