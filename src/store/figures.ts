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

/** Tokens of replies, each counted once however many files hold it, by file, local day, model and whether they are long. */
export interface UsageFigure {
  artifact: number
  /** Days since 1970 in local time; null where no time is known. */
  day: number | null
  model: string | null
  /** With more input than prices of long requests begin at. */
  long: boolean
  replies: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Dollars that the agent recorded, and for how many of the replies. */
  recorded: number
  recordedReplies: number
}

/** Messages, calls and errors, each counted once, by the file that told them first. */
export interface MessageFigure {
  artifact: number
  day: number | null
  who: 'human' | 'agent' | 'tool' | 'error'
  tool: string | null
  count: number
  /** Of human messages. */
  words: number
}

/** Messages by the hour of the local day, from 0 to 23. */
export interface HourFigure {
  artifact: number
  hour: number
  count: number
}

/** How often tools were used on a file. */
export interface TouchFigure {
  artifact: number
  path: string
  count: number
}

export interface Figures {
  usage: UsageFigure[]
  messages: MessageFigure[]
  hours: HourFigure[]
  touched: TouchFigure[]
}
