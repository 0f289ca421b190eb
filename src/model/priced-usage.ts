/** The tokens of one or more requests. `input` excludes tokens read from or written to a cache. */
export interface PricedUsage {
  input: number
  output: number
  cacheRead: number
  /** Excludes writes that last an hour. */
  cacheWrite: number
  cacheWriteHour: number
}

/**
 * Numbers of input tokens above which some model has other prices for the whole request, from all price
 * lists.
 */
export const LENGTH_STEPS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000] as const

/**
 * The number of length steps that a request exceeds. Requests of one model and time with the same number cost
 * the same per token.
 */
export const lengthOf = (inputTokens: number): number =>
  LENGTH_STEPS.filter((step) => inputTokens > step).length

/** The model under which web searches are counted, one request each. They have no tokens. */
export const WEB_SEARCH = 'web search'

/**
 * The name of a model with the terms of a request that change its price: `claude-opus-4-6[fast]`.
 */
export const withTerms = (model: string, terms: readonly string[]): string =>
  terms.length === 0 ? model : `${model.replace(/\[[^\]]*\]$/, '')}[${terms.join(' ')}]`

/** The terms in the name of a model. */
export const termsIn = (model: string): string[] => /\[([a-z ]+)\]$/.exec(model)?.[1]?.split(' ') ?? []
