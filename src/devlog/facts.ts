import { numberInWords } from './number-words.ts'
import { unitAfter } from './units.ts'

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
const HAN_MONTH =
  /(?:(\d{4})年)?(?<![\d一二三四五六七八九十])(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?![\d一二三四五六七八九十間间])|(\d{4})年(?![\d間间])/g
const HAN_CLOCK =
  /(上午|早上|早晨|凌晨|清晨|午前|朝|下午|晚上|傍晚|午後|夜)?(?<!\d)([01]?\d|2[0-3])(?:[点點](?:([0-5]\d)分?|(半))|[时時](?![間间])(?:([0-5]?\d)分|(半))?|(?<=[午上晨朝晚後夜]\d\d?)[点點])/g
const HAN_WEEKDAY = /(?:星期|周|週|礼拜|禮拜)([一二三四五六日天])/g
const CLOCK = /(?<![\d:.])([01]?\d|2[0-3])(?::|(?=h\d\d)h)([0-5]\d)(?!:?\d)\s*(?:([ap])\.?m\b\.?)?/gi
/** `8 h 35`, `8 heures 35`, `8.35 Uhr`, `8 Uhr 35`; not `8 h 35 min`, which may be how long it took. */
const HOURS =
  /(?<![\d:.,])([01]?\d|2[0-3])(?: h | ?heures |\.(?=\d\d Uhr)| ?Uhr )([0-5]\d)(?![\d,.]\d|\d| ?m(?:in)?(?!\p{L})| ?minut)(?: Uhr)?/giu
const HOUR_OF_DAY = /(?<![\d:.,])([01]?\d|2[0-3]) ?Uhr(?! \d)/giu
/** "at twenty-five to nine" */
const MINUTES_FROM =
  /(?<=(?<!\p{L})(?:at|until|by|since) )([a-z]+(?:-[a-z]+)?|\d\d?)(?: minutes)? (past|to) ([a-z]+|\d\d?)(?![\p{L}\d])/giu
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
  for (const match of text.matchAll(HAN_MONTH)) {
    const [, year, month, only] = match
    add(match, {
      ...(year || only ? { year: Number(year ?? only) } : {}),
      ...(month ? { month: Number(month) || hanMonth(month) } : {}),
    })
  }
  for (const match of text.matchAll(HAN_CLOCK)) {
    const [, part, hour, minute, half, minuteOfHour, halfHour] = match
    const own = half || halfHour ? 30 : Number(minute ?? minuteOfHour ?? 0)
    const isLate = part !== undefined && /下午|晚|後|夜/.test(part)
    add(match, { minutes: clock(+hour!, own, +hour! > 12 || !part ? undefined : isLate ? 'p' : 'a') })
  }
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
    `(?<=(?<!\\p{L})(?:(?:in|since|until|by|of|im|von|seit|bis|en|de|desde|depuis|em)|(?:${month}) (?:and|or|to|und|oder|bis|y|o|et|ou|e)) )(${month})(?!\\.? ?\\d|\\p{L})`,
    'giu',
  )
  for (const match of text.matchAll(alone)) add(match, { month: months.get(match[1]!.toLowerCase())! })
  const days = new RegExp(`(?<!\\p{L})(${[...weekdays.keys()].join('|')})s?(?![\\p{L}-])`, 'giu')
  for (const match of text.matchAll(days)) add(match, { weekday: weekdays.get(match[1]!.toLowerCase())! })
  for (const match of text.matchAll(CLOCK)) add(match, { minutes: clock(+match[1]!, +match[2]!, match[3]) })
  for (const match of text.matchAll(HOURS)) add(match, { minutes: clock(+match[1]!, +match[2]!, undefined) })
  for (const match of text.matchAll(HOUR_OF_DAY)) {
    const hour = Number(match[1])
    add(match, { minutes: hour < 12 ? [hour * 60, (hour + 12) * 60] : [hour * 60] })
  }
  for (const match of text.matchAll(MINUTES_FROM)) {
    const [, count, way, ofHour] = match
    const own = (words: string): number => numberInWords(words) ?? Number(words)
    const [minutes, hour] = [own(count!), own(ofHour!)]
    if (!(minutes < 30 && hour >= 1 && hour <= 12)) continue
    const at = (hour % 12) * 60 + (way!.toLowerCase() === 'to' ? -minutes : minutes)
    add(match, { minutes: [(at + 1440) % 1440, at + 720] })
  }
  for (const match of text.matchAll(HOUR_ONLY)) add(match, { minutes: clock(+match[1]!, 0, match[2]) })
  for (const match of text.matchAll(HALF_PAST)) {
    const [whole, part, hour, half, spanish, fraction] = match
    const word = (hour ?? half ?? spanish)!.toLowerCase()
    const value = numberInWords(word) ?? Number(word)
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

const hanMonth = (text: string): number =>
  (text.startsWith('十') ? 10 : 0) +
  '一二三四五六七八九'.indexOf(text.replace('十', '')) +
  (text === '十' ? 0 : 1)

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
  for (const { 0: name, index } of text.matchAll(PRODUCT)) {
    // `kB` after a number is a unit.
    const isUnit = /\d[\s\u00a0\u202f]?$/.test(text.slice(Math.max(0, index - 2), index)) && unitAfter(name)
    if (!isUnit) add('name', name, index)
  }
  if (capitals)
    for (const { 1: name, index } of text.matchAll(CAPITALIZED))
      if (!namesOf().months.has(name!.toLowerCase())) add('name', name!, index)
  return found
}

/** "and/or" and "9/12" are no paths. */
const isPath = (text: string): boolean =>
  /\.\w+$|^[~.]{0,2}\//.test(text) || text.split('/').length > 2 || /[-_.@]/.test(text)
