import { oneLine } from '../../render/markdown.ts'
import { REVERSING } from './lexicon.ts'
import type { CitedRecord } from './material.ts'

/** Marks of emphasis and the kind of apostrophe are no difference. */
const plain = (text: string): string =>
  oneLine(text).replace(/[*`]/g, '').replace(/[‘’]/g, "'").replace(/[“”„]/g, '"').toLowerCase()

const GAPS = /\s*(?:\[(?:…|\.\.\.)\]|…|\.\.\.)\s*/
/** A clause of an error says something of its own. */
const CLAUSE_END = /[.!?:;](?=\s|$)/g
const SENTENCE_END = /[.!?。！？](?=["')]?\s|["')]?$)|[。！？]/g

/** Whether a record contains a quote. `cut`: what was left out reverses or limits it. */
export function holdsQuote(quote: string, { text, quotes, who }: CitedRecord): 'holds' | 'cut' | 'missing' {
  const words = plain(quote)
  if (quotes.some((known) => plain(known) === words)) return 'holds'
  const whole = plain(text)
  const parts = words.split(GAPS).filter(Boolean)
  if (parts.length === 0) return 'missing'
  const spans: { start: number; end: number }[] = []
  let from = 0
  for (const part of parts) {
    const found = locate(whole, part, from)
    if (!found) return 'missing'
    spans.push(found)
    from = found.end
  }
  return reverses(whole, spans, who === 'error' ? CLAUSE_END : SENTENCE_END) ? 'cut' : 'holds'
}

/** A quote may end with the punctuation of the sentence around it, and must not begin or end in a word. */
function locate(text: string, part: string, from: number): { start: number; end: number } | undefined {
  for (const words of [part, part.replace(/[.,;:]$/, '')]) {
    if (words === '') continue
    for (let start = text.indexOf(words, from); start >= 0; start = text.indexOf(words, start + 1)) {
      const end = start + words.length
      if (isEdge(text, start) && isEdge(text, end)) return { start, end }
    }
  }
  return undefined
}

const LETTER = /[a-z0-9\u00c0-\u024f]/
const isEdge = (text: string, at: number): boolean =>
  !(LETTER.test(text[at - 1] ?? '') && LETTER.test(text[at] ?? ''))

/** Whether the sentences that a quote is taken from contain reversing words outside of it. */
function reverses(text: string, spans: readonly { start: number; end: number }[], end: RegExp): boolean {
  const ends = [...text.matchAll(end)].map(({ index }) => index + 1)
  const from = ends.findLast((at) => at <= spans[0]!.start) ?? 0
  const last = spans.at(-1)!.end
  const to = ends.find((at) => at >= last) ?? text.length
  let left = text.slice(from, spans[0]!.start)
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1]
    left += ` ${text.slice(span.end, next ? next.start : to)} `
  }
  return REVERSING.test(left) || /[?？]/.test(left)
}
