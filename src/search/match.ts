import { smallest } from '../model/iteration.ts'
import {
  CJK,
  compose,
  type Folded,
  fold,
  hasVariants,
  isAscii,
  isCjkAt,
  isTokenAt,
  once,
  spellingsOf,
  TOKEN,
} from './characters.ts'
import type { Node, Query, Term } from './query.ts'
import { isVersionAt, separateVersions } from './words.ts'

/** A range of UTF-16 units. The end is exclusive. */
export type Range = [start: number, end: number]

/** One spelling of a term, prepared for searching in folded texts. */
interface Needle {
  parts: { text: string; cjk: boolean }[]
  prefix: boolean
}

/** Terms are short, because the length of a query is limited. */
const runs = once(() => new RegExp(`${CJK}{1,1024}|[${TOKEN}--${CJK}]{1,1024}`, 'gv'))
const asciiRuns = /[0-9A-Za-z]{1,1024}/g

/** One needle per spelling of a term. The first is the one that was typed. */
export const needlesOf = (term: Term): Needle[] =>
  spellingsOf(term).map((text) => needleOf(text, term.prefix))

function needleOf(typed: string, prefix: boolean): Needle {
  const text = fold(separateVersions(compose(typed))).text
  const pattern = isAscii(text) ? asciiRuns : runs()
  const parts = Array.from(text.matchAll(pattern), ([run]) => ({ text: run, cjk: isCjkAt(run, 0) }))
  // The index cannot find this term, so it is searched literally.
  if (parts.length === 0 && text.trim() !== '') parts.push({ text: text.trim(), cjk: true })
  return { parts, prefix }
}

/**
 * Finds the next occurrence of a needle in a folded text and writes it to `range`. Returns false if there is
 * none. Its parts must follow each other without words between them. The occurrence may begin or end inside a
 * word; see `isWhole`.
 */
function findNext(text: string, { parts }: Needle, from: number, range: Range): boolean {
  const first = parts[0]
  if (!first) return false
  for (let start = text.indexOf(first.text, from); start >= 0; start = text.indexOf(first.text, start + 1)) {
    let end = start + first.text.length
    for (let index = 1; index < parts.length && end > 0; index++)
      end = endOfNext(text, end, parts[index]!, parts[index - 1]!.cjk)
    if (end === 0) continue
    range[0] = start
    range[1] = end
    return true
  }
  return false
}

/**
 * The end of a part that follows at `from`, or 0. Chinese and English words may touch; two English words may
 * not.
 */
function endOfNext(text: string, from: number, part: Needle['parts'][number], afterCjk: boolean): number {
  let at = from
  while (at < text.length && !isTokenAt(text, at)) at++
  if (at === from && part.cjk === afterCjk && !isVersionAt(text, at)) return 0
  return text.startsWith(part.text, at) && !crossesVersion(text, at, part) ? at + part.text.length : 0
}

/** Whether a part like `v21` is in `v21.5`, where the index has two words. */
const crossesVersion = (text: string, start: number, { text: part }: Needle['parts'][number]): boolean =>
  part.length > 1 && part[0] === 'v' && isVersionAt(text, start + 1)

/** Whether a range consists of whole words, as the index sees them. In Chinese, every part is a word. */
function isWhole(text: string, { parts, prefix }: Needle, [start, end]: Range): boolean {
  const starts = parts[0]!.cjk || (isBreak(text, start) && !crossesVersion(text, start, parts[0]!))
  return starts && (prefix || parts.at(-1)!.cjk || isBreak(text, end))
}

/** Whether no word continues from the character before the index to the one at it. */
const isBreak = (text: string, index: number): boolean =>
  !isWordAt(text, index - 1) || !isWordAt(text, index) || isVersionAt(text, index)

const isWordAt = (text: string, index: number): boolean => isTokenAt(text, index) && !isCjkAt(text, index)

/** Converts a range of a folded text to the original text. */
function unfold({ offsets }: Folded, [start, end]: Range): Range {
  return offsets ? [offsets[start]!, offsets[end]!] : [start, end]
}

/**
 * The first `limit` occurrences of a term: as whole words, or as parts of words if there are none. Ignores
 * case and the accents of Latin letters.
 */
export function findIn(folded: Folded, needles: readonly Needle[], limit: number): Range[] {
  const found = needles.map((needle) => findOne(folded, needle, limit))
  const whole = found.flatMap((each) => each.whole)
  const ranges = whole.length > 0 ? whole : found.flatMap(({ parts }) => parts)
  if (needles.length > 1) ranges.sort((one, other) => one[0] - other[0] || other[1] - one[1])
  return (needles.length > 1 || whole.length === 0 ? apart(ranges) : ranges).slice(0, limit)
}

function findOne(folded: Folded, needle: Needle, limit: number): { whole: Range[]; parts: Range[] } {
  const whole: Range[] = []
  const parts: Range[] = []
  const range: Range = [0, 0]
  for (let from = 0; whole.length < limit && findNext(folded.text, needle, from, range); ) {
    const isWord = isWhole(folded.text, needle, range)
    if (isWord) whole.push(unfold(folded, range))
    else if (whole.length === 0 && parts.length < limit) parts.push(unfold(folded, range))
    from = isWord ? range[1] : range[0] + 1
  }
  return { whole, parts }
}

/** Removes ranges that begin inside the previous one. */
function apart(ranges: Range[]): Range[] {
  let end = 0
  return ranges.filter((range) => {
    const free = range[0] >= end
    if (free) end = range[1]
    return free
  })
}

/** The terms a query asks for, in the order they were typed. Excludes those after `not`. */
export function wantedTerms(node: Node | undefined): Term[] {
  if (node === undefined || 'not' in node) return []
  if ('term' in node) return [node.term]
  return ('all' in node ? node.all : node.any).flatMap(wantedTerms)
}

/**
 * Tests whether texts match a query in the same way as the full-text index. A query without words matches
 * everything. `loose`: also inside words, except for quoted phrases and excluded words.
 */
export function createMatcher(
  words: Node | undefined,
  { loose = false }: { loose?: boolean } = {},
): (text: string) => boolean {
  const holds = createFoldedMatcher(words, loose)
  return (text) => holds(fold(text).text)
}

/** The same for texts that are folded already. */
export const createFoldedMatcher = (words: Node | undefined, loose = false): ((folded: string) => boolean) =>
  words === undefined ? () => true : compileNode(words, loose)

function compileNode(node: Node, loose: boolean): (folded: string) => boolean {
  if ('term' in node) return compileTerm(node.term, loose)
  if ('not' in node) {
    const denied = compileNode(node.not, false)
    return (folded) => !denied(folded)
  }
  const inner = ('all' in node ? node.all : node.any).map((each) => compileNode(each, loose))
  return 'all' in node
    ? (folded) => inner.every((holds) => holds(folded))
    : (folded) => inner.some((holds) => holds(folded))
}

function compileTerm(term: Term, loose: boolean): (folded: string) => boolean {
  const needles = needlesOf(term)
  const range: Range = [0, 0]
  return (folded) => {
    for (const needle of needles)
      for (let from = 0; findNext(folded, needle, from, range); from = range[0] + 1)
        if ((loose && !term.phrase) || isWhole(folded, needle, range)) return true
    return false
  }
}

/** A cheap necessary condition for a match. It is not sufficient. */
interface Sieve {
  /**
   * Whether a folded text contains every required part of a word. May be true for texts that do not match.
   */
  holds(folded: string): boolean
  /**
   * Every matching text contains one of these: an ASCII string, whose letters may have accents in the text;
   * the bytes of a Chinese string, one character each; or `FOREIGN`. Absent if there is no such set.
   */
  anchors?: string[]
}

/** Represents any character that is not ASCII. */
export const FOREIGN = '\u0080'

export function createSieve(node: Node): Sieve {
  if ('not' in node) return { holds: () => true }
  if ('term' in node) return anyOf(needlesOf(node.term).map(sieveOf))
  const inner = ('all' in node ? node.all : node.any).map(createSieve)
  if ('all' in node) {
    const [best] = inner
      .flatMap(({ anchors }) => (anchors ? [anchors] : []))
      .sort((one, other) => worth(other) - worth(one))
    return {
      holds: (folded) => inner.every(({ holds }) => holds(folded)),
      ...(best ? { anchors: best } : {}),
    }
  }
  return anyOf(inner)
}

const anyOf = (inner: readonly Sieve[]): Sieve => ({
  holds: (folded) => inner.some(({ holds }) => holds(folded)),
  ...(inner.every(({ anchors }) => anchors)
    ? { anchors: withoutLonger(inner.flatMap(({ anchors }) => anchors ?? [])) }
    : {}),
})

/** Removes anchors that contain another one, because the shorter one covers them. */
function withoutLonger(anchors: readonly string[]): string[] {
  const all = [...new Set(anchors)]
  return all.filter((anchor) => !all.some((other) => other !== anchor && anchor.includes(other)))
}

function sieveOf(needle: Needle): Sieve {
  const pieces = needle.parts.map(({ text }) => text)
  const [known] = pieces.flatMap(anchorOf).sort((one, other) => other.length - one.length)
  const anchor = known ?? (pieces.some((piece) => /[^\0-\x7f]/.test(piece)) ? FOREIGN : undefined)
  return {
    holds: (folded) => pieces.every((piece) => folded.includes(piece)),
    ...(anchor === undefined ? {} : { anchors: [anchor] }),
  }
}

/**
 * Parts that have the same bytes in every text. Others may be written with accents, decomposed, or in other
 * characters.
 */
function anchorOf(piece: string): string[] {
  if (/^[a-z0-9]+$/.test(piece)) return [piece]
  if (!/^\p{sc=Han}+$/u.test(piece)) return []
  const same = Array.from(piece, (character) => (hasVariants(character) ? ' ' : character)).join('')
  return same
    .split(' ')
    .filter((run) => run !== '')
    .map((run) => Buffer.from(run).toString('latin1'))
}

/** Long anchors are rare, and few anchors are fast to search for. */
const worth = (anchors: readonly string[]): number =>
  smallest(anchors.map(({ length }) => length)) / anchors.length

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
  const isVerbatim = query.verbatim && createFoldedMatcher({ term: query.verbatim })
  return (message, now) => {
    const { text, target } = message
    const words = target === undefined ? text : `${text}\n${target}`
    const folded = wanted.length === 0 ? undefined : fold(words)
    const relevance = folded ? scoreWords(words, folded, wanted) : 1
    const score =
      relevance * (SPEAKERS[message.who] ?? OTHER_SPEAKER) * brevity(words.length) * recency(message.at, now)
    return folded && isVerbatim?.(folded.text) ? VERBATIM + score : score
  }
}

/** More than any score of a message that has not all words of a sentence one after the other. */
export const VERBATIM = 100

function makeReady(term: Term): Wanted {
  const exact = term.text !== term.text.toLowerCase()
  return { needles: needlesOf(term), ...(exact && { exact: term.text }) }
}

function scoreWords(text: string, folded: Folded, wanted: readonly Wanted[]): number {
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
