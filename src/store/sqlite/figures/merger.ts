/**
 * Returns a function that adds a row to a list, or to the row there that has the same key. `keys` are the
 * properties of the key. All others are added up.
 */
export function createMerger<Figure extends object>(keys: readonly (keyof Figure & string)[]) {
  const merged = new Map<Figure[], Map<string, Figure>>()
  return (rows: Figure[], row: Figure): void => {
    const known = merged.get(rows) ?? new Map<string, Figure>()
    merged.set(rows, known)
    const key = JSON.stringify(keys.map((name) => row[name]))
    const before = known.get(key) as Record<string, number> | undefined
    if (!before) {
      known.set(key, row)
      rows.push(row)
      return
    }
    for (const [name, value] of Object.entries(row))
      if (!keys.includes(name as keyof Figure & string)) before[name]! += value as number
  }
}
