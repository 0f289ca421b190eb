/** Adds rows to those with the same key that were added before. `sums` are the properties to add up. */
export function createMerger<Figure extends object>(sums: readonly (keyof Figure & string)[]) {
  const merged = new Map<string, Figure>()
  return {
    add(rows: Figure[], key: readonly (string | number | null)[], row: Figure): void {
      const name = JSON.stringify(key)
      const before = merged.get(name) as Record<string, number> | undefined
      if (before) for (const sum of sums) before[sum]! += (row as Record<string, number>)[sum]!
      else {
        merged.set(name, row)
        rows.push(row)
      }
    },
  }
}
