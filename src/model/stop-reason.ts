/**
 * Why the model stopped, as the provider wrote it: one short word such as `end_turn`. Other values yield
 * undefined.
 */
export const stopReasonOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_-]{1,40}$/.test(value) ? value : undefined
