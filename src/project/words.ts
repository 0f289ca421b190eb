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

/** Shorter words occur inside too many others to prove anything. */
const SHORTEST_PART = 2
/** One character of Chinese, Japanese or Korean is a word. */
const isLong = (wanted: string): boolean =>
  wanted.length >= SHORTEST_PART ||
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(wanted)
/** In a shorter word, a wrong letter often makes another word. */
const SHORTEST_SLIP = 4

/** How well a word matches a name, from 0 to 100. Both contain only letters and digits. */
interface Fit {
  whole: number
  begins: number
  holds: number
  slip: number
}

const LAST: Fit = { whole: 98, begins: 80, holds: 72, slip: 52 }
const ABOVE: Fit = { whole: 86, begins: 66, holds: 60, slip: 44 }

function scoreOf(part: string, wanted: string, scores: Fit, slips: boolean): number {
  if (part === wanted) return scores.whole
  if (isLong(wanted)) {
    if (part.startsWith(wanted)) return scores.begins
    if (part.includes(wanted)) return scores.holds
  }
  return slips && wanted.length >= SHORTEST_SLIP && withinOneSlip(part, wanted) ? scores.slip : 0
}

/**
 * How well a name matches a path. Whole folder names count most, and the last folder more than its parents.
 * With `slips`, one letter may be wrong.
 */
export const pathScore = (path: string, query: string, slips = false): number =>
  Math.max(...spellings(path).map((spelled) => scoreOfPath(spelled, query, slips)))

function scoreOfPath(path: string, query: string, slips: boolean): number {
  const wanted = squash(query)
  if (wanted === '') return 0
  if (path === query) return 100
  const parts = partsOf(path).map(squash)
  let best = followed(parts, query)
  for (const [index, part] of parts.entries())
    best = Math.max(best, scoreOf(part, wanted, index === parts.length - 1 ? LAST : ABOVE, slips))
  if (best > 0 || !isLong(wanted)) return best
  return squash(path).includes(wanted) ? 50 : 0
}

/** How well a name matches another name, such as that of an agent. */
export const nameScore = (name: string, query: string, slips = false): number => {
  const wanted = squash(query)
  if (wanted === '') return 0
  if (name === query) return 99
  return Math.max(...spellings(name).map((spelled) => scoreOf(squash(spelled), wanted, LAST, slips)))
}

/** `eastore/api`: consecutive folders. */
function followed(parts: readonly string[], query: string): number {
  const wanted = query.split(/[/\\]/).flatMap((part) => squash(part) || [])
  if (wanted.length < 2) return 0
  const at = parts.findLastIndex((_, start) => wanted.every((part, index) => parts[start + index] === part))
  return at < 0 ? 0 : at + wanted.length === parts.length ? 97 : 85
}

/** The same for slugs, which do not show where a folder name ends. */
export function slugScore(slug: string, query: string): number {
  const wanted = squash(query)
  if (wanted === '') return 0
  if (squash(slug) === wanted) return 76
  const words = slug.split('-').map((word) => word.toLowerCase())
  if (words.at(-1) === wanted) return 70
  if (words.includes(wanted)) return 62
  return isLong(wanted) && squash(slug).includes(wanted) ? 48 : 0
}
