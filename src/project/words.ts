/** Lower-case letters and digits only: `Ea-store_v2` becomes `eastorev2`. */
export const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether two names differ by one slip: a letter changed, missing or added, or two swapped. */
export function withinOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/** The last `count` folders of a path. */
export const lastParts = (path: string, count: number): string =>
  partsOf(path).slice(-count).join('/') || path

export const partsOf = (path: string): string[] => path.split(/[/\\]/).filter((part) => part !== '')
