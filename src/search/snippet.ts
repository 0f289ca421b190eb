import { fold, isCjkAt, isInsideOfPair, isTokenAt, once } from './characters.ts'
import { findIn, needlesOf, type Range, wantedTerms } from './match.ts'
import type { Query } from './query.ts'

export interface Snippet {
  text: string
  /** The matches in `text`, in order and without overlaps. */
  marks: Range[]
}

/** The maximum number of occurrences of one term that are checked. */
const MOST_FINDS = 100_000
/** Narrower snippets are not useful. */
const NARROWEST = 20
/** Accents, parts of an emoji and skin tones: they belong to the preceding character. */
const joined = once(() => /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u)
/** How far a cut may move to get between two words. */
const LONGEST_WORD = 24

interface Find {
  term: number
  start: number
  end: number
}

/**
 * The part of a text that shows most of what a query asks for, as one line of at most `width` units. White
 * space is collapsed, and cuts are marked by `…` and made between words. Shows the beginning if nothing
 * matches.
 */
export function snippetOf(text: string, query: Query, width = 160): Snippet {
  const line = /\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text.trim()
  const finds = findsOf(line, query)
  const room = Math.max(width, NARROWEST)
  const [start, end] = line.length <= room ? [0, line.length] : cut(line, bestSpan(finds, room - 2), room - 2)
  const head = start > 0 ? '…' : ''
  const shift = head.length - start
  return {
    text: `${head}${line.slice(start, end)}${end < line.length ? '…' : ''}`,
    marks: finds
      .filter((find) => find.start >= start && find.end <= end)
      .map((find) => [find.start + shift, find.end + shift]),
  }
}

/** The matches in order. Of two that overlap, the first or the longer one is used. */
function findsOf(line: string, query: Query): Find[] {
  const folded = fold(line)
  const all = wantedTerms(query.words)
    .flatMap((term, number) =>
      findIn(folded, needlesOf(term), MOST_FINDS).map(([start, end]) => ({ term: number, start, end })),
    )
    .sort((one, other) => one.start - other.start || other.end - one.end)
  let free = 0
  return all.filter(({ start, end }) => {
    if (start < free) return false
    free = end
    return true
  })
}

/**
 * The range of the matches that are best shown together: the most different terms, rare ones first, then the
 * most matches.
 */
function bestSpan(finds: readonly Find[], room: number): Range {
  const totals = new Map<number, number>()
  for (const { term } of finds) totals.set(term, (totals.get(term) ?? 0) + 1)
  const counts = new Map<number, number>()
  let value = 0
  let best: Range = [0, 0]
  let bestPoints = 0
  for (let first = 0, last = 0; first < finds.length; first++) {
    const { term, start } = finds[first]!
    last = Math.max(last, first)
    for (; last < finds.length && finds[last]!.end - start <= room; last++) {
      const count = counts.get(finds[last]!.term) ?? 0
      if (count === 0) value += 1 + 1 / totals.get(finds[last]!.term)!
      counts.set(finds[last]!.term, count + 1)
    }
    if (last === first) continue
    const points = value + Math.min(last - first, 100) / 1000
    if (points > bestPoints + 1e-6) {
      best = [start, finds[last - 1]!.end]
      bestPoints = points
    }
    const left = counts.get(term)! - 1
    counts.set(term, left)
    if (left === 0) value -= 1 + 1 / totals.get(term)!
  }
  return best
}

/**
 * At most `room` units around a range, with a third of the spare room before it, adjusted to the ends of
 * words.
 */
function cut(line: string, [from, to]: Range, room: number): Range {
  const wished = Math.floor(from - Math.max(0, room - (to - from)) / 3)
  const start = Math.max(0, Math.min(wished, line.length - room))
  const end = Math.min(line.length, start + room)
  let head = start
  while (head > 0 && head < from && head - start < LONGEST_WORD && !isCut(line, head)) head++
  if (head > 0 && !isCut(line, head)) head = start
  while (head > 0 && head < end && isInside(line, head)) head++
  while (line[head] === ' ') head++
  let tail = end
  while (tail < line.length && tail > to && end - tail < LONGEST_WORD && !isCut(line, tail)) tail--
  if (tail < line.length && !isCut(line, tail)) tail = end
  while (tail < line.length && tail > head && isInside(line, tail)) tail--
  while (tail < line.length && tail > head && line[tail - 1] === ' ') tail--
  return [head, tail]
}

/** Whether the line may be cut here: next to a space, or between Chinese characters. */
function isCut(line: string, index: number): boolean {
  if (line[index - 1] === ' ' || line[index] === ' ') return true
  return (
    !isInside(line, index) && (isCjkAt(line, index) || isCjkAt(line, index - 1)) && isTokenAt(line, index)
  )
}

/** Whether a cut here would split what a reader sees as one character. */
function isInside(line: string, index: number): boolean {
  if (isInsideOfPair(line, index)) return true
  if (line.charCodeAt(index) < 0x300) return false
  return line.charCodeAt(index - 1) === 0x200d || joined().test(line.slice(index, index + 2))
}
