/**
 * Lower-case letters and digits only, without accents: `Ea-store_v2` becomes `eastorev2`, and `Größe` becomes
 * `grosse`.
 */
export const squash = (text: string): string =>
  /^[\w ./\\-]*$/.test(text) ? text.toLowerCase().replace(/[\W_]+/g, '') : folded(text)

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')

const UMLAUT = /[äöüÄÖÜ]/g
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' }

/** A name, and the way it is spelled where there are no umlauts: `größe` is also `groesse`. */
export function spellings(name: string): string[] {
  const composed = name.normalize('NFC')
  return UMLAUT.test(composed) ? [name, composed.replace(UMLAUT, (letter) => SPELLED[letter]!)] : [name]
}

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
