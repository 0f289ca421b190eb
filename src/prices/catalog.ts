import { calcPrice } from '@pydantic/genai-prices'

/** Tokens of one request. `input` excludes both cache figures. */
export interface PricedUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/**
 * What a request cost at list price on a day, in US dollars; undefined for a model without a price. The prices are those of the package, as of
 * its release: nothing is fetched.
 */
export function priceOf(model: string, usage: PricedUsage, at: Date): number | undefined {
  const { input, output, cacheRead, cacheWrite } = usage
  const counted = {
    input_tokens: input + cacheRead + cacheWrite,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    output_tokens: output,
  }
  for (const name of namesOf(model))
    try {
      const found = calcPrice(counted, name, { timestamp: at })
      if (found) return found.total_price
    } catch {
      // The package has no price for tokens of one of these kinds.
      return undefined
    }
  return undefined
}

/** A model may be named with its vendor, or with where it ran. */
const namesOf = (model: string): string[] => {
  const plain = model.replace(/\[[^\]]*\]$/, '')
  const last = plain.split('/').at(-1)!
  const bare = last
    .replace(/^(?:[a-z]{2,6}\.)?anthropic\./, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/@/, '-')
  return [...new Set([plain, last, bare])]
}
