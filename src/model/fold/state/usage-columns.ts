import type { CountedUsage } from '../counted-usage.ts'

/**
 * Usages by reply in columns, because objects take ten times as long to store and read.
 */
export interface UsageColumns {
  replies: Float64Array
  /** `FIGURES` of each reply, one after the other. NaN where there is none. */
  figures: Float64Array
  /** The index of the model of each reply, or -1. */
  models: Int32Array
  names: string[]
}

const FIGURES = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'cost',
  'at',
  'request',
  'turn',
] as const

export function usagesInColumns(usages: ReadonlyMap<number, CountedUsage>): UsageColumns {
  const replies = new Float64Array(usages.size)
  const figures = new Float64Array(usages.size * FIGURES.length)
  const models = new Int32Array(usages.size)
  const names = new Map<string, number>()
  let row = 0
  for (const [reply, usage] of usages) {
    replies[row] = reply
    for (let at = 0; at < FIGURES.length; at++)
      figures[row * FIGURES.length + at] = usage[FIGURES[at]!] ?? Number.NaN
    const { model } = usage
    if (model !== undefined && !names.has(model)) names.set(model, names.size)
    models[row] = model === undefined ? -1 : names.get(model)!
    row++
  }
  return { replies, figures, models, names: [...names.keys()] }
}

export function usagesFromColumns({
  replies,
  figures,
  models,
  names,
}: UsageColumns): Map<number, CountedUsage> {
  const usages = new Map<number, CountedUsage>()
  // Older versions stored fewer figures of each reply.
  const stored = replies.length === 0 ? 0 : figures.length / replies.length
  for (let row = 0; row < replies.length; row++) {
    const figure = (at: number): number => (at < stored ? figures[row * stored + at]! : Number.NaN)
    const optional = (at: number): number | undefined => (Number.isNaN(figure(at)) ? undefined : figure(at))
    const cacheWriteHour = optional(4)
    const cost = optional(5)
    usages.set(replies[row]!, {
      ...{ input: figure(0), output: figure(1), cacheRead: figure(2), cacheWrite: figure(3) },
      ...(cacheWriteHour === undefined ? {} : { cacheWriteHour }),
      ...(cost === undefined ? {} : { cost }),
      at: optional(6),
      request: optional(7),
      turn: optional(8),
      model: names[models[row]!],
    })
  }
  return usages
}
