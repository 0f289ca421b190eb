import { type PricedUsage, WEB_SEARCH } from '../model/usage.ts'
import type { MessageFigure, UsageFigure } from '../store/figures.ts'

/** The session of a file. All files of a session share one object. */
export interface Owner {
  platform: string
  agent: string
  project: string
  /** The id of the session. For a subagent, the id of the session that started it. */
  session: string
  /** The path of its transcript. */
  own: string
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
  cacheReadTokens: number
  cacheCreationTokens: number
  /** At list price. `null` if no model has one. */
  cost: number | null
  /** As recorded by the agent. `null` if it records none. */
  recordedCost: number | null
  /** Tokens that the agent added up itself, including titles and summaries. `null` if it does not. */
  recordedTokens: RecordedTokens | null
  /** Models whose tokens are not included in any cost. */
  unpricedModels: string[]
}

interface RecordedTokens {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

export const UNKNOWN = '(unknown)'

export const tokensOf = (
  sum: Pick<Summed, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens'>,
): number => sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheCreationTokens

const DOLLARS_PER_SEARCH = 0.01

/** The list price of a figure. Undefined if its model has no price. */
export function costOf(
  { model, length, replies, input, output, cacheRead, cacheWrite, cacheWriteHour }: UsageFigure,
  at: Date,
  priceOf: PriceOf,
): number | undefined {
  if (model === WEB_SEARCH) return replies * DOLLARS_PER_SEARCH
  if (input + output + cacheRead + cacheWrite === 0) return 0
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
    usage(owner: Owner, figure: UsageFigure, cost: number | undefined): void {
      const { model, replies, recorded, recordedReplies } = figure
      sessions.add(owner)
      sum.inputTokens += figure.input
      sum.outputTokens += figure.output
      sum.cacheReadTokens += figure.cacheRead
      sum.cacheCreationTokens += figure.cacheWrite
      if (cost === undefined) unpriced.add(model ?? UNKNOWN)
      else if (replies > 0) sum.cost = (sum.cost ?? 0) + cost
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
    done: (): Summed => ({ ...sum, sessions: sessions.size, unpricedModels: [...unpriced].sort() }),
  }
}

/** The usage of one model within a row. */
type ModelPart = Pick<
  Summed,
  | ('inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens' | 'cost')
  | ('recordedCost' | 'recordedTokens')
> & { model: string; replies: number }

export type StatsRow = Summed & { key: string; models: ModelPart[] }

/** Sums by key, by model within each key, and over everything that counts for this kind of row. */
interface Rows {
  usage(key: string, owner: Owner, figure: UsageFigure, cost: number | undefined, asReplies: boolean): void
  messages(key: string, owner: Owner, figure: MessageFigure): void
  done(): { rows: StatsRow[]; rowTotal: Summed }
}

interface Gathered {
  sum: Sum
  models: Map<string, Sum>
}

export function createRows(): Rows {
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
    usage(key, owner, figure, cost, asReplies) {
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
    messages(key, owner, figure) {
      rowFor(key).sum.messages(owner, figure)
      all.messages(owner, figure)
    },
    done: () => ({
      rows: [...rows].map(([key, { sum, models }]) => ({ key, ...sum.done(), models: partsOf(models) })),
      rowTotal: all.done(),
    }),
  }
}

const partsOf = (models: ReadonlyMap<string, Sum>): ModelPart[] =>
  [...models]
    .map(([model, sum]) => {
      const {
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheCreationTokens,
        cost,
        recordedCost,
        recordedTokens,
        messages,
      } = sum.done()
      return {
        model,
        replies: messages.agent,
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheCreationTokens,
        cost,
        recordedCost,
        recordedTokens,
      }
    })
    .sort(
      (a, b) => (b.cost ?? 0) - (a.cost ?? 0) || tokensOf(b) - tokensOf(a) || (a.model < b.model ? -1 : 1),
    )
