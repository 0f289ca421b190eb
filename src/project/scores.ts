import { partsOf, spellings, squash, withinOneSlip } from './words.ts'

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
