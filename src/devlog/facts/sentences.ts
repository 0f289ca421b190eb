import { unescaped } from '../check/parse.ts'
import type { TextBlock } from './blocks.ts'

/** Quoted words, with the footnotes that follow them. */
interface Quoted {
  text: string
  /** A footnote mark follows at once. */
  refs: number[]
  start: number
}

/** A sentence of a text, with what is quoted and cited in it. */
export interface Sentence {
  block: TextBlock
  start: number
  end: number
  raw: string
  /** The words outside of quotes, code and footnote marks, which are replaced by `MASKS`. */
  words: string
  quotes: Quoted[]
  codes: string[]
  refs: number[]
}

/** What quotes, code and footnote marks are replaced by, so that positions stay the same. */
export const MASKS = { quote: '\uE000', code: '\uE001', ref: '\uE002' } as const

const REF = /(?<!\\)\[\^([^\]\s]+)\]/g
const CODE = /(?<!\\)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g
/** A quote that a footnote mark follows may contain marks itself. */
const QUOTES: readonly RegExp[] = [
  /“((?:(?!\uE002)[\s\S])+?)”(?=\uE002)/g,
  /[„“]([^„“”]+)[“”]/g,
  /«([^«»]+)»/g,
  /「([^「」]+)」/g,
  /『([^『』]+)』/g,
  /(?<![\p{L}\p{N}])"([^"\n]+)"/gu,
]
const SPEAKER = /^\s*>\s*\*\*(?:[^*\\]|\\.)*:?\*\*:?\s*/
/** Abbreviations that end with a dot, and days in German. */
const NO_END =
  /(?:\b(?:e\.g|i\.e|vs|etc|approx|ca|cf|resp|no|dr|mr|mrs|ms|z\.\s?b|d\.\s?h|bzw|usw|nr|p\.\s?ej)\.|^\s*(?:[-*+]\s)?\d+\.)$/iu
const DAY_OF_MONTH = /\b\d{1,2}\.$/
const MONTH_NEXT = /^\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/
const END = /[.!?…]["”’)*_]*\uE002*(?=\s+\S)|\uE000\uE002*(?=\s+\p{Lu})|[。！？]["”」』]*\uE002*/gu
/** A quote that ends a sentence. */
const QUOTED_END = /[.!?…。！？]["”“»」』]?$/u

/** The sentences of a block. A blockquote, a heading and a row are one each. */
export function sentencesIn(text: string, block: TextBlock): Sentence[] {
  const raw = text.slice(block.start, block.end)
  const refs = [...raw.matchAll(REF)].map(({ index, 0: mark, 1: name }) => ({
    ...{ start: index, end: index + mark.length, number: /^\d+$/.test(name!) ? Number(name) : -1 },
  }))
  let masked = raw
  const hide = (start: number, end: number, by: string): void => {
    masked = masked.slice(0, start) + by.repeat(end - start) + masked.slice(end)
  }
  for (const { start, end } of refs) hide(start, end, MASKS.ref)
  const codes: { start: number; text: string }[] = []
  const quotes: Quoted[] = []
  const refsAfter = (at: number): number[] => {
    const found: number[] = []
    let from = at
    for (const { start, end, number } of refs) {
      if (start !== from) continue
      found.push(number)
      from = end
    }
    return found
  }
  const findQuotes = (pattern: RegExp): void => {
    for (const { index, 0: whole, 1: inner } of masked.matchAll(pattern)) {
      const start = index + whole.indexOf(inner!)
      const own = raw.slice(start, start + inner!.length)
      quotes.push({ text: unescaped(own), refs: refsAfter(index + whole.length), start: index })
      hide(index, index + whole.length, MASKS.quote)
    }
  }
  if (block.type === 'quote') for (const quote of blockQuote(raw, masked, refs, hide)) quotes.push(quote)
  else {
    findQuotes(QUOTES[0]!)
    for (const { index, 0: whole, 2: inner } of masked.matchAll(CODE)) {
      codes.push({ start: index, text: inner!.trim() })
      hide(index, index + whole.length, MASKS.code)
    }
    for (const pattern of QUOTES.slice(1)) findQuotes(pattern)
  }
  return cut(masked, raw, block.type).map(([start, end]) => {
    const inside = <Part extends { start: number }>(parts: readonly Part[]): Part[] =>
      parts.filter((part) => part.start >= start && part.start < end)
    return {
      ...{ block, start: block.start + start, end: block.start + end },
      raw: raw.slice(start, end),
      words: unescaped(masked.slice(start, end)),
      quotes: inside(quotes),
      codes: inside(codes).map((code) => code.text),
      refs: inside(refs).map(({ number }) => number),
    }
  })
}

/** The words of a blockquote are quoted, and what is before them names the speaker. */
function blockQuote(
  raw: string,
  masked: string,
  refs: readonly { start: number; number: number }[],
  hide: (start: number, end: number, by: string) => void,
): Quoted[] {
  const start = SPEAKER.exec(masked)?.[0].length ?? /^\s*>\s*/.exec(masked)![0].length
  const end = refs.find((ref) => ref.start > start)?.start ?? raw.length
  const words = raw.slice(start, end).replace(/\n\s*>\s?/g, ' ')
  if (words.trim() === '') return []
  hide(start, end, MASKS.quote)
  const own = refs.filter((ref) => ref.start >= end).map(({ number }) => number)
  return [{ text: unescaped(words.trim()).replace(/^["“]|["”]$/g, ''), refs: own, start }]
}

function cut(masked: string, raw: string, type: TextBlock['type']): [number, number][] {
  if (type === 'heading' || type === 'row' || type === 'quote') return [[0, masked.length]]
  const parts: [number, number][] = []
  let from = 0
  for (const { index, 0: mark } of masked.matchAll(END)) {
    if (mark.startsWith(MASKS.quote) && !QUOTED_END.test(raw.slice(0, index + 1))) continue
    const before = masked.slice(from, index + 1)
    const end = index + mark.length
    if (NO_END.test(before) || (DAY_OF_MONTH.test(before) && MONTH_NEXT.test(masked.slice(end)))) continue
    parts.push([from, end])
    from = end + /^\s*/.exec(masked.slice(end))![0].length
  }
  if (masked.slice(from).trim() !== '') parts.push([from, masked.length])
  return parts
}
