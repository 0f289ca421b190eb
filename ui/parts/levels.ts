/** The shade of a value, from 0 to 4, by its rank: one very high value does not make all others look empty. */
export function levelsOf(values: readonly number[]): (value: number) => number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b)
  const limits = [0.25, 0.5, 0.75].map((part) => sorted[Math.floor(sorted.length * part)] ?? 0)
  return (value) => (value === 0 ? 0 : 1 + limits.filter((limit) => value > limit).length)
}
