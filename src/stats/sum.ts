import type { PricedUsage } from '../model/priced-usage.ts'
import type { MessageFigure, UsageFigure } from '../store/figures.ts'

/** The session that a file is of: the same object for each of its files. */
export interface Owner {
  platform: string
  agent: string
  project: string
  /** The id of the session; of a subagent, of the one that started it. */
  session: string
  /** Where its transcript lies. */
  own: string
}

/** What requests of one length cost together, in US dollars; undefined where the model has no price. */
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
  /** At list price; `null` where none of the models has one. */
  cost: number | null
  /** What the agent recorded; `null` where it records none. */
  recordedCost: number | null
  /** Models whose tokens are in none of the costs. */
  unpricedModels: string[]
}

export const UNKNOWN = '(unknown)'

export const tokensOf = (
  sum: Pick<Summed, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens'>,
): number => sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheCreationTokens

/** What a figure costs at list price; undefined where its model has no price. */
export function costOf(
  [, model, length, , input, output, cacheRead, cacheWrites, , , cacheWriteHour]: UsageFigure,
  at: Date,
  priceOf: PriceOf,
): number | undefined {
  if (input + output + cacheRead + cacheWrites === 0) return 0
  if (model === null) return undefined
  const tokens = { input, output, cacheRead, cacheWrite: cacheWrites - cacheWriteHour, cacheWriteHour }
  return priceOf(model, tokens, length, at)
}

export type Sum = ReturnType<typeof createSum>

export function createSum() {
  const sum: Summed = {
    ...{ sessions: 0, messages: { human: 0, agent: 0 }, humanWords: 0, toolCalls: 0, errors: 0 },
    ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
    ...{ cost: null, recordedCost: null, unpricedModels: [] },
  }
  const sessions = new Set<Owner>()
  const unpriced = new Set<string>()
  return {
    usage(owner: Owner, figure: UsageFigure, cost: number | undefined): void {
      const [, model, , replies, input, output, cacheRead, cacheWrite, recorded, recordedReplies] = figure
      sessions.add(owner)
      sum.inputTokens += input
      sum.outputTokens += output
      sum.cacheReadTokens += cacheRead
      sum.cacheCreationTokens += cacheWrite
      if (cost === undefined) unpriced.add(model ?? UNKNOWN)
      else if (replies > 0) sum.cost = (sum.cost ?? 0) + cost
      if (recordedReplies > 0) sum.recordedCost = (sum.recordedCost ?? 0) + recorded
    },
    /** Of a model: who else spoke, it does not say. */
    replies(count: number): void {
      sum.messages.agent += count
    },
    messages(owner: Owner, [, who, , count, words]: MessageFigure): void {
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
