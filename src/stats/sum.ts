import { type PricedUsage, WEB_SEARCH } from '../model/priced-usage.ts'
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

export type Sum = ReturnType<typeof createSum>

export function createSum() {
  const sum: Summed = {
    ...{ sessions: 0, messages: { human: 0, agent: 0 }, humanWords: 0, toolCalls: 0, errors: 0 },
    ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
    ...{ cost: null, recordedCost: null, recordedTokens: null, unpricedModels: [] },
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
