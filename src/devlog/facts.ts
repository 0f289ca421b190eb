import { languageOf } from './languages.ts'

/** A number in a text, with its unit if one follows. */
export interface NumberFact {
  value: number
  /** As a canonical word: `ms`, `%`, `MB`. */
  unit: string | undefined
  /** The word after it, in small letters and without a plural ending. */
  noun: string | undefined
  /** As it is written, alone and with the next word. */
  text: string
  words: string
  /** Written in words, or a single digit: such a number may be a count of the writer. */
  isSmall: boolean
  index: number
}

/** A day, a time of day or a day of the week in a text. */
export interface TimeFact {
  text: string
  index: number
  /** Which of these it states. */
  year?: number
  month?: number
  day?: number
  weekday?: number
  /** Minutes since midnight; two values if it may be before or after noon. */
  minutes?: number[]
}

const UNITS: readonly { unit: string; words: RegExp }[] = [
  {
    unit: 'ms',
    words: /^(?:ms|msec|milliseconds?|millisekunden?|milisegundos?|millisecondes?|毫秒|ミリ秒)(?!\p{L})/iu,
  },
  { unit: 's', words: /^(?:s|secs?|seconds?|sekunden?|segundos?|secondes?|秒)(?!\p{L})/iu },
  { unit: 'min', words: /^(?:min|mins|minutes?|minuten?|minutos?|分钟|分鐘|分)(?!\p{L})/iu },
  { unit: 'h', words: /^(?:h|hrs?|hours?|stunden?|horas?|heures?|小时|小時|時間)(?!\p{L})/iu },
  { unit: 'd', words: /^(?:days?|tagen?|tage|días?|dias?|jours?|天)(?!\p{L})/iu },
  { unit: '%', words: /^(?:%|percent|per cent|prozent|por ciento|por cento|pour cent)/iu },
  { unit: 'B', words: /^(?:bytes?)(?!\p{L})/iu },
  { unit: 'kB', words: /^(?:kb|kib|kilobytes?)(?!\p{L})/iu },
  { unit: 'MB', words: /^(?:mb|mib|megabytes?)(?!\p{L})/iu },
  { unit: 'GB', words: /^(?:gb|gib|gigabytes?)(?!\p{L})/iu },
  { unit: 'px', words: /^(?:px|pixels?)(?!\p{L})/iu },
  { unit: '€', words: /^(?:€|eur|euros?)(?!\p{L})/iu },
  { unit: '$', words: /^(?:\$|usd|dollars?)(?!\p{L})/iu },
  { unit: '°', words: /^(?:°\s?[cf]?|degrees?|grad)(?!\p{L})/iu },
]

const unitAfter = (text: string): string | undefined => {
  const rest = text.replace(/^[\s\u00a0\u202f-]{0,2}/, '')
  return UNITS.find(({ words }) => words.test(rest))?.unit
}

const BEFORE: Readonly<Record<string, string>> = { $: '$', '€': '€' }
const SCALES: readonly { words: RegExp; factor: number }[] = [
  { words: /^\s?(?:k)(?![\p{L}\d])/iu, factor: 1e3 },
  { words: /^\s?(?:thousand|tausend|mil|mille|千)(?!\p{L})/iu, factor: 1e3 },
  { words: /^\s?(?:万|萬)/u, factor: 1e4 },
  { words: /^\s?(?:m(?![\p{L}\d])|million(?:s|en)?|millones|millions|milhões|百万|百萬)/iu, factor: 1e6 },
  { words: /^\s?(?:亿|億)/u, factor: 1e8 },
  { words: /^\s?(?:billion(?:s)?|milliarden?|milliards?)/iu, factor: 1e9 },
]

/** Numbers in words, by language, from zero. */
const IN_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  ),
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'.split(
    ' ',
  ),
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte'.split(
    ' ',
  ),
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt'.split(
    ' ',
  ),
  pt: 'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte'.split(
    ' ',
  ),
}
const TENS: Readonly<Record<string, readonly string[]>> = {
  en: 'thirty forty fifty sixty seventy eighty ninety hundred'.split(' '),
  de: 'dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert'.split(' '),
  es: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa cien'.split(' '),
  fr: 'trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent'.split(' '),
  pt: 'trinta quarenta cinquenta sessenta setenta oitenta noventa cem'.split(' '),
}
const OTHER: ReadonlyMap<string, number> = new Map([
  ...([
    ['dozen', 12],
    ['dutzend', 12],
    ['docena', 12],
    ['douzaine', 12],
    ['dúzia', 12],
  ] as const),
  ...([
    ['dozens', 24],
    ['duas', 2],
    ['zweimal', 2],
    ['twice', 2],
    ['dreimal', 3],
  ] as const),
])
const LANGUAGES = Object.keys(IN_WORDS)
const HAN_DIGITS = '零一二三四五六七八九'

const DIGITS = /(?<![\p{L}\d_.,#-])[-−]?\d+(?:[.,'\u00a0\u202f]\d+)*(?![\d_])/gu
const LATIN_WORD = /(?<!\p{L})\p{L}+(?:-\p{L}+)?(?!\p{L})/gu
const HAN_NUMBER = /[一二三四五六七八九十两兩百]+(?=[\p{Script=Han}])/gu
/** What such a word counts is counted by it. 一 is nearly never a number. */
const HAN_COUNTED =
  /^(?:个|個|次|天|小时|小時|分钟|分鐘|秒|条|條|份|行|张|張|轮|輪|家|人|台|种|種|页|頁|版|处|處|遍|倍|月|年|周|週|万|萬|千|百|项|項|步|位|段|篇)/u

/** The numbers in a text. Dates, times, versions and the parts of names are not among them. */
export function numbersIn(text: string): NumberFact[] {
  const found: NumberFact[] = []
  const add = (value: number, index: number, length: number, isSmall: boolean): void => {
    const rest = text.slice(index + length)
    const scale = SCALES.find(({ words }) => words.test(rest))
    const scaled = scale ? rest.replace(scale.words, '') : rest
    const unit = unitAfter(scaled) ?? BEFORE[text[index - 1] ?? '']
    found.push({
      value: value * (scale?.factor ?? 1),
      unit,
      index,
      isSmall: isSmall && !scale,
      noun: nounAfter(scaled),
      text: text.slice(index, index + length) + rest.slice(0, rest.length - scaled.length),
      words: text
        .slice(index)
        .match(/^\S+(?:[ \u00a0]\p{L}[\p{L}-]*)?/u)![0]
        .replace(/[.,;:]$/, ''),
    })
  }
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    const rest = text.slice(index + digits.length)
    // A version, an ordinal, or the beginning of a name, such as 2.1.3, 3rd or 4x4.
    if (/\.\d+\.|\d[.,]\d+[.,]\d{1,2}$/.test(digits) && !GROUPED.test(digits)) continue
    if (/^(?:st|nd|rd|th)(?!\p{L})|^\p{Script=Latin}[\w-]*\d|^[-_]\p{L}/iu.test(rest)) continue
    const value = digitsValue(digits)
    if (value !== undefined) add(value, index, digits.length, value <= 12 && Number.isInteger(value))
  }
  const language = languageOf(text)
  const languages = LANGUAGES.includes(language) ? [language] : ['en']
  for (const { 0: word, index } of text.matchAll(LATIN_WORD)) {
    const value = languages
      .map((each) => wordValue(word.toLowerCase(), each))
      .find((each) => each !== undefined)
    if (value !== undefined && value > 1) add(value, index, word.length, value <= 20)
  }
  for (const { 0: word, index } of text.matchAll(HAN_NUMBER)) {
    const value = hanValue(word)
    if (value !== undefined && value > 1 && HAN_COUNTED.test(text.slice(index + word.length)))
      add(value, index, word.length, value <= 20)
  }
  return found.sort((a, b) => a.index - b.index)
}

const GROUPED = /^-?\d{1,3}(?:([.,'\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/

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

/** A number in the words of a language. */
function wordValue(word: string, language: string): number | undefined {
  const [words, tens] = [IN_WORDS[language]!, TENS[language]!]
  const whole = words.indexOf(word)
  if (whole >= 0) return whole
  const ten = tens.indexOf(word)
  if (ten >= 0) return (ten + 3) * 10
  const [first, second] = word.split('-')
  const [high, low] = [tens.indexOf(first!), words.indexOf(second ?? '')]
  if (second !== undefined && low > 0 && (high >= 0 || first === words[20]))
    return (high >= 0 ? (high + 3) * 10 : 20) + low
  return OTHER.get(word)
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

/** Months and days of the week by their names, from the tables of the system. */
const LOCALES = ['en', 'de', 'es', 'fr', 'pt'] as const
let names: { months: Map<string, number>; weekdays: Map<string, number> } | undefined

function namesOf(): { months: Map<string, number>; weekdays: Map<string, number> } {
  if (names) return names
  names = { months: new Map(), weekdays: new Map() }
  for (const locale of LOCALES)
    for (const style of ['long', 'short'] as const) {
      const monthOf = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' })
      const weekdayOf = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
      for (let month = 0; month < 12; month++) {
        const part = monthOf.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month')
        const name = part?.value.toLowerCase().replace(/\.$/, '') ?? ''
        if (/^\p{L}{3,}$/u.test(name)) names.months.set(name, month + 1)
      }
      if (style === 'long')
        for (let day = 0; day < 7; day++)
          names.weekdays.set(weekdayOf.format(Date.UTC(2026, 0, 4 + day)).toLowerCase(), day)
    }
  return names
}

const ISO = /(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/g
const SLASHED = /(?<![\d/.])(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)/g
const HAN_DATE = /(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号號]/g
const HAN_WEEKDAY = /(?:星期|周|週|礼拜|禮拜)([一二三四五六日天])/g
const CLOCK = /(?<![\d:.])([01]?\d|2[0-3])(?::|(?=h\d\d)h)([0-5]\d)(?!:?\d)\s*(?:([ap])\.?m\b\.?)?/gi
const HOUR_ONLY = /(?<![\d:.])(1[0-2]|[1-9])\s?([ap])\.?m\b\.?/gi
const HALF_PAST =
  /\b(?:(half|quarter) past|quarter to) (\w+)\b|(?<!\p{L})halb (\p{L}+)(?!\p{L})|(?<!\p{L})(?:a las|las) (\p{L}+) y (media|cuarto)(?!\p{L})/giu

/** The days and times in a text. */
export function timesIn(text: string): TimeFact[] {
  const found: TimeFact[] = []
  const add = (match: RegExpExecArray | RegExpMatchArray, fact: Omit<TimeFact, 'text' | 'index'>): void => {
    found.push({ text: match[0].trim().replace(/[.,]$/, ''), index: match.index!, ...fact })
  }
  for (const match of text.matchAll(ISO)) add(match, { year: +match[1]!, month: +match[2]!, day: +match[3]! })
  for (const match of text.matchAll(SLASHED)) {
    const [day, month] = +match[2]! > 12 ? [+match[2]!, +match[1]!] : [+match[1]!, +match[2]!]
    add(match, { year: +match[3]!, month, day })
  }
  for (const match of text.matchAll(HAN_DATE))
    add(match, { ...(match[1] ? { year: +match[1] } : {}), month: +match[2]!, day: +match[3]! })
  for (const match of text.matchAll(HAN_WEEKDAY))
    add(match, { weekday: '日一二三四五六'.indexOf(match[1]!.replace('天', '日')) })
  const { months, weekdays } = namesOf()
  const month = [...months.keys()].sort((a, b) => b.length - a.length).join('|')
  const named = new RegExp(
    `(?<!\\p{L})(?:(\\d{1,2})(?:st|nd|rd|th|\\.|er|º)?(?: (?:of|de|do))? (${month})\\.?|(${month})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:.]\\d))(?:,? (?:de |do )?(\\d{4}))?(?![\\p{L}\\d])`,
    'giu',
  )
  for (const match of text.matchAll(named)) {
    const [, before, first, second, after, year] = match
    const day = Number(before ?? after)
    if (day < 1 || day > 31) continue
    add(match, {
      ...(year ? { year: +year } : {}),
      month: months.get((first ?? second)!.toLowerCase())!,
      day,
    })
  }
  // A month alone, after a word that makes it one: "in May", "since September".
  const alone = new RegExp(
    `(?<=(?<!\\p{L})(?:in|since|until|by|of|im|seit|bis|en|desde|depuis|em) )(${month})(?!\\.? ?\\d|\\p{L})`,
    'giu',
  )
  for (const match of text.matchAll(alone)) add(match, { month: months.get(match[1]!.toLowerCase())! })
  const days = new RegExp(`(?<!\\p{L})(${[...weekdays.keys()].join('|')})s?(?![\\p{L}-])`, 'giu')
  for (const match of text.matchAll(days)) add(match, { weekday: weekdays.get(match[1]!.toLowerCase())! })
  for (const match of text.matchAll(CLOCK)) add(match, { minutes: clock(+match[1]!, +match[2]!, match[3]) })
  for (const match of text.matchAll(HOUR_ONLY)) add(match, { minutes: clock(+match[1]!, 0, match[2]) })
  for (const match of text.matchAll(HALF_PAST)) {
    const [whole, part, hour, half, spanish, fraction] = match
    const word = (hour ?? half ?? spanish)!.toLowerCase()
    const value = wordValue(word, half ? 'de' : spanish ? 'es' : 'en') ?? Number(word)
    if (!value || value > 12) continue
    const offset =
      part?.toLowerCase() === 'half' || fraction === 'media'
        ? 30
        : half !== undefined
          ? -30
          : /quarter past/i.test(whole) || fraction === 'cuarto'
            ? 15
            : -15
    const minutes = (value % 12) * 60 + offset
    add(match, { minutes: [((minutes % 1440) + 1440) % 1440, (minutes + 720) % 1440] })
  }
  return found.sort((a, b) => a.index - b.index)
}

/** Without `a.m.` and `p.m.`, an hour up to twelve may be either. */
function clock(hour: number, minute: number, half: string | undefined): number[] {
  if (half) return [((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minute]
  return [hour * 60 + minute]
}

/** A name in a text: of a file, a command, a version, a commit, a model, or a product. */
export interface NameFact {
  kind: 'code' | 'file' | 'version' | 'commit' | 'name'
  text: string
  index: number
  /** With the marks of code around it. */
  length: number
}

const CODE_SPAN = /(?<!`)(`{1,2})(?!`)([^`]+)\1(?!`)/g
const PATH =
  /(?<![\w/.@-])(?:[~.]{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]*\w|(?<![\w/.@-])[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|hpp|swift|sh|bash|zsh|sql|json|jsonl|ya?ml|toml|md|mdx|txt|html?|css|scss|vue|svelte|csv|xml|lock|env|ini|cfg|conf|ipynb|png|jpe?g|svg|gif|pdf|log|wasm)(?![\w/])/gi
const VERSION = /(?<![\w.])v?\d+\.\d+\.\d+(?:[-+][\w.]+)?(?![\w.]*\w)|(?<![\w.])v\d+(?:\.\d+)*(?![\w.]*\w)/gi
const HASH = /(?<![\w-])(?=[a-f\d]*\d)(?=[a-f\d]*[a-f])[a-f\d]{7,40}(?![\w-])/gi
/** A word with a capital, a digit or a mark inside: PostgreSQL, FTS5, claude-opus-4-6. */
const PRODUCT =
  /(?<![\p{L}\p{N}_./`-])(?=[\p{Script=Latin}\d-]*\p{Script=Latin})(?:\p{Lu}?\p{Ll}+\p{Lu}[\p{Script=Latin}\d]*|\p{Script=Latin}+\d[\p{Script=Latin}\d]*|[a-z][a-z]+(?:-[a-z\d.]+)*-\d[\w.]*)(?![\p{L}\p{N}_/])/gu
/** A capitalized word inside of a sentence. */
const CAPITALIZED = /(?<=[\p{Ll}\d,;)] )(\p{Lu}\p{Ll}{2,}(?:[\p{L}\d]*))(?![\p{L}\p{N}_/.]\p{L})/gu

/** The names in a text. `capitals`: whether a capital inside of a sentence makes a name. */
export function namesIn(text: string, capitals: boolean): NameFact[] {
  const found: NameFact[] = []
  const taken: { from: number; to: number }[] = []
  const add = (kind: NameFact['kind'], name: string, index: number, length = name.length): void => {
    if (taken.some(({ from, to }) => index < to && index + length > from)) return
    taken.push({ from: index, to: index + length })
    found.push({ kind, text: name, index, length })
  }
  for (const { 0: whole, 2: code, index } of text.matchAll(CODE_SPAN))
    add('code', code!.trim(), index, whole.length)
  for (const { 0: address, index } of text.matchAll(/https?:\/\/[^\s)\]>"”]+/g))
    add('code', address.replace(/[.,;:!?]+$/, ''), index, address.length)
  for (const { 0: path, index } of text.matchAll(PATH))
    if (isPath(path)) add('file', path.replace(/[.,]+$/, ''), index, path.length)
  for (const { 0: version, index } of text.matchAll(VERSION)) add('version', version, index)
  for (const { 0: hash, index } of text.matchAll(HASH)) add('commit', hash, index)
  for (const { 0: name, index } of text.matchAll(PRODUCT)) add('name', name, index)
  if (capitals)
    for (const { 1: name, index } of text.matchAll(CAPITALIZED))
      if (!namesOf().months.has(name!.toLowerCase())) add('name', name!, index)
  return found
}

/** "and/or" and "9/12" are no paths. */
const isPath = (text: string): boolean =>
  /\.\w+$|^[~.]{0,2}\//.test(text) || text.split('/').length > 2 || /[-_.@]/.test(text)
