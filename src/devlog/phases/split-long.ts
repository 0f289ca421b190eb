import type { Turn } from '../evidence/turns.ts'
import { areDisjoint, joined, type Segment, traitsOf } from './segment.ts'

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
    const before = turns.slice(Math.max(0, at - WINDOW), at)
    const after = turns.slice(at, at + WINDOW)
    const files = fileChange(before, after)
    // Words are only compared where they can decide.
    const score = files + OTHER_WORDS < best.score ? files : files + wordChange(before, after)
    // Of equal boundaries, the one nearest to the middle makes the more even parts.
    const isNearer = Math.abs(at - turns.length / 2) < Math.abs(best.at - turns.length / 2)
    if (score > best.score || (score === best.score && best.at >= 0 && isNearer)) best = { at, score }
  }
  if (best.at < 0) return [segment]
  return [turns.slice(0, best.at), turns.slice(best.at)].flatMap((part) => splitLong(joined(part)))
}

/** How much the files of two windows differ. They count by the share that both have. */
function fileChange(before: readonly Turn[], after: readonly Turn[]): number {
  const [old, own] = [before, after].map(
    (turns) => new Set(turns.flatMap((turn) => [...traitsOf(turn).files])),
  )
  if (old!.size === 0) return own!.size > 1 ? FIRST_FILES : 0
  return own!.size === 0 ? 0 : OTHER_FILES * (1 - shareOf(old!, own!))
}

/** Whether two windows have no word in common. */
function wordChange(before: readonly Turn[], after: readonly Turn[]): number {
  const own = after.map((turn) => traitsOf(turn).words).filter(({ size }) => size > 0)
  const isOther = before.every((turn) => own.every((words) => areDisjoint(traitsOf(turn).words, words)))
  return own.length > 0 && isOther ? OTHER_WORDS : 0
}

/** The share of the smaller set that is also in the larger one. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let count = 0
  for (const each of small) if (large.has(each)) count++
  return small.size === 0 ? 0 : count / small.size
}
