import { hasCjk, hasTokens } from './characters.ts'
import { inflectedFormsOf } from './inflected.ts'
import type { Node, Query, Term } from './query.ts'
import { isStopWord } from './stop-words.ts'

/** The plain words of a query, any of which may match. */
export interface Bag {
  /** Without stop words, unless there are no others, and without endings, the longest first. Never empty. */
  words: BagWord[]
  /** Parts of the query that are always required: phrases, alternatives and exclusions. */
  required: Node[]
  /** The words are those of a sentence: nobody expects a message that contains all of them. */
  isSentence: boolean
}

export interface BagWord {
  /** As it was typed. */
  typed: string
  /** Without its ending. Without `prefix`, it is matched as it is. */
  term: Term
  /** Its English forms that the term does not match. */
  forms: string[]
  /** It replaces a word that no message contains. */
  isGuess?: true
}

/** The maximum number of words. The longest are used, because they are the rarest. */
const MOST_WORDS = 12
/** With so many words that are no stop words, a query is a sentence even if it has none. */
const MANY_WORDS = 4
/** A sentence has at least so many words, with stop words. */
const SHORTEST_SENTENCE = 3

/** Names in programs, paths and versions. Words with hyphens and apostrophes are none, and `and/or`. */
const CODE = /[\p{L}\p{N}][._\\:@#=<>$*+&%~^]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|^[/\\~$@#.-]|[_()[\]{}=\\]|\/.*[/.]/u

/** Undefined if the query has no plain words except for one stop word. */
export function bagOf({ words }: Pick<Query, 'words'>): Bag | undefined {
  const plain: Term[] = []
  const required: Node[] = []
  for (const node of words?.all ?? [])
    if ('term' in node && !node.term.phrase) plain.push(node.term)
    else required.push(node)
  const hasSyntax = required.length > 0 || plain.some(({ text, prefix }) => prefix || CODE.test(text))
  const whole = plain.flatMap((term) => partsOf(term, APOSTROPHES))
  const isSentence = !hasSyntax && whole.length >= (whole.some(isStop) ? SHORTEST_SENTENCE : MANY_WORDS)
  // In a sentence, `long-term` is two words. Alone it may be a name.
  const all = isSentence ? plain.flatMap((term) => partsOf(term, JOINTS)) : whole
  const content = all.filter((term) => !isStop(term))
  // “To be or not to be” has nothing else.
  const telling = content.length > 0 || all.length < 2 ? content : all
  const chosen = distinct(telling.map(wordOf))
    .sort((one, other) => other.term.text.length - one.term.text.length)
    .slice(0, MOST_WORDS)
  if (chosen.length === 0) return undefined
  return { words: chosen, required, isSentence }
}

const isStop = ({ text }: Term): boolean => isStopWord(text)

function wordOf(typed: Term): BagWord {
  const term = withoutEnding(typed)
  const stem = term.text.toLowerCase()
  const inflected = inflectedFormsOf(typed.text.toLowerCase(), stem)
  const isMatched = (form: string): boolean => (term.prefix ? form.startsWith(stem) : form === stem)
  return { typed: typed.text, term, forms: inflected.filter((form) => !isMatched(form)) }
}

/** A query that any of the words matches, with any ending. For ranking, which reads many texts. */
export const anyOfBag = ({ words, required }: Bag): { all: Node[] } => ({
  all: [...required, { any: words.map(({ term }) => ({ term })) }],
})

/** The same in any form, for snippets. */
export const inAnyForm = ({ words, required }: Bag): { all: Node[] } => ({
  all: [
    ...required,
    { any: words.flatMap(({ term, forms }) => [term, ...forms.map(exactly)]).map((term) => ({ term })) },
  ],
})

/** A word that is matched as it is. */
export const exactly = (text: string): Term => ({ text, phrase: true, prefix: false })

/** The index splits `don't` into two words, neither of which is meaningful. */
const APOSTROPHES = /['\u2019]/
const JOINTS = /['\u2019/-]/

/** The words of a term. Chinese and Japanese are segmented, and punctuation at the ends is removed. */
function partsOf(term: Term, between: RegExp): Term[] {
  if (!hasCjk(term.text)) {
    const text = term.text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    const pieces = text.split(between)
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

function distinct(words: readonly BagWord[]): BagWord[] {
  const seen = new Map<string, BagWord>()
  for (const word of words) {
    const key = word.term.text.toLowerCase()
    if (!seen.has(key)) seen.set(key, word)
  }
  return [...seen.values()]
}
