import { type Mark, parseLabel } from './citation.ts'

/** A text with marks, as the check sees it. */
export interface Story {
  sentences: StorySentence[]
  /** All marks, each once, also those of sentences that are not read. */
  marks: Mark[]
}

/** A sentence with the records it relies on. */
export interface StorySentence {
  /** The line in the text, from 1. */
  line: number
  /** Without marks and Markdown escapes; code stays between backticks. */
  text: string
  /** The labels of its own marks and of those that follow in its paragraph. */
  labels: string[]
  /** The quotations in it. */
  quotes: StoryQuote[]
  /** Who speaks, if the text names the speaker before a block quotation: `> **Human:** …`. */
  speaker?: string
}

/** Words in quotation marks. */
export interface StoryQuote {
  text: string
  /** Where it begins in the sentence's text. */
  index: number
}

/** The definition of a mark. Older texts number their marks and state session, line and digest here. */
const DEFINITION = /^\[\^([^\]\s]+)\]:\s*(.*)$/
const NUMBERED = /^session `([\w.-]+)`, line (\d+), .*record `([\da-f]+)`/
const MARK = /(?<!\\)\[\^([^\]\s]+)\]/g
/** Stands for an escaped backtick while a sentence is read. */
const BACKTICK = '\ue000'
/** Stands for a quotation mark in code. */
const DOUBLE = '\ue001'
/** A backtick that is escaped, or a code span, in which nothing is. */
const CODE = /\\`|(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g

const shown = (text: string): string => text.replaceAll(BACKTICK, '`').replaceAll(DOUBLE, '"')
/** A mark with the space before it, where no word follows. */
const SPACED_MARK = /(?<!\s)\s*(?<!\\)\[\^[^\]\s]{1,200}\](?=[.,;]|$)|(?<!\\)\[\^[^\]\s]{1,200}\]/g
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/
const ESCAPE = /\\([\\`*_[\]<>#|~!&$^{}@+=:.)/-])/g

/** Removes the escapes of `plainMarkdown`. */
export const unescaped = (text: string): string =>
  text.replace(ESCAPE, '$1').replace(/&lt;/g, '<').replace(/&#33;/g, '!')

/**
 * Reads a text in Markdown. Front matter, code blocks, tables, diagrams, and the lines of figures that drafts
 * begin their sections with are not read.
 */
export function parseStory(markdown: string): Story {
  const lines = markdown.split(/\r?\n/)
  const definitions = new Map<string, Mark>()
  for (const line of lines) {
    const [, label, text = ''] = DEFINITION.exec(line) ?? []
    const [, session, at, digest] = NUMBERED.exec(text) ?? []
    if (label !== undefined && session !== undefined)
      definitions.set(label, { label, session, line: Number(at), digest: digest! })
  }
  const marks = new Map<string, Mark>()
  const markOf = (label: string): Mark | undefined => {
    const mark = definitions.get(label) ?? parseLabel(label)
    if (mark) marks.set(label, mark)
    return mark
  }
  const sentences = paragraphsOf(lines).flatMap((paragraph) => sentencesIn(paragraph, markOf))
  return { sentences, marks: [...marks.values()] }
}

interface Paragraph {
  line: number
  text: string
  isQuotation: boolean
}

/** Paragraphs, items of lists and block quotations, each on one line. */
function paragraphsOf(lines: readonly string[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let fenced = false
  let open: Paragraph | undefined
  const begin = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  for (const [index, whole] of lines.entries()) {
    if (FENCE.test(whole)) {
      fenced = !fenced
      open = undefined
      continue
    }
    const isOther =
      index < begin ||
      fenced ||
      whole.trim() === '' ||
      DEFINITION.test(whole) ||
      /^\s*(?:\||#{1,6}\s|[-*_]{3,}\s*$|<!--|\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)? · )/.test(whole)
    if (isOther) {
      open = undefined
      continue
    }
    const isQuotation = /^\s*>/.test(whole)
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(whole)
    const text = whole
      .replace(/^\s*(?:>\s?)+/, '')
      .replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')
      .trim()
    if (text === '') open = undefined
    else if (open && !isItem && open.isQuotation === isQuotation) open.text += joined(open.text, text)
    else {
      open = { line: index + 1, text, isQuotation }
      paragraphs.push(open)
    }
  }
  return paragraphs
}

/** Between two characters of scripts without spaces, a line end is no space. */
const joined = (before: string, text: string): string =>
  /[\u3040-\u9fff。，、！？]$/.test(before) && /^[\u3040-\u9fff]/.test(text) ? text : ` ${text}`

const QUOTES: readonly { open: string; close: string }[] = [
  { open: '“', close: '”' },
  { open: '„', close: '“' },
  { open: '„', close: '”' },
  { open: '«', close: '»' },
  { open: '「', close: '」' },
  { open: '『', close: '』' },
  { open: '"', close: '"' },
]

/** The quotations in a text, outermost first. Marks inside of code do not count. */
function quotesIn(text: string): StoryQuote[] {
  const masked = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
  const found: StoryQuote[] = []
  for (let at = 0; at < masked.length; at++) {
    const ends = QUOTES.filter(({ open }) => open === masked[at]).flatMap(({ close }) => {
      const end = masked.indexOf(close, at + 1)
      return end < 0 ? [] : [end]
    })
    if (ends.length === 0 || (masked[at] === '"' && /[\p{L}\p{N}]/u.test(masked[at - 1] ?? ''))) continue
    const end = ends.reduce((least, each) => Math.min(least, each))
    found.push({ text: text.slice(at + 1, end), index: at })
    at = end
  }
  return found
}

/** A sentence ends at its mark of punctuation and the marks after it, or at a mark. Quotations stay whole. */
function sentencesIn(
  { line, text, isQuotation }: Paragraph,
  markOf: (label: string) => Mark | undefined,
): StorySentence[] {
  const [, speaker, words = text] = /^\*\*([^*]+?):\*\*\s+(.*)$/.exec(text) ?? []
  // An escaped backtick begins no code, and in code there are no quotation marks and marks.
  const safe = words.replace(CODE, (_, _ticks, code?: string) =>
    code === undefined
      ? BACKTICK
      : `\`${code
          .replace(/`/g, '')
          .replace(/"/g, DOUBLE)
          .replace(/[“”„«»「」『』]/g, ' ')
          .replace(/\[\^/g, '[')}\``,
  )
  const parts = isQuotation ? [safe] : splitSentences(safe)
  const sentences = parts.map((part): StorySentence => {
    const labels = Array.from(part.matchAll(MARK), ([, label]) => label!).filter((label) => markOf(label))
    const hidden = unescaped(part.replace(SPACED_MARK, '')).trim()
    const plain = shown(hidden)
    const quotes = isQuotation
      ? [{ text: plain, index: 0 }]
      : quotesIn(hidden).map(({ text, index }) => ({ text: shown(text), index }))
    return { line, text: plain, labels, quotes, ...(speaker === undefined ? {} : { speaker }) }
  })
  // A mark covers what precedes it in the paragraph.
  let later: string[] = []
  for (const sentence of sentences.toReversed()) {
    later = [...new Set([...sentence.labels, ...later])]
    sentence.labels = later
  }
  return sentences.filter((sentence) => sentence.text !== '')
}

const END =
  /(?:(?<![\d\s]|\b(?:e\.g|i\.e|vs|etc|cf|approx|ca|z\.\s?B|d\.\s?h|bzw|No|Nr))\.|(?<=\d)\.(?!\s+(?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))|[!?…。！？])["”’»」』)*_]*(?:\s*\[\^[^\]\s]+\])*(?=\s|$|[\u3040-\u9fff「『“])/gu

function splitSentences(text: string): string[] {
  const quoted = quotesIn(text).map(({ text: words, index }) => ({
    from: index,
    to: index + words.length + 1,
  }))
  const parts: string[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(END)) {
    const to = index + end.length
    // A sentence inside of a quotation does not end the one around it, unless the quotation ends there.
    const around = quoted.find((quote) => index > quote.from && index < quote.to)
    if (around && to <= around.to) continue
    // “…” she said: a small letter goes on with the sentence.
    if (around && /^\s*[\p{Ll}]/u.test(text.slice(to))) continue
    parts.push(text.slice(from, to))
    from = to
  }
  parts.push(text.slice(from))
  return parts.filter((part) => part.trim() !== '')
}

/** The labels of the marks in a text, in order, without those in definitions. */
export const labelsIn = (markdown: string): string[] => {
  const body = markdown.replace(/^\[\^[^\]\s]+\]:.*$/gm, '')
  return [...new Set(Array.from(body.matchAll(MARK), ([, label]) => label!))]
}

/** A text with spaces in place of a part of it. */
export const blank = (text: string, from: number, length: number): string =>
  text.slice(0, from) + ' '.repeat(Math.min(length, text.length - from)) + text.slice(from + length)

/** A sentence with spaces in place of its quotations. */
export const withoutQuotes = ({ text, quotes }: Pick<StorySentence, 'text' | 'quotes'>): string =>
  quotes.reduce((plain, quote) => blank(plain, quote.index, quote.text.length + 2), text)
