import { type Folded, fold } from './fold.ts'
import { findNext, type Needle, needlesOf, type Range, unfold, wantedTerms } from './match.ts'
import { matchQuality, WHOLE } from './match-quality.ts'
import { closeness, type Find } from './proximity.ts'
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
