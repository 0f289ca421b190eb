import { CJK, isAscii, isCjkAt, isTokenAt, TOKEN } from './characters.ts'
import { compose, type Folded, fold } from './fold.ts'
import { once } from './once.ts'
import type { Node, Term } from './query.ts'
import { spellingsOf } from './spellings.ts'

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
