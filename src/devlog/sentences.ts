import { oneLine } from '../render/markdown.ts'
import { printable } from '../render/terminal.ts'

/** Longer messages are logs or documents. Only their beginning and end are searched for sentences. */
const LONGEST = 4000
/** Code blocks. */
export const FENCED = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm
const ENDS =
  /(?<=(?:[^\d\s]\.|\d\d\.|[!?…])["”’)*_]{0,8})(?<!(?:^|[\s(])(?:e\.g|i\.e|vs|etc|approx|cf|z\.\s?B|d\.\s?h|bzw|ca|p\.\s?ej)\.)\s+(?!(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\p{Ll})|(?<=[。！？][”」』]?)(?![”」』])|\n+/u
const LIST_MARK = /^(?:[-*•+>#]+|\d+[.)])\s+/

/** The sentences of a message, on one line each, without code blocks. */
export function sentencesOf(text: string | undefined): string[] {
  if (!text) return []
  const searched = text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text
  return searched
    .replace(FENCED, '\n')
    .split(ENDS)
    .map((sentence) => oneLine(printable(sentence)).replace(LIST_MARK, ''))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** A question mark ends the sentence, and not only an address or a pattern in it. */
export const isQuestion = (sentence: string): boolean => /[?？]["”’」』)*_]{0,8}$/.test(sentence)

const COMPLETE = /[.!?。！？…]["”’」』)]{0,8}$/
const NOT_PROSE = /^\s*(?:\||#{1,6}\s|[-*_]{3,}\s*$|<\/?[a-z])/i
const LEAST_WORDS = 3

/**
 * The whole sentences of prose in a message, without Markdown: nothing of code blocks, tables and headings,
 * and no half sentence.
 */
export function proseOf(text: string | undefined): string[] {
  if (!text) return []
  const prose = text
    .replace(FENCED, '\n\n')
    .split('\n')
    // A line that is left out ends a paragraph, so that no sentence goes on behind it.
    .map((line) =>
      NOT_PROSE.test(line) ? '' : line.replace(/^\s*(?:(?:[-*•+>]+|\d+[.)])\s+)+/, '\n').replace(/\s+$/, ''),
    )
    .join('\n')
  return prose
    .split(/\n{2,}/)
    .flatMap((paragraph) => paragraph.replace(/\n/g, ' ').split(ENDS))
    .map((sentence) => plainWords(printable(sentence)))
    .filter((sentence) => COMPLETE.test(sentence) && countWords(sentence) >= LEAST_WORDS)
}

/** The words of a line without the marks of Markdown around them. */
export const plainWords = (text: string): string =>
  oneLine(
    text
      .replace(/!?(?<!\\)\[([^\]\n]{0,1000})\]\([^()\s]*\)/g, '$1')
      .replace(/\\([\\`*_[\]<>#|~!&$^{}@+=:.)/-])/g, '$1')
      .replace(/&lt;/g, '<')
      .replace(/&#33;/g, '!')
      .replace(/\*\*|__|~~|`/g, '')
      .replace(/(?<![\p{L}\p{N}*])\*(?=\S)|(?<=\S)\*(?![\p{L}\p{N}*])/gu, '')
      .replace(/(?<![\p{L}\p{N}_])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}_])/gu, ''),
  )

/** Scripts that write without spaces. Two characters count as one word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const WORD = /[\p{L}\p{N}]+(?:['’._-][\p{L}\p{N}]+)*/gu
const MAYBE_DENSE = /[\u0e00-\u9fff]/

/** Counts the words of a text. */
export function countWords(text: string): number {
  if (!MAYBE_DENSE.test(text)) return text.match(WORD)?.length ?? 0
  const dense = text.match(DENSE)?.length ?? 0
  return Math.ceil(dense / 2) + (text.replace(DENSE, ' ').match(WORD)?.length ?? 0)
}

/** Shortens a text at a sentence or a word, and marks the gap. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = text.slice(0, Math.max(limit - GAP.length - 1, 0))
  const sentence = /^.*[.!?](?= )|^.*[。！？]/su.exec(room)?.[0]
  const words = room.slice(0, Math.max(room.lastIndexOf(' '), 0))
  const longEnough = (part: string | undefined): part is string => (part?.length ?? 0) >= limit / 2
  const head = longEnough(sentence) ? sentence : longEnough(words) ? words : room
  return `${head.trimEnd()} ${GAP}`.toWellFormed()
}

/** Where something was left out of a text. */
export const GAP = '[…]'

/** A title on one line. Its words are no quotation, so a gap is marked as usual. */
export const shortTitle = (text: string, limit: number): string =>
  cutText(oneLine(printable(text)), limit)
    .replace(/[.,:;]? \[…\]$/, '…')
    .replace(/(?<=\p{L})[.:]$/u, '')
