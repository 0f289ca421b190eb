/** Formats a number as `410`, `20.6k`, `1.2M`, `3.4B`. */
export function amount(count: number): string {
  for (const [unit, size] of [
    ['B', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const)
    if (count >= size) return `${(count / size).toFixed(1)}${unit}`
  return String(Math.round(count))
}

export const dollars = (value: number | null): string =>
  value === null ? '-' : value > 0 && value < 0.01 ? '<$0.01' : `$${value.toFixed(2)}`
