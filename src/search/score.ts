import { type Folded, fold, isTokenAt } from './characters.ts'
import { findNext, isWhole, type Needle, needlesOf, type Range, unfold, wantedTerms } from './match.ts'
import type { Query, Term } from './query.ts'

/** A message, or a tool call with its target. */
export interface Candidate {
  text: string
  who: string
  at?: number
  target?: string
}

/** How many occurrences of one term are checked, and how many good ones are enough. */
const MOST_FINDS = 12
const ENOUGH_WHOLE = 4
const TYPED_CASE = 1.2
/** What more occurrences of a term can add to the best one, and what proximity can add to the whole. */
const REPETITION = 0.25
const NEARNESS = 0.5
const SPEAKERS: Record<string, number> = {
  human: 1,
  agent: 0.85,
  program: 0.7,
  memory: 0.85,
  tool: 0.55,
  error: 0.45,
}
const OTHER_SPEAKER = 0.4
const RECENCY = 0.2
const HALF_LIFE = 90 * 86_400_000

interface Wanted {
  needles: Needle[]
  /** As typed, if it contains capitals. */
  exact?: string
}

/**
 * Creates the ranking function of a query. Scores are comparable within one query only. These rank higher:
 * whole words over parts of names over beginnings over insides of words, the typed case, terms close together
 * and in order, several occurrences, humans over agents over programs, tools and errors, short texts, and,
 * slightly, recent ones.
 */
export function createScorer(query: Query): (message: Candidate, now: number) => number {
  const wanted = wantedTerms(query.words).map(makeReady)
  return (message, now) => {
    const { text, target } = message
    const words = target === undefined ? text : `${text}\n${target}`
    const relevance = wanted.length === 0 ? 1 : scoreWords(words, wanted)
    return (
      relevance * (SPEAKERS[message.who] ?? OTHER_SPEAKER) * brevity(words.length) * recency(message.at, now)
    )
  }
}

function makeReady(term: Term): Wanted {
  const exact = term.text !== term.text.toLowerCase()
  return { needles: needlesOf(term), ...(exact && { exact: term.text }) }
}

function scoreWords(text: string, wanted: readonly Wanted[]): number {
  const folded = fold(text)
  const finds: Find[] = []
  let sum = 0
  for (const [term, each] of wanted.entries()) sum += scoreTerm(text, folded, each, term, finds)
  const near = wanted.length > 1 ? NEARNESS * closeness(finds, wanted.length) : 0
  return sum / wanted.length + near
}

/** Scores the occurrences of one term and appends them to `finds`. */
function scoreTerm(text: string, folded: Folded, wanted: Wanted, term: number, finds: Find[]): number {
  const { needles, exact } = wanted
  const range: Range = [0, 0]
  let best = 0
  let sum = 0
  for (const needle of needles) {
    let whole = 0
    for (let count = 0, from = 0; count < MOST_FINDS && whole < ENOUGH_WHOLE; count++) {
      if (!findNext(folded.text, needle, from, range)) break
      const originalRange = unfold(folded, range)
      const quality = matchQuality(folded.text, needle, range, text, originalRange)
      if (quality === WHOLE) whole++
      const points =
        exact !== undefined && text.startsWith(exact, originalRange[0]) ? quality * TYPED_CASE : quality
      best = Math.max(best, points)
      sum += points
      finds.push({ term, start: range[0], end: range[1] })
      from = range[1]
    }
  }
  const more = sum - best
  return best * (1 + (REPETITION * more) / (more + 2))
}

/** From 1 down to about 0.75 for a text of a million characters. */
const brevity = (length: number): number => 1 / (1 + 0.03 * Math.log2(1 + length / 300))

function recency(at: number | undefined, now: number): number {
  return at === undefined ? 1 : 1 + RECENCY * 0.5 ** (Math.max(0, now - at) / HALF_LIFE)
}

/** How likely a match is what somebody is looking for. */
const WHOLE = 1
const PART = 0.75
const START = 0.5
const INSIDE = 0.25

/**
 * Whether a match is a whole word, a part of an identifier or path (`create` in `createScorer`, `score` in
 * `src/score.ts`), the start of a word, or inside one. `original` and `originalRange` are the text before
 * folding and the match in it.
 */
function matchQuality(
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

/** An occurrence of a term, identified by its index. */
interface Find {
  term: number
  start: number
  end: number
}

/** How much of the proximity depends on the order. */
const ORDER = 0.2

/**
 * How close together the terms of a query occur at best: 1 if they are adjacent and in order, approaching 0
 * with distance. Missing terms lower the result.
 */
function closeness(finds: Find[], terms: number): number {
  const present = new Set(finds.map(({ term }) => term)).size
  if (present < 2) return 0
  finds.sort((one, other) => one.start - other.start || one.term - other.term)
  const counts = new Uint32Array(terms)
  let inside = 0
  let best = 0
  for (let first = 0, last = 0; last < finds.length; last++) {
    if (counts[finds[last]!.term]!++ === 0) inside++
    while (counts[finds[first]!.term]! > 1) counts[finds[first++]!.term]!--
    if (inside === present) best = Math.max(best, windowPoints(finds, first, last))
  }
  return (best * present) / terms
}

function windowPoints(finds: readonly Find[], first: number, last: number): number {
  let own = 0
  let end = 0
  let ordered = true
  for (let index = first; index <= last; index++) {
    const find = finds[index]!
    own += find.end - find.start + 1
    end = Math.max(end, find.end)
    if (index > first && find.term <= finds[index - 1]!.term) ordered = false
  }
  // A few words in between cost little.
  const apart = Math.max(0, end - finds[first]!.start + 1 - own)
  return (1 - ORDER + (ordered ? ORDER : 0)) / (1 + apart / 60)
}
