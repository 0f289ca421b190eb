/** Why a model stopped, as its provider words it: one short word, such as `end_turn`; anything else is none. */
export const stopReasonOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_-]{1,40}$/.test(value) ? value : undefined
