import { type Folded, fold } from './fold.ts'
import { findNext, type Needle, needlesOf, type Range, unfold, wantedTerms } from './match.ts'
import { closeness, type Find } from './proximity.ts'
import type { Query, Term } from './query.ts'
import { standingOf, WHOLE } from './standing.ts'

/** A message, or the call of a tool with what it was used on. */
export interface Candidate {
  text: string
  who: string
  at?: number
  target?: string
}

/** Finds of one term that are looked at, and good ones that are enough. */
const MOST_FINDS = 12
const ENOUGH_WHOLE = 4
const TYPED_CASE = 1.2
/** What further finds of a term may add to the best, and the nearness of all terms to the whole. */
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
  /** As typed, where it has capitals. */
  exact?: string
}

/**
 * Makes the ranking of messages that match a query: the higher the better, comparable within one query. Better are
 * whole words over parts of names over starts over insides of words, the case that was typed, terms close together and
 * in order, several finds, a human over an agent over programs, tools and errors, the shorter, and slightly the newer.
 */
export function createScorer(query: Query): (message: Candidate, now: number) => number {
  const wanted = wantedTerms(query.words).map(makeReady)
  return (message, now) => {
    const { text, target } = message
    const words = target === undefined ? text : `${text}\n${target}`
    const said = wanted.length === 0 ? 1 : scoreWords(words, wanted)
    return said * (SPEAKERS[message.who] ?? OTHER_SPEAKER) * brevity(words.length) * recency(message.at, now)
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

/** How well one term is found; where, goes into `finds`. */
function scoreTerm(text: string, folded: Folded, wanted: Wanted, term: number, finds: Find[]): number {
  const { needles, exact } = wanted
  const range: Range = [0, 0]
  let best = 0
  let sum = 0
  for (const needle of needles) {
    let whole = 0
    for (let count = 0, from = 0; count < MOST_FINDS && whole < ENOUGH_WHOLE; count++) {
      if (!findNext(folded.text, needle, from, range)) break
      const place = unfold(folded, range)
      const standing = standingOf(folded.text, needle, range, text, place)
      if (standing === WHOLE) whole++
      const points =
        exact !== undefined && text.startsWith(exact, place[0]) ? standing * TYPED_CASE : standing
      best = Math.max(best, points)
      sum += points
      finds.push({ term, start: range[0], end: range[1] })
      from = range[1]
    }
  }
  const more = sum - best
  return best * (1 + (REPETITION * more) / (more + 2))
}

/** From one down to about three quarters for a text of a million characters. */
const brevity = (length: number): number => 1 / (1 + 0.03 * Math.log2(1 + length / 300))

function recency(at: number | undefined, now: number): number {
  return at === undefined ? 1 : 1 + RECENCY * 0.5 ** (Math.max(0, now - at) / HALF_LIFE)
}
