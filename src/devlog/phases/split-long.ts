import { joined, type Segment, segmentOf } from './segment.ts'

/** A segment with more turns is split where the work changes most. */
const LONGEST = 12
/** Turns on both sides of a boundary that are compared. */
const WINDOW = 4
const LEAST_PART = 3
const LEAST_CHANGE = 0.5
const OTHER_FILES = 0.6
const FIRST_FILES = 0.6
const OTHER_WORDS = 0.2

/** Splits a long segment in which no pause or compaction marks a boundary, where its files change most. */
export function splitLong(segment: Segment): Segment[] {
  const { turns } = segment
  if (turns.length <= LONGEST) return [segment]
  let best = { at: -1, score: LEAST_CHANGE }
  for (let at = LEAST_PART; at <= turns.length - LEAST_PART; at++) {
    // A phase begins with words of the human that say something.
    if (turns[at]!.prompt.who !== 'human') continue
    const before = joined(turns.slice(Math.max(0, at - WINDOW), at).map(segmentOf))
    const after = joined(turns.slice(at, at + WINDOW).map(segmentOf))
    const score = change(before, after)
    // Of equal boundaries, the one nearest to the middle makes the more even parts.
    const isNearer = Math.abs(at - turns.length / 2) < Math.abs(best.at - turns.length / 2)
    if (score > best.score || (score === best.score && best.at >= 0 && isNearer)) best = { at, score }
  }
  if (best.at < 0) return [segment]
  return [turns.slice(0, best.at), turns.slice(best.at)].flatMap((part) =>
    splitLong(joined(part.map(segmentOf))),
  )
}

/** How much two windows differ: from 0 to 0.8. Files count by the share that both have. */
function change(before: Segment, after: Segment): number {
  const words = shareOf(before.words, after.words) === 0 && after.words.size > 0 ? OTHER_WORDS : 0
  if (before.files.size === 0) return (after.files.size > 1 ? FIRST_FILES : 0) + words
  if (after.files.size === 0) return words
  return OTHER_FILES * (1 - shareOf(before.files, after.files)) + words
}

/** The share of the smaller set that is also in the larger one. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let count = 0
  for (const each of small) if (large.has(each)) count++
  return small.size === 0 ? 0 : count / small.size
}
