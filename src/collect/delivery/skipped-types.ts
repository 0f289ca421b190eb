/** Types of records that are left out, by name; a star at the end stands for any other end. */
export function createSkipped(patterns: readonly string[] = []) {
  const names = new Set(patterns.filter((each) => !each.endsWith('*')))
  const beginnings = patterns.flatMap((each) => (each.endsWith('*') ? [each.slice(0, -1)] : []))
  return (type: string): boolean => names.has(type) || beginnings.some((each) => type.startsWith(each))
}
