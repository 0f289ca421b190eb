import { momentOf, nextDay } from '../text/times.ts'

/** The server reads no more letters of a query. */
export const MOST_LETTERS = 4000

/** A filter in the words of a query, such as `-who:tool`, and where it is. */
export interface NamedFilter {
  name: string
  value: string
  /** With a minus before it. */
  isDenied: boolean
  start: number
  end: number
}

const NAMES = new Set([
  'project',
  'agent',
  'platform',
  'session',
  'branch',
  'kind',
  'model',
  'tag',
  'tool',
  'file',
  'edited',
  'read',
  'who',
  'device',
  'person',
  'before',
  'after',
  'is',
  'has',
])
const QUOTES = '"“”„‟'
/** A filter where a word may begin: its name, and a value that is quoted or has no space. */
const FILTER = /(-?)([a-z]{2,8}):(?:["“”„‟]([^"“”„‟]+)["“”„‟]|([^\s"“”„‟|()]+))/iy

/** The other names of speakers. */
const SPEAKERS: Record<string, string> = {
  me: 'human',
  you: 'human',
  user: 'human',
  assistant: 'agent',
  it: 'agent',
}

/** The filters in a query. Those within a phrase are words. */
export function filtersIn(text: string): NamedFilter[] {
  const found: NamedFilter[] = []
  let at = 0
  while (at < text.length) {
    FILTER.lastIndex = at
    const [whole, minus, name = '', quoted, plain = ''] = FILTER.exec(text) ?? []
    const lower = name.toLowerCase()
    if (whole !== undefined && NAMES.has(lower)) {
      const value = quoted ?? plain
      const shown = lower === 'who' ? (SPEAKERS[value.toLowerCase()] ?? value.toLowerCase()) : value
      const end = at + whole.length
      found.push({ name: lower, value: shown, isDenied: minus === '-', start: at, end })
      at = end
    } else at = wordEnd(text, at)
    while (at < text.length && /[\s(|]/.test(text[at]!)) at++
  }
  return found
}

/** The end of a word or a phrase, which may follow a minus. */
function wordEnd(text: string, start: number): number {
  let at = start + (text[start] === '-' ? 1 : 0)
  if (QUOTES.includes(text[at] ?? ' ')) {
    at++
    while (at < text.length && !QUOTES.includes(text[at]!)) at++
    return at + 1
  }
  while (at < text.length && !/[\s(|]/.test(text[at]!)) at++
  return Math.max(at, start + 1)
}

/** The query without some of its filters. */
export function without(text: string, filters: readonly NamedFilter[]): string {
  let rest = text
  for (const { start, end } of filters.toSorted((a, b) => b.start - a.start))
    rest = `${rest.slice(0, start).trimEnd()} ${rest.slice(end).trimStart()}`
  return rest.trim()
}

/** Filters that say something about a message, not about its session. */
const OF_MESSAGES = new Set(['tool', 'file', 'edited', 'read', 'who', 'has'])

/** What a query asks of the messages of a session. */
export const withinSession = (text: string): string =>
  without(
    text,
    filtersIn(text).filter(({ name, value }) => !OF_MESSAGES.has(name) && `${name}:${value}` !== 'is:error'),
  )

const quoted = (text: string): string => (/[\s"()|]/.test(text) ? `"${text.replaceAll('"', '')}"` : text)

/** A filter as it is written in a query. */
export const written = (name: string, value: string): string => `${name}:${quoted(value)}`

const isOf =
  (names: readonly string[]) =>
  ({ name, isDenied }: NamedFilter): boolean =>
    names.includes(name) && !isDenied

/** What a query asks for by a filter: its values, in lower case. */
export const valuesOf = (text: string, name: string): string[] =>
  filtersIn(text)
    .filter(isOf([name]))
    .map(({ value }) => value.toLowerCase())

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

/**
 * The query with a value of a filter, or without it if it had it. Other values stay: they are alternatives. What
 * else the query says of this filter goes, because the number beside a value was counted without it.
 */
export function toggled(text: string, name: string, value: string): string {
  const all = filtersIn(text)
  const own = all.filter(
    (filter) => isOf([name])(filter) && filter.value.toLowerCase() === value.toLowerCase(),
  )
  if (own.length > 0) return without(text, own)
  const others = all.filter(
    (filter) => (filter.name === name && filter.isDenied) || (name === 'agent' && filter.name === 'platform'),
  )
  return joined(without(text, others), written(name, value))
}

/** The query with these filters instead of all others of the same names. Empty values leave a filter out. */
export function withFilters(text: string, filters: Readonly<Record<string, string>>): string {
  const rest = without(text, filtersIn(text).filter(isOf(Object.keys(filters))))
  const wanted = Object.entries(filters).filter(([, value]) => value !== '')
  return joined(rest, ...wanted.map(([name, value]) => written(name, value)))
}

/** The list of the sessions that these filters leave. */
export const sessionsOf = (
  filters: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): string => `/sessions?${new URLSearchParams({ q: withFilters('', filters), ...more })}`

/** The filters of one day. */
export const ofDay = (day: string): { after: string; before: string } => ({
  after: day,
  before: nextDay(day, 1),
})

/** The query with the days of `before:` and `after:` as moments of the reader's zone, for the server. */
export function withMoments(text: string): string {
  let rest = text
  for (const { name, value, start, end, isDenied } of filtersIn(text).reverse()) {
    if (name !== 'before' && name !== 'after') continue
    const moment = momentOf(/^\d{4}-\d\d$/.test(value) ? `${value}-01` : value, 'since')
    if (moment !== value)
      rest = `${rest.slice(0, start)}${isDenied ? '-' : ''}${name}:${moment}${rest.slice(end)}`
  }
  return rest
}
