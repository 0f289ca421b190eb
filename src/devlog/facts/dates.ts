/** A day, a month, a time or a day of the week in a text. */
export interface FoundDate {
  shown: string
  /** Missing parts are undefined. Months from 1. */
  year?: number
  month?: number
  day?: number
  /** `22:30`. */
  time?: string
  /** From 0, Sunday. */
  weekday?: number
}

const MONTHS: readonly RegExp[] = [
  ...[/^(?:jan|ene)/i, /^feb/i, /^(?:mar|mär)/i, /^(?:apr|abr)/i, /^(?:may|mai)/i, /^jun/i, /^jul/i],
  ...[/^(?:aug|ago)/i, /^sep/i, /^(?:oct|okt)/i, /^nov/i, /^(?:dec|dez|dic)/i],
]
const NAMES =
  'jan(?:uary|uar)?|feb(?:ruary|ruar)?|march|märz|mar|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre'
const LONG_NAMES =
  'january|januar|february|februar|april|july|juli|august|september|october|oktober|november|december|dezember|enero|febrero|abril|agosto|septiembre|octubre|noviembre|diciembre'
const WEEKDAYS: readonly RegExp[] = [
  ...[/^(?:sunday|sonntag|domingo|日曜|星期日|星期天|周日)/i, /^(?:monday|montag|lunes|月曜|星期一|周一)/i],
  ...[
    /^(?:tuesday|dienstag|martes|火曜|星期二|周二)/i,
    /^(?:wednesday|mittwoch|miércoles|水曜|星期三|周三)/i,
  ],
  ...[/^(?:thursday|donnerstag|jueves|木曜|星期四|周四)/i, /^(?:friday|freitag|viernes|金曜|星期五|周五)/i],
  ...[/^(?:saturday|samstag|sonnabend|sábado|土曜|星期六|周六)/i],
]
const monthOf = (name: string): number => MONTHS.findIndex((month) => month.test(name)) + 1

const PATTERNS: readonly (readonly [RegExp, (parts: RegExpMatchArray) => Omit<FoundDate, 'shown'>])[] = [
  [/(\d{4})-(\d\d)-(\d\d)/g, ([, y, m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) })],
  [
    /(\d{4})[/年](\d{1,2})[/月](\d{1,2})日?/g,
    ([, y, m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) }),
  ],
  [/(\d{1,2})月(\d{1,2})[日号]/g, ([, m, d]) => ({ month: Number(m), day: Number(d) })],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of| de)? (${NAMES})\\b(?:,?(?: de)? (\\d{4}))?`, 'gi'),
    ([, d, m, y]) => ({ day: Number(d), month: monthOf(m!), ...(y ? { year: Number(y) } : {}) }),
  ],
  [
    new RegExp(`\\b(${NAMES}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d)(?:,? (\\d{4}))?`, 'gi'),
    ([, m, d, y]) => ({ day: Number(d), month: monthOf(m!), ...(y ? { year: Number(y) } : {}) }),
  ],
  [
    new RegExp(`\\b(${NAMES})(?: de)? (\\d{4})\\b`, 'gi'),
    ([, m, y]) => ({ month: monthOf(m!), year: Number(y) }),
  ],
  [new RegExp(`(?<!\\p{L})(${LONG_NAMES})(?!\\p{L})`, 'giu'), ([, m]) => ({ month: monthOf(m!) })],
  [/(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])/g, ([, h, m]) => ({ time: `${h!.padStart(2, '0')}:${m}` })],
  [
    /(?<!\p{L})(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|domingo|lunes|martes|miércoles|jueves|viernes|sábado)(?!\p{L})|[日月火水木金土]曜|星期[一二三四五六日天]|周[一二三四五六日]/giu,
    ([name]) => ({ weekday: WEEKDAYS.findIndex((day) => day.test(name)) }),
  ],
  [/(?<![\d.,:/-])(20[0-4]\d)(?![\d.,:/-]*\d)(?!\s*\p{L}+s\b)/gu, ([, y]) => ({ year: Number(y) })],
]

/** The dates of a text, and the text with spaces in their place. */
export function datesIn(text: string): { dates: FoundDate[]; rest: string } {
  const dates: FoundDate[] = []
  let rest = text
  for (const [pattern, read] of PATTERNS) {
    const found = [...rest.matchAll(pattern)]
    for (const match of found) {
      dates.push({ shown: match[0], ...read(match) })
      rest =
        rest.slice(0, match.index) + ' '.repeat(match[0].length) + rest.slice(match.index + match[0].length)
    }
  }
  return { dates, rest }
}

/** Whether a date is that of a record, in UTC, or is in its words. */
export function holdsDate(
  date: FoundDate,
  times: readonly (string | null)[],
  texts: readonly string[],
): boolean {
  const isTime = times.some((at) => at !== null && isAt(date, new Date(at)))
  return isTime || texts.some((text) => datesIn(text).dates.some((other) => isSame(date, other)))
}

function isAt({ year, month, day, time, weekday }: FoundDate, at: Date): boolean {
  return (
    (year === undefined || year === at.getUTCFullYear()) &&
    (month === undefined || month === at.getUTCMonth() + 1) &&
    (day === undefined || day === at.getUTCDate()) &&
    (weekday === undefined || weekday === at.getUTCDay()) &&
    (time === undefined || time === at.toISOString().slice(11, 16))
  )
}

const isSame = (a: FoundDate, b: FoundDate): boolean =>
  (['year', 'month', 'day', 'time', 'weekday'] as const).every(
    (part) => a[part] === undefined || a[part] === b[part],
  )
