import { absolutePath } from '../model/agent-paths.ts'
import { type PricedUsage, WEB_SEARCH } from '../model/usage.ts'
import { filesWritten } from '../model/written-files.ts'
import type { DayFigures, MessageFigure, UsageFigure } from '../store/figures.ts'
import { dayName, monthName, weekdayOf, weekName } from './zone.ts'

interface Summary {
  totals: Summed
  /** How many of the counted sessions are of people. */
  ofPeople: number
  /** Unordered. For rows by day and project, with both parts of the key. */
  rows: (StatsRow & { day?: string; project?: string })[]
  /** Over all rows, as far as it counts for this kind of row. */
  rowTotal: Summed
  tools: { name: string; calls: number; errors: number }[]
  files: { path: string; count: number }[]
  /** Human messages by hour of the day. */
  hours: number[]
  /** The same for each day of the week, from Monday to Sunday. */
  weekHours: number[][]
  activeDays: number
}

const NOBODY = '(no time)'
const TIME_NAMES = { day: dayName, week: weekName, month: monthName }
const DAY_MS = 86_400_000
const FILES = 20

const noHours = (): number[] => Array.from({ length: 24 }, () => 0)

/**
 * Sums figures by owner and skips files without one. Block rows are made in blocks.ts, because they need
 * minutes.
 */
export function summarize(
  figures: Iterable<DayFigures>,
  ownerOf: (artifact: number) => Owner | undefined,
  by: Dimension,
  priceOf: PriceOf,
): Summary {
  const totals = createSum()
  const rows = createRows()
  const parts = new Map<string, { day: string; project: string }>()
  const tools = new Map<string, { calls: number; errors: number }>()
  const days = new Set<number>()
  const hours = noHours()
  const weekHours = Array.from({ length: 7 }, noHours)
  const files = new Map<string, { path: string; count: number }>()
  for (const { day, usage, messages, hours: byHour, touched } of figures) {
    const at = day === null ? new Date() : new Date(day * DAY_MS)
    const keyOf = keysOf(by, day, parts)
    for (const figure of usage) {
      const owner = ownerOf(figure.artifact)
      if (!owner) continue
      const cost = costOf(figure, at, priceOf)
      totals.usage(owner, figure, cost)
      if (by === 'tool' || by === 'block') continue
      rows.usage(keyOf(owner, figure.model ?? UNKNOWN), owner, figure, cost, by === 'model')
    }
    for (const figure of messages) {
      const { artifact, who, tool, count } = figure
      const owner = ownerOf(artifact)
      if (!owner) continue
      totals.messages(owner, figure)
      if (day !== null) days.add(day)
      const name = tool ?? (who === 'error' ? NO_TOOL : UNKNOWN)
      const used = who === 'tool' || who === 'error'
      if (used) {
        const counts = tools.get(name) ?? { calls: 0, errors: 0 }
        counts[who === 'tool' ? 'calls' : 'errors'] += count
        tools.set(name, counts)
      }
      if (by === 'tool' ? used : by !== 'model' && by !== 'block')
        rows.messages(keyOf(owner, name), owner, figure)
    }
    for (const { artifact, hour, count } of byHour) {
      if (!ownerOf(artifact)) continue
      hours[hour]! += count
      if (day !== null) weekHours[weekdayOf(day)]![hour]! += count
    }
    for (const { artifact, tool, target, count } of touched) {
      const owner = ownerOf(artifact)
      if (!owner) continue
      for (const stated of filesWritten({ name: tool, target })) {
        const path = absolutePath(stated, owner.folder)
        const file = files.get(path)
        if (file) file.count += count
        else files.set(path, { path, count })
      }
    }
  }
  const made = rows.done()
  return {
    totals: totals.done(),
    ofPeople: totals.ofPeople(),
    rows: made.rows.map((row) => ({ ...row, ...parts.get(row.key) })),
    rowTotal: made.rowTotal,
    tools: [...tools]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
    files: [...files.values()]
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
      .slice(0, FILES),
    hours,
    weekHours,
    activeDays: days.size,
  }
}

/** The keys of the rows of one day. Adds the parts of a composed key to `parts`. */
function keysOf(
  by: Dimension,
  day: number | null,
  parts: Map<string, { day: string; project: string }>,
): (owner: Owner, name: string) => string {
  switch (by) {
    case 'day':
    case 'week':
    case 'month': {
      const time = day === null ? NOBODY : TIME_NAMES[by](day)
      return () => time
    }
    case 'project-day': {
      const time = day === null ? NOBODY : dayName(day)
      return ({ project }) => {
        const key = `${time} ${project}`
        if (!parts.has(key)) parts.set(key, { day: time, project })
        return key
      }
    }
    case 'model':
    case 'tool':
      return (_, name) => name
    case 'block':
      return () => NOBODY
    case 'session':
      return ({ session }) => session
    case 'project':
      return ({ project }) => project
    case 'agent':
      return ({ agent }) => agent
    case 'platform':
      return ({ platform }) => platform
    case 'device':
    case 'person':
      return (owner) => owner[by] ?? '(this machine)'
  }
}

export const DIMENSIONS = [
  ...(['day', 'week', 'month', 'block', 'model', 'project', 'project-day'] as const),
  ...(['session', 'tool', 'agent', 'platform', 'device', 'person'] as const),
] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** For these dimensions the newest rows matter, for all others the largest. */
export const isTimed = (by: Dimension): boolean =>
  by === 'day' || by === 'week' || by === 'month' || by === 'block' || by === 'project-day'

type Keyed = Summed & { key: string; day?: string }

const timeOf = ({ day, key }: Keyed): string => day ?? key

/** Oldest first, or smallest first by cost and tokens. */
const ascending =
  (by: Dimension) =>
  (one: Keyed, other: Keyed): number => {
    if (isTimed(by) && timeOf(one) !== timeOf(other)) return timeOf(one) < timeOf(other) ? -1 : 1
    return (
      (one.cost ?? 0) - (other.cost ?? 0) ||
      tokensOf(one) - tokensOf(other) ||
      one.toolCalls - other.toolCalls ||
      (one.key < other.key ? 1 : -1)
    )
  }

/** The newest or largest rows, up to `limit`, in the requested order. */
export function chosenRows<Row extends Keyed>(
  rows: readonly Row[],
  { by, limit, order }: { by: Dimension; limit: number; order: 'asc' | 'desc' },
): Row[] {
  const sorted = rows.toSorted(ascending(by))
  const most = limit === 0 ? sorted : sorted.slice(-limit)
  return order === 'asc' ? most : most.reverse()
}

/** The session of a file. All files of a session share one object. */
export interface Owner {
  platform: string
  agent: string
  project: string
  /** The id of the session. For a subagent, the id of the session that started it. */
  session: string
  /** The path of its transcript. */
  own: string
  isOfPeople: boolean
  /** The folder that it ran in, or did most in, if its records name one. */
  folder?: string | undefined
  /** The machine, and who works there, in a team store. */
  device?: string | undefined
  person?: string | undefined
}

/** The price of all requests of one length, in US dollars. Undefined if the model has no price. */
export type PriceOf = (model: string, usage: PricedUsage, length: number, at: Date) => number | undefined

export interface Summed {
  sessions: number
  messages: { human: number; agent: number }
  humanWords: number
  toolCalls: number
  errors: number
  inputTokens: number
  outputTokens: number
  /** The part of `outputTokens` that is reasoning, as far as agents record it. */
  reasoningTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** At list price. `null` if no model has one. */
  cost: number | null
  /** As recorded by the agent. `null` if it records none. */
  recordedCost: number | null
  /** Tokens that the agent added up itself, including titles and summaries. `null` if it does not. */
  recordedTokens: Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number> | null
  /** Models whose tokens are not included in any cost. */
  unpricedModels: string[]
}

const UNKNOWN = '(unknown)'
/** What failed was a reply, not a call. */
const NO_TOOL = '(no tool)'

export const tokensOf = (
  sum: Pick<Summed, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens'>,
): number => sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheCreationTokens

const DOLLARS_PER_SEARCH = 0.01

/** The list price of a figure. Undefined if its model has no price, `null` if there is nothing to pay for. */
export function costOf(
  { model, length, replies, input, output, cacheRead, cacheWrite, cacheWriteHour }: UsageFigure,
  at: Date,
  priceOf: PriceOf,
): number | null | undefined {
  if (model === WEB_SEARCH) return replies * DOLLARS_PER_SEARCH
  if (input + output + cacheRead + cacheWrite === 0) return null
  if (model === null) return undefined
  const tokens = { input, output, cacheRead, cacheWrite: cacheWrite - cacheWriteHour, cacheWriteHour }
  return priceOf(model, tokens, length, at)
}

type Sum = ReturnType<typeof createSum>

export function createSum() {
  const sum: Summed = {
    sessions: 0,
    messages: { human: 0, agent: 0 },
    humanWords: 0,
    toolCalls: 0,
    errors: 0,
    inputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    cost: null,
    recordedCost: null,
    recordedTokens: null,
    unpricedModels: [],
  }
  const sessions = new Set<Owner>()
  const unpriced = new Set<string>()
  const record = (figure: UsageFigure): void => {
    const { statedInput, statedOutput, statedCacheRead, statedCacheWrite } = figure
    if (statedInput + statedOutput + statedCacheRead + statedCacheWrite === 0) return
    sum.recordedTokens ??= { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const tokens = sum.recordedTokens
    tokens.input += statedInput
    tokens.output += statedOutput
    tokens.cacheRead += statedCacheRead
    tokens.cacheWrite += statedCacheWrite
  }
  return {
    usage(owner: Owner, figure: UsageFigure, cost: number | null | undefined): void {
      const { model, replies, recorded, recordedReplies } = figure
      sessions.add(owner)
      sum.inputTokens += figure.input
      sum.outputTokens += figure.output
      sum.reasoningTokens += figure.reasoning
      sum.cacheReadTokens += figure.cacheRead
      sum.cacheCreationTokens += figure.cacheWrite
      if (cost === undefined) unpriced.add(model ?? UNKNOWN)
      else if (cost !== null && replies > 0) sum.cost = (sum.cost ?? 0) + cost
      if (recordedReplies > 0) sum.recordedCost = (sum.recordedCost ?? 0) + recorded
      record(figure)
    },
    /** A model has no other speakers. */
    replies(count: number): void {
      sum.messages.agent += count
    },
    messages(owner: Owner, { who, count, words }: MessageFigure): void {
      sessions.add(owner)
      if (who === 'human') {
        sum.messages.human += count
        sum.humanWords += words
      } else if (who === 'agent') sum.messages.agent += count
      else if (who === 'tool') sum.toolCalls += count
      else sum.errors += count
    },
    ofPeople: (): number => [...sessions].filter(({ isOfPeople }) => isOfPeople).length,
    done: (): Summed => ({ ...sum, sessions: sessions.size, unpricedModels: [...unpriced].sort() }),
  }
}

/** The usage of one model within a row. */
type ModelPart = Pick<
  Summed,
  | ('inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cacheReadTokens' | 'cacheCreationTokens' | 'cost')
  | ('recordedCost' | 'recordedTokens')
> & { model: string; replies: number }

export type StatsRow = Summed & { key: string; models: ModelPart[] }

interface Gathered {
  sum: Sum
  models: Map<string, Sum>
}

/** Sums by key, by model within each key, and over everything that counts for this kind of row. */
export function createRows() {
  const rows = new Map<string, Gathered>()
  const all = createSum()
  const rowFor = (key: string): Gathered => {
    let row = rows.get(key)
    if (!row) {
      row = { sum: createSum(), models: new Map() }
      rows.set(key, row)
    }
    return row
  }
  return {
    usage(
      key: string,
      owner: Owner,
      figure: UsageFigure,
      cost: number | null | undefined,
      asReplies: boolean,
    ): void {
      const { sum, models } = rowFor(key)
      const model = figure.model ?? UNKNOWN
      let part = models.get(model)
      if (!part) {
        part = createSum()
        models.set(model, part)
      }
      part.usage(owner, figure, cost)
      part.replies(figure.replies)
      for (const total of [sum, all]) {
        total.usage(owner, figure, cost)
        if (asReplies) total.replies(figure.replies)
      }
    },
    messages(key: string, owner: Owner, figure: MessageFigure): void {
      rowFor(key).sum.messages(owner, figure)
      all.messages(owner, figure)
    },
    done: (): { rows: StatsRow[]; rowTotal: Summed } => ({
      rows: [...rows].map(([key, { sum, models }]) => ({ key, ...sum.done(), models: partsOf(models) })),
      rowTotal: all.done(),
    }),
  }
}

const partsOf = (models: ReadonlyMap<string, Sum>): ModelPart[] =>
  [...models]
    .map(([model, sum]) => {
      const { sessions, messages, humanWords, toolCalls, errors, unpricedModels, ...tokens } = sum.done()
      return { model, replies: messages.agent, ...tokens }
    })
    .sort(
      (a, b) => (b.cost ?? 0) - (a.cost ?? 0) || tokensOf(b) - tokensOf(a) || (a.model < b.model ? -1 : 1),
    )
