import { hasCjk, hasTokens } from './characters.ts'
import { simplify } from './han.ts'
import type { Node, Query, Term } from './query.ts'
import { isStopWord } from './stop-words.ts'

/** A question in plain words, most of which are enough. */
export interface Relaxed {
  /** Matches any of the words. For ranking and snippets. */
  query: Query
  /** The meaningful words, without their endings. */
  words: Term[]
  /**
   * How many of the words are required. For a question in whole sentences, the second number applies if the
   * first finds nothing.
   */
  least: number[]
  /** Parts of the query that are always required: phrases, alternatives and exclusions. */
  required: Node[]
}

/** The maximum number of words. The longest are used, because they are the rarest. */
const MOST = 12

/** Undefined if the query has no meaningful plain words. */
export function relax(query: Query): Relaxed | undefined {
  const plain: Term[] = []
  const required: Node[] = []
  for (const node of query.words?.all ?? [])
    if ('term' in node && !node.term.phrase) plain.push(node.term)
    else required.push(node)
  const all = plain.flatMap(partsOf)
  const telling = all.filter(({ text }) => !isStopWord(simplify(text.toLowerCase())))
  const chosen = distinct(telling.map(withoutEnding))
    .sort((one, other) => other.text.length - one.text.length)
    .slice(0, MOST)
  if (chosen.length === 0) return undefined
  const most = Math.floor(chosen.length / 2) + 1
  const any: Node = { any: chosen.map((term) => ({ term })) }
  return {
    query: { ...query, words: { all: [...required, any] } },
    words: chosen,
    least: telling.length < all.length ? [most, Math.ceil(chosen.length / 2)] : [most],
    required,
  }
}

/** The words of a term. Chinese and Japanese are segmented, and punctuation at the ends is removed. */
function partsOf(term: Term): Term[] {
  if (!hasCjk(term.text)) {
    const text = term.text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    // The index splits `don't` into two words, neither of which is meaningful.
    const pieces = text.split(/['\u2019]/)
    return (pieces.length > 1 ? pieces : [text]).filter(hasTokens).map((piece) => ({ ...term, text: piece }))
  }
  return Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(term.text))
    .filter(({ segment, isWordLike }) => isWordLike && hasTokens(segment))
    .map(({ segment }) => ({ ...term, text: segment, prefix: false }))
}

/** `orders`, `ordered` and `ordering` all become `order*`. Only applies to longer plain words. */
function withoutEnding(term: Term): Term {
  if (!/^\p{L}{4,}$/u.test(term.text) || hasCjk(term.text)) return term
  const stem = term.text.replace(/(?<=\p{L}{4})(?:ies|ied|es|ed|ing|s|en|er|e|n|y)$/iu, '')
  return { ...term, text: stem, prefix: true }
}

function distinct(terms: readonly Term[]): Term[] {
  const seen = new Map<string, Term>()
  for (const term of terms) {
    const key = term.text.toLowerCase()
    if (!seen.has(key)) seen.set(key, term)
  }
  return [...seen.values()]
}
