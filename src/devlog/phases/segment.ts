import { isEdit } from '../evidence/calls.ts'
import type { Turn } from '../evidence/turns.ts'
import { keywordsOf } from './keywords.ts'

/** Consecutive turns that belong together. */
export interface Segment {
  turns: Turn[]
  files: Set<string>
  words: Set<string>
}

const HOUR = 3_600_000
/** From this score on, a new segment begins. */
const CUT = 0.8
const COMPACTION = 0.5
const OTHER_FILES = 0.4
const OTHER_WORDS = 0.2
const OTHER_SESSION = 0.4
/** A prompt with fewer words says nothing about its topic. */
const LEAST_WORDS = 4

const filesOf = ({ items }: Turn): string[] =>
  items.flatMap(({ tool }) =>
    tool?.target && isEdit({ name: tool.name, target: tool.target }) ? tool.target : [],
  )

const folderOf = (path: string): string => path.replace(/[/\\][^/\\]*$/, '')

export function segmentOf(turns: readonly Turn[]): Segment {
  const segment: Segment = { turns: [...turns], files: new Set(), words: new Set() }
  for (const turn of turns) extend(segment, turn)
  return segment
}

function extend({ files, words }: Segment, turn: Turn): void {
  for (const path of filesOf(turn)) files.add(path)
  for (const word of keywordsOf(turn.prompt.text ?? '')) words.add(word)
}

function pauseScore(ms: number): number {
  if (ms > 12 * HOUR) return 0.8
  if (ms > 4 * HOUR) return 0.6
  if (ms > HOUR) return 0.4
  return ms > HOUR / 2 ? 0.2 : 0
}

/**
 * How much speaks for a new phase between two segments: a pause, other files, other words, another session.
 */
export function boundary(before: Segment, after: Segment): number {
  const [first] = after.turns
  const last = before.turns.at(-1)!
  const folders = new Set([...before.files].map(folderOf))
  const movesOn =
    before.files.size > 0 &&
    after.files.size > 0 &&
    ![...after.files].some((path) => before.files.has(path) || folders.has(folderOf(path)))
  const newWords = after.words.size >= LEAST_WORDS && ![...after.words].some((word) => before.words.has(word))
  return (
    pauseScore(first!.at - last.end) +
    (first!.compacted ? COMPACTION : 0) +
    (movesOn ? OTHER_FILES : 0) +
    (newWords ? OTHER_WORDS : 0) +
    (first!.source === last.source ? 0 : OTHER_SESSION)
  )
}

/** Cuts the turns of one session. A prompt of a program does not begin a phase. */
export function segmentsOf(turns: readonly Turn[]): Segment[] {
  const segments: Segment[] = []
  for (const turn of turns) {
    const current = segments.at(-1)
    const next = segmentOf([turn])
    const isNew = turn.prompt.who === 'human' && current && boundary(current, next) >= CUT
    if (!current || isNew) segments.push(next)
    else {
      current.turns.push(turn)
      extend(current, turn)
    }
  }
  return segments
}

/**
 * Joins segments of consecutive sessions where nothing speaks for a new phase, then the neighbors with the
 * weakest boundary until there are few enough. Segments are in chronological order.
 */
export function joinSegments(segments: readonly Segment[], most: number): Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const before = joined.at(-1)
    if (before && boundary(before, segment) < CUT) joined[joined.length - 1] = both(before, segment)
    else joined.push(segment)
  }
  while (joined.length > most) {
    let weakest = 1
    for (let at = 2; at < joined.length; at++)
      if (boundary(joined[at - 1]!, joined[at]!) < boundary(joined[weakest - 1]!, joined[weakest]!))
        weakest = at
    joined.splice(weakest - 1, 2, both(joined[weakest - 1]!, joined[weakest]!))
  }
  return joined
}

const both = (a: Segment, b: Segment): Segment => segmentOf([...a.turns, ...b.turns])
