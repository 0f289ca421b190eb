import { isTokenAt } from './characters.ts'
import { isWhole, type Needle, type Range } from './match.ts'

/** How likely a match is what somebody is looking for. */
export const WHOLE = 1
const PART = 0.75
const START = 0.5
const INSIDE = 0.25

/**
 * Whether a match is a whole word, a part of an identifier or path (`create` in `createScorer`, `score` in
 * `src/score.ts`), the start of a word, or inside one. `original` and `originalRange` are the text before
 * folding and the match in it.
 */
export function matchQuality(
  folded: string,
  needle: Needle,
  range: Range,
  original: string,
  originalRange: Range,
): number {
  if (isWhole(folded, needle, range)) {
    const before = !needle.parts[0]!.cjk && joins(folded, range[0] - 1, -1)
    const after = !needle.parts.at(-1)!.cjk && !needle.prefix && joins(folded, range[1], 1)
    return before || after ? PART : WHOLE
  }
  const starts = !isTokenAt(folded, range[0] - 1) || isHump(original, originalRange[0])
  const ends = needle.prefix || !isTokenAt(folded, range[1]) || isHump(original, originalRange[1])
  return starts ? (ends ? PART : START) : INSIDE
}

/**
 * Whether the separator here joins two words to one name: `_` and slashes always do, dots and the like only
 * between words.
 */
function joins(text: string, index: number, step: 1 | -1): boolean {
  switch (text.charCodeAt(index)) {
    case 0x5f:
    case 0x2f:
    case 0x5c:
      return true
    case 0x2d:
    case 0x2e:
    case 0x3a:
    case 0x40:
      return isTokenAt(text, index + step)
    default:
      return false
  }
}

/**
 * Whether a new word begins inside a name: at `S` in `createScorer` and `HTTPServer`, or between `http` and
 * `2`.
 */
function isHump(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const here = text.charCodeAt(index)
  if (isDigit(before) || isDigit(here)) return isDigit(before) !== isDigit(here)
  if (!isCapital(here)) return false
  return isSmall(before) || (isCapital(before) && isSmall(text.charCodeAt(index + 1)))
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a
