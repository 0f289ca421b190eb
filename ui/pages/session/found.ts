import type { Item, Outline } from '../../api/shapes.ts'

/** The indexes of items that `read` found, which states their lines. */
export function indexesOf(items: readonly Item[], outline: Outline | undefined): number[] {
  if (!outline) return []
  const byLine = new Map<number, number[]>()
  for (const [index, line] of outline.line.entries()) {
    const known = byLine.get(line)
    if (known) known.push(index)
    else byLine.set(line, [index])
  }
  const letters: Record<string, string> = { human: 'h', agent: 'a', program: 'p', tool: 't', error: 'e' }
  const found = new Set<number>()
  for (const { line, who } of items) {
    const all = byLine.get(line) ?? []
    const index = all.find((each) => outline.who[each] === letters[who] && !found.has(each)) ?? all[0]
    if (index !== undefined) found.add(index)
  }
  return [...found].sort((a, b) => a - b)
}
