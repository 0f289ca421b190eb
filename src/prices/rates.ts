import { type ConditionalPrice, calcPrice, type ModelInfo } from '@pydantic/genai-prices'
import { LENGTH_STEPS, type PricedUsage } from '../model/usage.ts'

const INPUTS = ['input', 'cacheRead', 'cacheWrite', 'cacheWriteHour'] as const
const NOTHING: PricedUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
const SAMPLE_TOKENS = 1000

/** Dollars per token. Undefined if a kind of tokens has no price. */
type Rates = Record<keyof PricedUsage, number | undefined>

/**
 * The price of one request, computed by the package. Undefined for an unknown model. Throws if a kind of
 * tokens has no price.
 */
function calculated(
  name: string,
  { input, output, cacheRead, cacheWrite, cacheWriteHour }: PricedUsage,
  at: Date,
) {
  const counted = {
    input_tokens: input + cacheRead + cacheWrite + cacheWriteHour,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite + cacheWriteHour,
    cache_write_1h_tokens: cacheWriteHour,
    output_tokens: output,
  }
  return calcPrice(counted, name, { timestamp: at }) ?? undefined
}

/** The prices of a model, with their conditions. */
const pricesOf = ({ prices }: ModelInfo): ConditionalPrice[] =>
  Array.isArray(prices) ? prices : [{ prices }]

/** The times at which the price of a model changes. */
const changesOf = (model: ModelInfo): number[] =>
  pricesOf(model).flatMap(({ constraint }) =>
    constraint?.type === 'start_date' ? [Date.parse(constraint.start_date)] : [],
  )

/** The prices of one model, by its name in the package. Each rate is cached, because the package is slow. */
export function createPriceList(name: string, model: ModelInfo) {
  const changes = changesOf(model)
  const known = new Map<string, Rates>()

  function priceOf(usage: PricedUsage, at: Date): number | undefined {
    try {
      return calculated(name, usage, at)?.total_price
    } catch {
      return undefined
    }
  }

  function ratesOf(length: number, at: Date): Rates {
    const key = `${length} ${changes.filter((from) => from <= at.getTime()).length}`
    let rates = known.get(key)
    if (!rates) {
      // A request of this length whose input tokens are all of one kind.
      const tokens = length === 0 ? SAMPLE_TOKENS : LENGTH_STEPS[length - 1]! + 1
      const priceAs = (kind: (typeof INPUTS)[number], output = 0) =>
        priceOf({ ...NOTHING, [kind]: tokens, output }, at)
      const rateOf = (more: number | undefined, less: number | undefined, of: number) =>
        more === undefined || less === undefined ? undefined : (more - less) / of
      rates = {
        ...(Object.fromEntries(INPUTS.map((kind) => [kind, rateOf(priceAs(kind), 0, tokens)])) as Rates),
        output: rateOf(priceAs('input', SAMPLE_TOKENS), priceAs('input'), SAMPLE_TOKENS),
      }
      known.set(key, rates)
    }
    return rates
  }

  /** The price of all requests of one length. Undefined if a kind of their tokens has no price. */
  return (usage: PricedUsage, length: number, at: Date): number | undefined => {
    const rates = ratesOf(length, at)
    let cost = 0
    for (const kind of [...INPUTS, 'output'] as const) {
      if (usage[kind] === 0) continue
      const rate = rates[kind]
      if (rate === undefined) return undefined
      cost += usage[kind] * rate
    }
    return cost
  }
}

/** The model that the package finds for a name. Undefined if it is unknown. */
export function modelNamed(name: string): ModelInfo | undefined {
  try {
    return calculated(name, NOTHING, new Date())?.model
  } catch {
    return undefined
  }
}
