import { type Figure, unitOf } from './figures.ts'
import { denseNumber, numberWord } from './lexicon.ts'

/** A number in a text, with the words that follow it. */
export interface FoundNumber {
  shown: string
  value: number
  next: string
}

const DIGITS = /(?<![A-Za-z\u00c0-\u024f\d_.,-])[v#]?(\d+(?:[.,:]\d+)*)(?=([\p{L}%]*))/gu
const WORDS = /(?<![\p{L}-])(\p{L}{2,12})(?![\p{L}])/gu
const DENSE =
  /([一二两兩三四五六七八九十]{1,3})(?=[个個次件回本名人行天日时分秒轮条項项つ]|小时|文件|ファイル|セッション|エラー|会话)/gu
const LONGEST_NEXT = 40

/** The numbers of a text, as digits and as words, in order of their kinds. */
export function numbersIn(text: string): FoundNumber[] {
  const next = (at: number): string => text.slice(at, at + LONGEST_NEXT).replace(/^[\p{L}]*[\s-]+|^\s+/u, '')
  const found: FoundNumber[] = []
  for (const { index, 0: shown, 1: digits, 2: unit } of text.matchAll(DIGITS))
    found.push({
      ...{ shown, value: parsedValue(digits!) },
      next:
        unit === ''
          ? text.slice(index + shown.length, index + shown.length + LONGEST_NEXT).trimStart()
          : unit!,
    })
  for (const { index, 1: word } of text.matchAll(WORDS)) {
    const value = numberWord(word!.toLowerCase())
    if (value !== undefined) found.push({ shown: word!, value, next: next(index) })
  }
  for (const { index, 1: shown } of text.matchAll(DENSE)) {
    const value = denseNumber(shown!)
    if (value !== undefined) found.push({ shown: shown!, value, next: text.slice(index + shown!.length) })
  }
  return found
}

/** `1,219` and `1.219` are one thousand; `27.5` is not. Versions and times are compared as they are shown. */
function parsedValue(digits: string): number {
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(digits)) return Number(digits.replace(/[.,]/g, ''))
  if (/^\d+[.,]\d+$/.test(digits)) return Number(digits.replace(',', '.'))
  if (/^\d+$/.test(digits)) return Number(digits)
  return [...digits].reduce((hash, digit) => (hash * 31 + digit.charCodeAt(0)) % 1e9, 7) + 1e9
}

const STEM = 4
const nounOf = (next: string): string => /^[\p{L}]{3,}/u.exec(next)?.[0].toLowerCase().slice(0, STEM) ?? ''

/** How strictly a number is compared. */
interface Comparison {
  figures: readonly Figure[]
  /** Tables name no units. */
  anyUnit: boolean
  /** The records are in the same language, so what is counted must be in them too. */
  sameLanguage: boolean
}

/** Whether a number is in the records, or is a count of the evidence. */
export function holdsNumber(
  { value, next }: FoundNumber,
  records: readonly string[],
  { figures, anyUnit, sameLanguage }: Comparison,
): boolean {
  const unit = unitOf(next)
  if (figures.some((each) => each.value === value && (anyUnit || each.unit === unit))) return true
  const noun = nounOf(next)
  return records.some((text) => {
    const there = numbersIn(text)
    // If the record counts the same thing, the number must be that one.
    const counted = noun === '' ? [] : there.filter((each) => nounOf(each.next) === noun)
    if (counted.length > 0) return counted.some((each) => each.value === value)
    if (sameLanguage && noun !== '' && !text.toLowerCase().includes(noun)) return false
    return there.some((each) => each.value === value)
  })
}
