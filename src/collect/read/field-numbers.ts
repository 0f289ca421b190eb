import { depthOf, isElement, keyOf } from '../../io/scanner/shape.ts'

/** One more than the largest key that a scanner reports. */
const KEYS = 256

/** Numbers paths such as `payload.cwd`, to find their fields among the pairs of a line. */
export function createFieldNumbers(paths: readonly (string | undefined)[], words: readonly string[]) {
  /** For each numbered path: the numbers of its members, by key. Path 0 is the record. */
  const members = [new Uint8Array(KEYS)]
  const numbers = new Map<string, number>()
  let deepest = 1
  for (const path of paths) {
    if (path === undefined) continue
    const names = path.split('.')
    deepest = Math.max(deepest, names.length)
    let number = 0
    for (const name of names) {
      const own = members[number]!
      const key = words.indexOf(name) + 1
      if (own[key] === 0) own[key] = members.push(new Uint8Array(KEYS)) - 1
      number = own[key]!
    }
    numbers.set(path, number)
  }
  /** The number of the path at each depth, up to the current pair. */
  const open = new Uint8Array(deepest + 1)
  return {
    /** Pairs below this depth are no fields. */
    deepest,
    /** -1 for no path. */
    numberOf: (path: string | undefined): number => (path === undefined ? -1 : numbers.get(path)!),
    /**
     * The number of a pair's path, 0 if it has none. Takes the pairs of a line in order, down to `deepest`.
     */
    at(meta: number): number {
      const depth = depthOf(meta)
      const outer = open[depth - 1]!
      const number = isElement(meta) || (depth > 1 && outer === 0) ? 0 : members[outer]![keyOf(meta)]!
      open[depth] = number
      return number
    },
  }
}
