import type { Item } from '../../api/shapes.ts'
import { letterOf, type Shape } from './shape.ts'

/** The indexes of items that `read` found, which states their lines. */
export function indexesOf(items: readonly Pick<Item, 'line' | 'who'>[], shape: Shape): number[] {
  const byLine = new Map<number, number[]>()
  for (const [index, line] of shape.line.entries()) {
    const known = byLine.get(line)
    if (known) known.push(index)
    else byLine.set(line, [index])
  }
  const found = new Set<number>()
  for (const item of items) {
    const all = byLine.get(item.line) ?? []
    const index = all.find((each) => shape.who[each] === letterOf(item) && !found.has(each)) ?? all[0]
    if (index !== undefined) found.add(index)
  }
  return [...found].sort((a, b) => a - b)
}
