/** Returns a test for record types that are skipped. A pattern may end with `*`. */
export function createSkipped(patterns: readonly string[] = []) {
  const names = new Set(patterns.filter((each) => !each.endsWith('*')))
  const beginnings = patterns.flatMap((each) => (each.endsWith('*') ? [each.slice(0, -1)] : []))
  return (type: string): boolean => names.has(type) || beginnings.some((each) => type.startsWith(each))
}
