/** Tokens of requests. `input` excludes all cache figures. */
export interface PricedUsage {
  input: number
  output: number
  cacheRead: number
  /** Without those that last an hour. */
  cacheWrite: number
  cacheWriteHour: number
}

/** Input tokens beyond which models have other prices for the whole request, as in any of the vendors' lists. */
export const LENGTH_STEPS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000] as const

/** How many of the steps a request is beyond: those of one number cost the same for each token, of one model and time. */
export const lengthOf = (inputTokens: number): number =>
  LENGTH_STEPS.filter((step) => inputTokens > step).length
