import type { Item } from '../model/session.ts'

/** Selects a part of a session. An empty object selects all of it. */
export interface Excerpt {
  /** Start at this line of the transcript. */
  line?: number
  /** Number of items before and after each match of `grep`, or else before and after `line`. */
  around?: number
  /** Only the last items, this many. */
  last?: number
  /** Only items that contain these words, ignoring case. */
  grep?: string
}

export const isExcerpt = ({ line, around, last, grep }: Excerpt): boolean =>
  line !== undefined || around !== undefined || last !== undefined || grep !== undefined

/** Receives items one by one and returns those that are selected. `end` returns the rest. */
export interface Excerpting {
  take(items: readonly Item[]): Item[]
  end(): Item[]
}

export function createExcerpt({ line, around, last, grep }: Excerpt): Excerpting {
  const words = grep?.toLowerCase()
  const isCenter =
    words !== undefined
      ? (item: Item) => holds(item, words)
      : line !== undefined && around !== undefined
        ? firstFrom(line)
        : undefined
  const begin = line !== undefined && (words !== undefined || around === undefined) ? line : 0
  const surrounded = isCenter && withNeighbors(isCenter, around ?? 0)
  let ending: Item[] = []
  return {
    take(items) {
      const following = items.filter((item) => item.line >= begin)
      const wanted = surrounded ? following.flatMap(surrounded) : following
      if (last === undefined) return wanted
      ending = last === 0 ? [] : [...ending, ...wanted].slice(-last)
      return []
    },
    end: () => ending,
  }
}

/** Returns a test for items of the first line, from `line` on, that yields any. */
function firstFrom(line: number): (item: Item) => boolean {
  let found: number | undefined
  return (item) => {
    if (item.line >= line) found ??= item.line
    return item.line === found
  }
}

/** Returns a function that, for each item, returns the items that are known to be selected by then. */
function withNeighbors(isCenter: (item: Item) => boolean, count: number): (item: Item) => Item[] {
  const before: Item[] = []
  let after = 0
  return (item) => {
    if (isCenter(item)) {
      after = count
      return [...before.splice(0), item]
    }
    if (after > 0) {
      after--
      return [item]
    }
    before.push(item)
    if (before.length > count) before.shift()
    return []
  }
}

const holds = ({ text, tool, detail }: Item, words: string): boolean =>
  [text, tool?.name, tool?.target, detail].some((each) => each?.toLowerCase().includes(words))
