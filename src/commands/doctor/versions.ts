/** Sorts versions by the numbers in them. */
export const byNumbers = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true })
