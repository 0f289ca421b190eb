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
import type { Node, Term } from './query.ts'

/** A range of UTF-16 units. The end is exclusive. */
export type Range = [start: number, end: number]

/** One spelling of a term, prepared for searching in folded texts. */
export interface Needle {
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
  const text = fold(compose(typed)).text
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
export function findNext(text: string, { parts }: Needle, from: number, range: Range): boolean {
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
  if (at === from && part.cjk === afterCjk) return 0
  return text.startsWith(part.text, at) ? at + part.text.length : 0
}

/** Whether a range consists of whole words, as the index sees them. In Chinese, every part is a word. */
export function isWhole(text: string, { parts, prefix }: Needle, [start, end]: Range): boolean {
  return (
    (parts[0]!.cjk || !isWordAt(text, start - 1)) && (prefix || parts.at(-1)!.cjk || !isWordAt(text, end))
  )
}

const isWordAt = (text: string, index: number): boolean => isTokenAt(text, index) && !isCjkAt(text, index)

/** Converts a range of a folded text to the original text. */
export function unfold({ offsets }: Folded, [start, end]: Range): Range {
  return offsets ? [offsets[start]!, offsets[end]!] : [start, end]
}

/**
 * The first `limit` occurrences of a term: as whole words, or as parts of words if there are none. Ignores
 * case and the accents of Latin letters.
 */
export function findTerm(text: string, term: Term, limit = 1000): Range[] {
  return findIn(fold(text), needlesOf(term), limit)
}

/** The same for a folded text and prepared needles. */
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

interface MatchOptions {
  /** Also match inside words. Does not apply to quoted phrases and excluded words. */
  loose?: boolean
}

/**
 * Whether a text matches a query in the same way as the full-text index. A query without words matches
 * everything.
 */
export function matches(words: Node | undefined, text: string, options: MatchOptions = {}): boolean {
  return createMatcher(words, options)(text)
}

/** The same, prepared once for many texts. */
export function createMatcher(
  words: Node | undefined,
  { loose = false }: MatchOptions = {},
): (text: string) => boolean {
  if (words === undefined) return () => true
  const holds = compileNode(words, loose)
  return (text) => holds(fold(text).text)
}

/** The same for texts that are folded already. */
export const createFoldedMatcher = (words: Node | undefined): ((folded: string) => boolean) =>
  words === undefined ? () => true : compileNode(words, false)

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
