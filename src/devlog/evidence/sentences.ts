import { oneLine } from '../../render/markdown.ts'
import { printable } from '../../render/printable.ts'

/** Longer messages are logs or documents. Only their beginning and end are searched for sentences. */
const LONGEST = 4000
const CODE = /```[\s\S]*?(?:```|$)/g
const ENDS =
  /(?<=(?:[^\d\s]\.|[!?…])["”’)]?)(?<!(?:^|[\s(])(?:e\.g|i\.e|vs|etc|approx|cf|z\.\s?B|d\.\s?h|bzw|ca|p\.\s?ej)\.)\s+|(?<=[。！？])["”」』]?|\n+/u
const LIST_MARK = /^(?:[-*•+>#]+|\d+[.)])\s+/

/** The sentences of a message, on one line each, without code blocks. Each is a part of the cited text. */
export function sentencesOf(text: string | undefined): string[] {
  if (!text) return []
  const searched = text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text
  return searched
    .replace(CODE, '\n')
    .split(ENDS)
    .map((sentence) => oneLine(printable(sentence)).replace(LIST_MARK, ''))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** A question mark ends the sentence, and not only an address or a pattern in it. */
export const isQuestion = (sentence: string): boolean => /[?？]["”’」』)*_]*$/.test(sentence)

/** A shorter quote says too little on its own. */
const LEAST_QUOTE = 40

/**
 * The sentence as a quote. A very short one comes with its neighbor: a question with what precedes it,
 * anything else with what follows. `text` is the cited text that contains the sentences.
 */
export function quotableOf(sentences: readonly string[], sentence: string, text: string): string {
  if (sentence.length >= LEAST_QUOTE) return sentence
  const index = sentences.indexOf(sentence)
  const [first, last] = isQuestion(sentence)
    ? [sentences[index - 1] ?? sentence, sentence]
    : [sentence, sentences[index + 1] ?? sentence]
  const from = text.indexOf(first)
  const to = text.indexOf(last, from)
  const quote = text.slice(from, to + last.length)
  // Code between the two would be quoted too.
  return from < 0 || to < 0 || quote.includes('```') ? sentence : quote
}
