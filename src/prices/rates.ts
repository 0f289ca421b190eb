import { type ConditionalPrice, calcPrice, type ModelInfo } from '@pydantic/genai-prices'

/** Tokens of one request. `input` excludes both cache figures. */
export interface PricedUsage {
  input: number
  output: number
  cacheRead: number
  /** Without those that last an hour. */
  cacheWrite: number
  cacheWriteHour: number
}

/** Requests with more input than this have other prices with most vendors that tell them apart by length. */
const LONG_TOKENS = 200_000
/** Few enough that a request with these and no others is a short one. */
const SAMPLE_TOKENS = 1000
const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour'] as const
const NOTHING: PricedUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
const LONG: PricedUsage = { ...NOTHING, input: 2 * LONG_TOKENS }

/** Dollars a token; undefined where a kind of tokens has no price. */
type Rates = Record<(typeof KINDS)[number], number | undefined>

/** What one request costs by the package itself; undefined for a model that it does not know. Throws where a kind has no price. */
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

/** What a model costs, and what that depends on. */
const pricesOf = ({ prices }: ModelInfo): ConditionalPrice[] =>
  Array.isArray(prices) ? prices : [{ prices }]

/** True when a token of a short request costs the same as one of any other, of the same time; and of a long request likewise. */
const isLinear = (model: ModelInfo): boolean =>
  pricesOf(model).every(
    ({ constraint, prices }) =>
      (!constraint || constraint.type === 'start_date') &&
      Object.values(prices).every(
        (price) => typeof price !== 'object' || price.tiers.every(({ start }) => start === LONG_TOKENS),
      ),
  )

/** Moments from which on a model costs something else. */
const changesOf = (model: ModelInfo): number[] =>
  pricesOf(model).flatMap(({ constraint }) =>
    constraint?.type === 'start_date' ? [Date.parse(constraint.start_date)] : [],
  )

/** Prices of one model by the name that the package knows it by. Asking the package takes long: for most models it is asked once. */
export function createPriceList(name: string, model: ModelInfo) {
  const linear = isLinear(model)
  const changes = changesOf(model)
  const known = new Map<string, Rates>()

  function priceOf(usage: PricedUsage, at: Date): number | undefined {
    try {
      return calculated(name, usage, at)?.total_price
    } catch {
      return undefined
    }
  }

  function ratesOf(long: boolean, at: Date): Rates {
    const key = `${long} ${changes.filter((from) => from <= at.getTime()).length}`
    let rates = known.get(key)
    if (!rates) {
      const base = long ? LONG : NOTHING
      const least = priceOf(base, at)
      const rateOf = (kind: (typeof KINDS)[number]): number | undefined => {
        const more = priceOf({ ...base, [kind]: base[kind] + SAMPLE_TOKENS }, at)
        return more === undefined || least === undefined ? undefined : (more - least) / SAMPLE_TOKENS
      }
      rates = Object.fromEntries(KINDS.map((kind) => [kind, rateOf(kind)])) as Rates
      known.set(key, rates)
    }
    return rates
  }

  return (usage: PricedUsage, at: Date): number | undefined => {
    if (!linear) return priceOf(usage, at)
    const { input, cacheRead, cacheWrite, cacheWriteHour } = usage
    const rates = ratesOf(input + cacheRead + cacheWrite + cacheWriteHour > LONG_TOKENS, at)
    let cost = 0
    for (const kind of KINDS) {
      if (usage[kind] === 0) continue
      const rate = rates[kind]
      if (rate === undefined) return undefined
      cost += usage[kind] * rate
    }
    return cost
  }
}

/** The model that the package means by a name; undefined for one that it does not know. */
export function modelNamed(name: string): ModelInfo | undefined {
  try {
    return calculated(name, NOTHING, new Date())?.model
  } catch {
    return undefined
  }
}
