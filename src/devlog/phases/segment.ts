import { isEdit } from '../evidence/calls.ts'
import type { Turn } from '../evidence/turns.ts'
import { keywordsOf } from './keywords.ts'

/** Consecutive turns that belong together. */
export interface Segment {
  turns: Turn[]
  /** The changed files and their folders. */
  files: Set<string>
  folders: Set<string>
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
  items.flatMap(({ who, tool }) =>
    who === 'tool' && tool?.target && isEdit({ name: tool.name, target: tool.target }) ? tool.target : [],
  )

const folderOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/'), path.lastIndexOf('\\')))

/** The files and words of a turn, which are compared several times. */
interface Traits {
  files: ReadonlySet<string>
  words: ReadonlySet<string>
}

const known = new WeakMap<Turn, Traits>()

export function traitsOf(turn: Turn): Traits {
  let traits = known.get(turn)
  if (!traits) {
    traits = { files: new Set(filesOf(turn)), words: keywordsOf(turn.prompt.text ?? '') }
    known.set(turn, traits)
  }
  return traits
}

export function segmentOf(turn: Turn): Segment {
  const { files, words } = traitsOf(turn)
  const folders = new Set([...files].map(folderOf))
  return { turns: [turn], files: new Set(files), folders, words: new Set(words) }
}

/** Adds a later segment to an earlier one. */
function append(segment: Segment, later: Segment): void {
  for (const turn of later.turns) segment.turns.push(turn)
  for (const path of later.files) segment.files.add(path)
  for (const folder of later.folders) segment.folders.add(folder)
  for (const word of later.words) segment.words.add(word)
}

/** One segment of consecutive turns. */
export function joined([first, ...rest]: readonly Turn[]): Segment {
  const segment = segmentOf(first!)
  for (const later of rest) append(segment, segmentOf(later))
  return segment
}

/** Looks up the members of the smaller set in the larger one. */
export function areDisjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  for (const member of small) if (large.has(member)) return false
  return true
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
  const movesOn =
    before.files.size > 0 &&
    after.files.size > 0 &&
    areDisjoint(before.folders, after.folders) &&
    areDisjoint(before.files, after.files)
  const newWords = after.words.size >= LEAST_WORDS && areDisjoint(before.words, after.words)
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
    const next = segmentOf(turn)
    const isNew = turn.prompt.who === 'human' && current && boundary(current, next) >= CUT
    if (!current || isNew) segments.push(next)
    else append(current, next)
  }
  return segments
}

/**
 * Joins segments of consecutive sessions where nothing speaks for a new phase, then the neighbors with the
 * weakest boundary until there are few enough. Segments are in chronological order and are changed.
 */
export function joinSegments(segments: readonly Segment[], most: number): Segment[] {
  const parts: Segment[] = []
  for (const segment of segments) {
    const before = parts.at(-1)
    if (before && boundary(before, segment) < CUT) append(before, segment)
    else parts.push(segment)
  }
  /** The score of the boundary before each segment but the first. */
  const scores = parts.slice(1).map((segment, index) => boundary(parts[index]!, segment))
  while (parts.length > most) {
    let weakest = 0
    for (let at = 1; at < scores.length; at++) if (scores[at]! < scores[weakest]!) weakest = at
    append(parts[weakest]!, parts[weakest + 1]!)
    parts.splice(weakest + 1, 1)
    scores.splice(weakest, 1)
    for (const at of [weakest - 1, weakest])
      if (at >= 0 && at < scores.length) scores[at] = boundary(parts[at]!, parts[at + 1]!)
  }
  return parts
}
