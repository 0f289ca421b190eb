import { CJK, isCjkAt, isTokenAt, TOKEN } from './characters.ts'
import { compose, type Folded, fold } from './fold.ts'
import type { Node, Term } from './query.ts'
import { spellingsOf } from './spellings.ts'

/** From the first unit to behind the last. */
export type Range = [start: number, end: number]

/** One way of writing a term, made ready for being looked for in folded texts. */
export interface Needle {
  parts: { text: string; cjk: boolean }[]
  prefix: boolean
}

/** Terms are short: a query has a limit. */
const runs = new RegExp(`${CJK}{1,1024}|[${TOKEN}--${CJK}]{1,1024}`, 'gv')

/** A needle for each way in which a term may be written; the first is as it was typed. */
export const needlesOf = (term: Term): Needle[] =>
  spellingsOf(term).map((text) => needleOf(text, term.prefix))

function needleOf(typed: string, prefix: boolean): Needle {
  const text = fold(compose(typed)).text
  const parts = Array.from(text.matchAll(runs), ([run]) => ({ text: run, cjk: isCjkAt(run, 0) }))
  // Nothing that the index could find: to be found as it was typed.
  if (parts.length === 0 && text.trim() !== '') parts.push({ text: text.trim(), cjk: true })
  return { parts, prefix }
}

/**
 * Writes where the needle stands next in a folded text into `range`; false when nowhere. Its parts follow each other
 * with anything but words between them; its first may begin and its last may end inside of a word, see `isWhole`.
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

/** Where a part ends that follows at `from`, or zero. Chinese and English may touch, two words may not. */
function endOfNext(text: string, from: number, part: Needle['parts'][number], afterCjk: boolean): number {
  let at = from
  while (at < text.length && !isTokenAt(text, at)) at++
  if (at === from && part.cjk === afterCjk) return 0
  return text.startsWith(part.text, at) ? at + part.text.length : 0
}

/** Whether a range that was found is whole words, as the index finds them; of Chinese every part is a word. */
export function isWhole(text: string, { parts, prefix }: Needle, [start, end]: Range): boolean {
  return (
    (parts[0]!.cjk || !isWordAt(text, start - 1)) && (prefix || parts.at(-1)!.cjk || !isWordAt(text, end))
  )
}

const isWordAt = (text: string, index: number): boolean => isTokenAt(text, index) && !isCjkAt(text, index)

/** A range in the original of a folded text. */
export function unfold({ places }: Folded, [start, end]: Range): Range {
  return places ? [places[start]!, places[end]!] : [start, end]
}

/**
 * Where a term stands in a text, the first `limit` times: as whole words, or, when it does so nowhere, as parts of
 * words. Without regard to case and to the accents of Latin letters.
 */
export function findTerm(text: string, term: Term, limit = 1000): Range[] {
  return findIn(fold(text), needlesOf(term), limit)
}

/** The same with both made ready. */
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

/** Without those that begin inside of the one before. */
function apart(ranges: Range[]): Range[] {
  let end = 0
  return ranges.filter((range) => {
    const free = range[0] >= end
    if (free) end = range[1]
    return free
  })
}

/** The terms that are asked for, without those after a `not`, in the order they were typed. */
export function wantedTerms(node: Node | undefined): Term[] {
  if (node === undefined || 'not' in node) return []
  if ('term' in node) return [node.term]
  return ('all' in node ? node.all : node.any).flatMap(wantedTerms)
}
