import type { Item } from '../model/session.ts'

/** Which part of a session is wanted; nothing given means all of it. */
export interface Excerpt {
  /** From this line of the transcript on. */
  line?: number
  /** So many entries before and after each that holds the words, or else before and after that line. */
  around?: number
  /** Only the last so many entries. */
  last?: number
  /** Only entries that hold these words, whatever their case. */
  grep?: string
}

export const isExcerpt = ({ line, around, last, grep }: Excerpt): boolean =>
  line !== undefined || around !== undefined || last !== undefined || grep !== undefined

/** Takes the entries of a session as they come, and gives those that are wanted; `end` gives what was held back. */
export interface Excerpting {
  take(items: readonly Item[]): Item[]
  end(): Item[]
}

export function createExcerpt({ line, around, last, grep }: Excerpt): Excerpting {
  const words = grep?.toLowerCase()
  const isCentre =
    words !== undefined
      ? (item: Item) => holds(item, words)
      : line !== undefined && around !== undefined
        ? firstFrom(line)
        : undefined
  const begin = line !== undefined && (words !== undefined || around === undefined) ? line : 0
  const surrounded = isCentre && withNeighbours(isCentre, around ?? 0)
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

/** Whether an entry stands in the first line from there on that tells anything. */
function firstFrom(line: number): (item: Item) => boolean {
  let found: number | undefined
  return (item) => {
    if (item.line >= line) found ??= item.line
    return item.line === found
  }
}

/** Gives, for each entry that comes, those that are known to be wanted by now. */
function withNeighbours(isCentre: (item: Item) => boolean, count: number): (item: Item) => Item[] {
  const before: Item[] = []
  let after = 0
  return (item) => {
    if (isCentre(item)) {
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
