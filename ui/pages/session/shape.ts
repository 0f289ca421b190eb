import type { Item } from '../../api/shapes.ts'

/** The letter of an item that is not known yet. */
export const UNKNOWN = '?'

/** What the page knows about the items of a session, without their words. */
export interface Shape {
  who: string
  line: number[]
  size: number[]
  at: (number | null)[]
}

export const noShape = (): Shape => ({ who: '', line: [], size: [], at: [] })

const LETTERS: Record<string, string> = {
  human: 'h',
  agent: 'a',
  program: 'p',
  tool: 't',
  error: 'e',
  marker: 'm',
}
export const letterOf = ({ who }: Pick<Item, 'who'>): string => LETTERS[who] ?? 'm'

/**
 * The shape with items that it did not contain yet. `count`: how many the session has. The lists grow in place,
 * because a session that is written for an hour grows thousands of times.
 */
export function withItems(shape: Shape, items: readonly Item[], count: number): Shape {
  const { who, line, size, at } = shape
  const begin = items.findIndex(({ index }) => index >= who.length || who[index] === UNKNOWN)
  if (begin < 0 || count < who.length) return shape
  const fresh = items.slice(begin)
  const first = fresh[0]!.index
  for (const item of fresh) {
    line[item.index] = item.line
    size[item.index] = item.text?.length ?? 0
    at[item.index] = item.at === null ? null : Date.parse(item.at)
  }
  const letters = fresh.map(letterOf).join('')
  return {
    who: who.slice(0, first).padEnd(first, UNKNOWN) + letters + who.slice(first + letters.length),
    ...{ line, size, at },
  }
}
