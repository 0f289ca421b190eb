import { languageOf } from './languages.ts'
import { LANGUAGES, writtenNumbers } from './number-words.ts'
import { factorOf, type Unit, unitAfter, unitBefore } from './units.ts'

/** A number in a text, with its unit if one is beside it. */
export interface NumberFact {
  value: number
  unit: Unit | undefined
  /** The word after it, in small letters and without a plural ending. */
  noun: string | undefined
  /** The unit of time that it is for: "twenty orders a day". */
  per: Unit | undefined
  /** As it is written, alone and with the next word. */
  text: string
  words: string
  /** Written in words, or a single digit: such a number may be a count of the writer. */
  isSmall: boolean
  index: number
}

const SCALES: readonly { words: RegExp; factor: number }[] = [
  { words: /^\s?k(?![\p{L}\d])/iu, factor: 1e3 },
  { words: /^\s?(?:thousand|tausend|mil|mille|千)(?!\p{L})/iu, factor: 1e3 },
  { words: /^\s?(?:万|萬)/u, factor: 1e4 },
  { words: /^\s?M(?![\p{L}\d])/u, factor: 1e6 },
  {
    words: /^\s?(?:million(?:s|en)?|mio(?!\p{L})\.?|millones|millions|milhões|百万|百萬)/iu,
    factor: 1e6,
  },
  { words: /^\s?(?:亿|億)/u, factor: 1e8 },
  { words: /^\s?(?:billion(?:s)?|milliarden?|milliards?|mrd(?!\p{L})\.?)/iu, factor: 1e9 },
]

const HAN_DIGITS = '零一二三四五六七八九'

/** Not inside of a name. In scripts without spaces, any letter may be before a number; 第 makes an ordinal. */
const DIGITS =
  /(?<![\d_.,#第-]|(?![\p{Script=Han}\p{Script=Hiragana}\p{scx=Katakana}])\p{L})[-−]?\d+(?:[.,'\u00a0\u202f]\d+)*(?![\d_])/gu
/** Where a language writes `4 100`. */
const SPACED =
  /(?<![\p{L}\d_.,#-]|\d )\d{1,3}(?: \d{3})+(?:,\d+)?(?![\d_]| \d)|(?<![\p{L}\d_.,#-])[-−]?\d+(?:[.,'\u00a0\u202f]\d+)*(?![\d_])/gu
const WITH_SPACES: ReadonlySet<string> = new Set(['fr', 'es', 'pt', 'de'])
const HAN_NUMBER =
  /(?<=百分之)[一二三四五六七八九十百]+|(?<!第)[一二三四五六七八九十两兩百]+(?!分之)(?=[\p{Script=Han}\p{scx=Katakana}つか])/gu
/** What such a word counts is counted by it. 一 is nearly never a number. */
const HAN_COUNTED =
  /^(?:个|個|次|回|天|条|條|份|行|张|張|轮|輪|家|人|台|种|種|页|頁|版|处|處|遍|倍|月|万|萬|千|百|项|項|步|位|段|篇|件|本|枚|つ|罐|单|單)/u

/** The numbers in a text. Dates, times, versions and the parts of names are not among them. */
export function numbersIn(text: string): NumberFact[] {
  const found: NumberFact[] = []
  const add = (value: number, index: number, length: number, isSmall: boolean): void => {
    const rest = text.slice(index + length, index + length + LONGEST_REST)
    const scale = SCALES.find(({ words }) => words.test(rest))
    const scaled = scale ? rest.replace(scale.words, '') : rest
    found.push({
      value: value * (scale?.factor ?? 1),
      unit: isYear(value, scaled)
        ? undefined
        : (unitAfter(scaled) ?? unitBefore(text.slice(Math.max(0, index - 8), index))),
      index,
      isSmall: isSmall && !scale,
      noun: nounAfter(scaled),
      per: rateAfter(scaled),
      text: text.slice(index, index + length) + rest.slice(0, rest.length - scaled.length),
      words: text.slice(index, index + length) + (WORD_AFTER.exec(rest)?.[0] ?? ''),
    })
  }
  const language = languageOf(text)
  for (const { 0: digits, index } of text.matchAll(WITH_SPACES.has(language) ? SPACED : DIGITS)) {
    const rest = text.slice(index + digits.length, index + digits.length + LONGEST_REST)
    // A version, an ordinal, or the beginning of a name, such as 2.1.3, 3rd or 4x4.
    if (/\.\d+\.|\d[.,]\d+[.,]\d{1,2}$/.test(digits) && !GROUPED.test(digits)) continue
    if (/^(?:st|nd|rd|th)(?!\p{L})|^\p{Script=Latin}[\w-]*\d/iu.test(rest)) continue
    if (/^[-_]\p{L}/u.test(rest) && !unitAfter(rest)) continue
    const value = digitsValue(digits)
    if (value !== undefined) add(value, index, digits.length, value <= 12 && Number.isInteger(value))
  }
  for (const { value, index, end } of writtenNumbers(text, LANGUAGES.includes(language) ? language : 'en'))
    if (value > 1) add(value, index, end - index, value <= 20)
  for (const { 0: word, index } of text.matchAll(HAN_NUMBER)) {
    const value = hanValue(word)
    const rest = text.slice(index + word.length, index + word.length + 20)
    if (
      value !== undefined &&
      value > 1 &&
      (text[index - 1] === '之' || HAN_COUNTED.test(rest) || unitAfter(rest))
    )
      add(value, index, word.length, value <= 20)
  }
  return found.sort((a, b) => a.index - b.index)
}

const LONGEST_REST = 100
const WORD_AFTER =
  /^(?:[^\s\p{Script=Han}\p{Script=Hiragana}\p{scx=Katakana}]{0,40}(?:[ \u00a0][%€$£¥]|[ \u00a0]\p{Script=Latin}[\p{Script=Latin}-]*|[\p{Script=Han}\p{Script=Hiragana}\p{scx=Katakana}]{1,2})?)(?<![.,;:!?])/u

/** 2026年 is a year, not many. */
const isYear = (value: number, rest: string): boolean =>
  value >= 1900 && value <= 2100 && rest.startsWith('年')

const GROUPED = /^-?\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/

/** `5,000,000`, `5.000.000`, `5 000` and `1,5` as numbers. */
function digitsValue(digits: string): number | undefined {
  const plain = digits.replace(/^−/, '-')
  const grouped = GROUPED.exec(plain)
  if (grouped) {
    const mark = grouped[1]!
    const rest = plain.replaceAll(mark, '')
    // One group after a point or comma may also be a fraction: 1.234.
    return Number(rest.replace(',', '.'))
  }
  const value = Number(plain.replace(',', '.').replace(/['\u00a0\u202f]/g, ''))
  return Number.isFinite(value) ? value : undefined
}

function hanValue(word: string): number | undefined {
  const digit = (text: string): number => (/[两兩]/.test(text) ? 2 : HAN_DIGITS.indexOf(text))
  if (word.length === 1 && word !== '十' && word !== '百') return digit(word)
  const [, hundreds = '', tens = '', ones = ''] =
    /^(?:([一二三四五六七八九两兩])?百零?)?(?:([一二三四五六七八九])?十)?([一二三四五六七八九])?$/.exec(
      word,
    ) ?? []
  if (!/[十百]/.test(word)) return undefined
  return (
    (word.includes('百') ? Math.max(1, digit(hundreds)) * 100 : 0) +
    (word.includes('十') ? Math.max(1, digit(tens)) * 10 : 0) +
    Math.max(0, ones === '' ? 0 : digit(ones))
  )
}

/**
 * The noun that a number counts: the first word after it that is no unit, or the second after an adjective.
 */
function nounAfter(text: string): string | undefined {
  const words = text.match(/^[\s-]*(\p{Script=Latin}[\p{L}-]*)/u)?.[1]
  if (words !== undefined) return stem(words)
  return /^\s*(\p{Script=Han})/u.exec(text)?.[1]
}

/** A word without the ending of its plural. */
export const stem = (word: string): string => word.toLowerCase().replace(/(?<=\p{L}{3})(?:es|en|s|e|n)$/u, '')

const RATE =
  /^[\s-]?(?:\p{L}[\p{L}-]{0,30} ){0,2}(?:an?|per|pro|am|je|al|por|par|ao|each|every|à la) (\p{L}{1,20})|^.{0,4}(?:每|一)([天周年])/u

/** The unit of time after "a" or "per". */
function rateAfter(text: string): Unit | undefined {
  const [, word, han] = RATE.exec(text) ?? []
  const unit = unitAfter(word ?? han ?? '')
  return unit && factorOf(unit, 'time') !== undefined ? unit : undefined
}
