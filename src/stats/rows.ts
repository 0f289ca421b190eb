import type { MessageFigure, UsageFigure } from '../store/figures.ts'
import { createSum, type Owner, type Sum, type Summed, tokensOf, UNKNOWN } from './sum.ts'

/** The usage of one model within a row. */
type ModelPart = Pick<
  Summed,
  | ('inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens' | 'cost')
  | ('recordedCost' | 'recordedTokens')
> & { model: string; replies: number }

export type StatsRow = Summed & { key: string; models: ModelPart[] }

/** Sums by key, by model within each key, and over everything that counts for this kind of row. */
export interface Rows {
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
        ...{ model, replies: messages.agent, inputTokens, outputTokens, cacheReadTokens },
        ...{ cacheCreationTokens, cost, recordedCost, recordedTokens },
      }
    })
    .sort(
      (a, b) => (b.cost ?? 0) - (a.cost ?? 0) || tokensOf(b) - tokensOf(a) || (a.model < b.model ? -1 : 1),
    )
