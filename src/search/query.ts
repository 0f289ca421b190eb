import { append } from '../model/iteration.ts'
import type { Who } from '../model/session.ts'
import { SESSION_LISTS } from '../model/session-filter.ts'
import { slipsBetween } from '../model/slips.ts'
import { platformIds } from '../platforms/identities.ts'
import { hasTokens } from './characters.ts'
import { tokensOf } from './words.ts'

/** One word or quoted phrase as it was typed, without its quotes or the star of a prefix. */
export interface Term {
  text: string
  /** It was quoted: match it exactly, and never inside a word. */
  phrase: boolean
  /** A star follows: its last word is a prefix. */
  prefix: boolean
}

/** The words of a query as a tree. Lists are never empty, and `not` never contains another `not` directly. */
export type Node = { all: Node[] } | { any: Node[] } | { not: Node } | { term: Term }

/** Plain data, which can be sent to a worker or written as JSON. */
export interface Query {
  /** As typed. */
  text: string
  /** Absent if there are only filters. Every term contains a letter or digit, unless it is the only one. */
  words?: { all: Node[] }
  /** A sentence as one phrase. A message that has it as it was typed ranks first. */
  verbatim?: Term
  filters: Filters
  /** Sentences about parts that were not interpreted as they may have been meant. */
  remarks: string[]
}

/** Parses a time as people write it. Returns undefined if it is invalid, and never throws. */
export type ParseTime = (text: string, edge: 'since' | 'until', now: number) => number | undefined

/** Several values of one filter are alternatives. Different filters must all match. */
export type FilterLists = Record<
  (typeof SESSION_LISTS)[number] | 'tool' | 'file' | 'edited' | 'read',
  string[]
> &
  Record<'starred' | 'error' | 'question', boolean> & { who: Who[] }

export interface Filters extends FilterLists {
  /** Milliseconds since 1970, exclusive. The earliest of several values. */
  before?: number
  /** Milliseconds since 1970, inclusive. The latest of several values. */
  after?: number
  /** Filters that must not match. */
  without: FilterLists
}

const NAMES = [
  ...SESSION_LISTS,
  ...(['who', 'tool', 'file', 'edited', 'read', 'before', 'after', 'is', 'has'] as const),
] as const

type FilterName = (typeof NAMES)[number]

/** Names from other programs and languages, and what they are called here. */
const OTHER_NAMES: Readonly<Record<string, FilterName>> = {
  from: 'who',
  by: 'who',
  role: 'who',
  speaker: 'who',
  author: 'who',
  since: 'after',
  until: 'before',
  path: 'file',
  filename: 'file',
  changed: 'edited',
  wrote: 'edited',
  repo: 'project',
  label: 'tag',
  type: 'tool',
  machine: 'device',
  user: 'person',
}
const SLIPS = 2
/** Shorter words are too near to each other. */
const SHORTEST = 4

/** The filter that a name which is none was probably meant as. */
function nearestFilter(name: string): FilterName | undefined {
  const other = OTHER_NAMES[name]
  if (other || name.length < SHORTEST) return other
  return NAMES.find((each) => each.length >= SHORTEST && slipsBetween(each, name, SLIPS) <= SLIPS)
}

const isFilterName = (name: string | undefined): name is FilterName =>
  (NAMES as readonly (string | undefined)[]).includes(name)

const SPEAKERS = new Map<string, Who>([
  ['human', 'human'],
  ['me', 'human'],
  ['you', 'human'],
  ['user', 'human'],
  ['agent', 'agent'],
  ['assistant', 'agent'],
  ['it', 'agent'],
  ['tool', 'tool'],
  ['program', 'program'],
  ['error', 'error'],
  ['memory', 'memory'],
])

/** A platform before an agent's id. */
const PROGRAM = new RegExp(`^(?:${platformIds().join('|')}):[^:]+$`, 'i')

const noLists = (): FilterLists => ({
  project: [],
  agent: [],
  platform: [],
  session: [],
  branch: [],
  kind: [],
  model: [],
  tag: [],
  device: [],
  person: [],
  who: [],
  tool: [],
  file: [],
  edited: [],
  read: [],
  starred: false,
  error: false,
  question: false,
})

export const noFilters = (): Filters => ({ ...noLists(), without: noLists() })

/** Whether a filter is about single messages, and not about sessions or times. */
export const asksOfMessages = ({ who, tool, file, edited, read, error, question }: FilterLists): boolean =>
  [who, tool, file, edited, read].some((list) => list.length > 0) || error || question

/** Whether failed calls are asked for, which are messages of their own. */
export const asksForErrors = ({ who, error }: Pick<FilterLists, 'who' | 'error'>): boolean =>
  error || who.includes('error')

/**
 * Adds one filter to `filters`. If it is invalid, returns the reason and leaves `filters` unchanged. The
 * reason is empty if the text was certainly not meant as a filter, as in `file://`.
 */
function takeFilter(
  filters: Filters,
  name: FilterName,
  value: string,
  denied: boolean,
  timeOf: (text: string) => number | undefined,
): string | undefined {
  const lists = denied ? filters.without : filters
  const wanted = value.trim()
  if (wanted === '') return 'needs a value right after the colon'
  switch (name) {
    case 'before':
    case 'after': {
      const time = timeOf(wanted)
      if (time === undefined || !Number.isFinite(time))
        return 'is not a valid time (use 7d, 2026-01-31 or yesterday)'
      if ((name === 'before') !== denied) filters.before = Math.min(filters.before ?? time, time)
      else filters.after = Math.max(filters.after ?? time, time)
      return undefined
    }
    case 'is':
    case 'has': {
      const fact = wanted.toLowerCase()
      if (fact !== 'error' && fact !== 'question' && fact !== 'starred')
        return 'is not a known property (use error, question or starred)'
      lists[fact] = true
      return undefined
    }
    case 'who': {
      const who = SPEAKERS.get(wanted.toLowerCase())
      if (!who) return 'is not a known speaker (use human, agent, tool, program, error or memory)'
      if (!lists.who.includes(who)) lists.who.push(who)
      return undefined
    }
    default:
      if (name === 'file' && wanted.startsWith('//')) return ''
      // Rejects a session key such as `agent:main:discord`, but accepts a platform before the agent.
      if (name === 'agent' && wanted.includes(':') && !PROGRAM.test(wanted))
        return 'is not the name of an agent'
      if (!lists[name].includes(wanted)) lists[name].push(wanted)
      return undefined
  }
}

/**
 * Parses `words "exact phrases" prefix* one OR other | third -without (a group) name:value -name:"a value"`.
 * All words are required. As in web search engines, `OR` applies to its two neighbors only. Accepts any
 * text: invalid syntax is treated as words.
 */
export function parseQuery(text: string, now: number, parseTime: ParseTime): Query {
  const [filters, remarks] = [noFilters(), new Set<string>()]
  const timeOf = (time: string): number | undefined => parseTime(time, 'since', now)
  const parsing: Parsing = { text, at: 0, depth: 0, filters, taken: [], remarks, timeOf }
  let all = parseGroup(parsing, false)
  const isEmpty = all.length === 0 && JSON.stringify(filters) === JSON.stringify(noFilters())
  if (isEmpty && /[^\s\0]/.test(text)) {
    all = plainWords(text)
    remarks.delete(NO_NEIGHBOR)
    if (!hasTokens(text)) remarks.add(`${text.trim()} has no letter or digit: there is nothing to search for`)
  }
  const { after, before } = filters
  if (after !== undefined && before !== undefined && after >= before) remarks.add(NO_TIME)
  return { text, ...(all.length > 0 && { words: { all } }), filters, remarks: [...remarks] }
}

/** All words of a text without syntax, or the text itself if it has none. */
function plainWords(text: string): Node[] {
  const words = text.match(/[^\s\0]+/g)?.filter(hasTokens) ?? []
  return (words.length > 0 ? words : [text.trim()]).map(plain)
}

const plain = (text: string): Node => ({ term: { text, phrase: false, prefix: false } })

/** A query while it is parsed. */
interface Parsing {
  text: string
  /** The next character. */
  at: number
  /** How many groups are open. */
  depth: number
  filters: Filters
  /** The filters so far. */
  taken: { name: FilterName; denied: boolean }[]
  /** Sentences about parts that were not interpreted as they may have been meant. */
  remarks: Set<string>
  timeOf(text: string): number | undefined
}

/** An operand of `OR`. Filters hold for the whole query, so only their names remain. */
type Operand = Node | { filters: readonly FilterName[] }

/** What is said of syntax that is not complete. */
const NO_NEIGHBOR = 'OR joins what is on both sides of it: one without a neighbor was left out'
const NO_TIME = 'after: is not earlier than before:, so no time is between them'
const OPEN_QUOTE = 'a quotation mark has no other: the words after it are searched one by one'
const WHOLE_QUERY = 'filters apply to the whole query, not to one side of OR'
const ONE_BY_ONE = 'a minus before a group with filters excludes what matches any part of it'
const OPEN_GROUP = 'a parenthesis is not closed: its group ends with the query'

/** Deeper groups lose their parentheses, to limit the recursion. */
const DEEPEST = 20

/** Parses to the end of the group. `denied` if an odd number of minus signs applies to it. */
function parseGroup(parsing: Parsing, denied: boolean): Node[] {
  const all: Node[] = []
  let alternatives: Operand[] = []
  let joining = false
  while (skipSpace(parsing)) {
    if (parsing.text[parsing.at] === ')' && parsing.depth > 0) break
    if (takeOr(parsing)) {
      if (joining || alternatives.length === 0) parsing.remarks.add(NO_NEIGHBOR)
      joining = alternatives.length > 0
      continue
    }
    const operand = parseOperand(parsing, denied)
    if (operand === undefined) continue
    if (!joining) {
      append(all, join(alternatives, parsing))
      alternatives = []
    }
    alternatives.push(operand)
    joining = false
  }
  if (joining) parsing.remarks.add(NO_NEIGHBOR)
  return [...all, ...join(alternatives, parsing)]
}

/** One node for all alternatives. Empty if they are only filters. */
function join(alternatives: readonly Operand[], { remarks }: Parsing): Node[] {
  const nodes = alternatives.filter((operand): operand is Node => !('filters' in operand))
  const names = new Set(alternatives.flatMap((operand) => ('filters' in operand ? operand.filters : [])))
  if (alternatives.length > 1 && (names.size > 1 || (names.size > 0 && nodes.length > 0)))
    remarks.add(WHOLE_QUERY)
  return nodes.length > 1 ? [{ any: nodes }] : nodes
}

/** Parses the next term, group or filter. Undefined if it is empty. Always advances. */
function parseOperand(parsing: Parsing, denied: boolean): Operand | undefined {
  const minus = takeMinus(parsing)
  const isDenied = denied !== minus
  const operand =
    parsing.text[parsing.at] === '('
      ? parseParenthesis(parsing, isDenied)
      : (parseFilter(parsing, isDenied) ?? parseTerm(parsing))
  if (operand === undefined || 'filters' in operand || !minus) return operand
  return 'not' in operand ? operand.not : { not: operand }
}

function takeMinus(parsing: Parsing): boolean {
  const { text, at } = parsing
  const opens = at === 0 || /[\s(|]/.test(text[at - 1]!)
  const word =
    opens && text[at] === '-'
      ? /^[^\s\0>|)-][^\s\0|()"\u201c-\u201f]*/.exec(text.slice(at + 1))?.[0]
      : undefined
  if (word === undefined || WRITTEN_WITH_MINUS.test(word)) return false
  if (LIKE_OPTIONS.test(word))
    parsing.remarks.add(`-${word} leaves out what contains ${word}: quote "-${word}" to search for it`)
  parsing.at++
  return true
}

/** An option, as in `docker compose up -d`, and a number, as in `error -32601`: nobody leaves those out. */
const WRITTEN_WITH_MINUS = /^(?:[a-z]|\d+(?:[.,]\d+)*)$/i

/** It could be several options, as in `rm -rf`, or a word that is left out, as in `-js`. */
const LIKE_OPTIONS = /^[a-z]{2}$/i

function parseParenthesis(parsing: Parsing, denied: boolean): Operand | undefined {
  parsing.at++
  if (parsing.depth === DEEPEST) return undefined
  parsing.depth++
  const before = parsing.taken.length
  const all = parseGroup(parsing, denied)
  const filters = parsing.taken.slice(before)
  const excluded = filters.filter((each) => each.denied)
  if (denied && excluded.length > 0 && excluded.length + all.length > 1) parsing.remarks.add(ONE_BY_ONE)
  if (parsing.at >= parsing.text.length) parsing.remarks.add(OPEN_GROUP)
  parsing.depth--
  parsing.at++
  if (all.length === 0 && filters.length > 0) return { filters: filters.map(({ name }) => name) }
  return all.length > 1 ? { all } : all[0]
}

/** The text from `start` to a closing quote or to the end of the word, and where it ends. */
function valueAt(parsing: Parsing, start: number): { value: string; end: number; quoted: boolean } {
  const { text, depth, remarks } = parsing
  const quote = isQuote(text[start]) ? closingQuote(text, start) : undefined
  if (quote !== undefined) return { value: text.slice(start + 1, quote), end: quote + 1, quoted: true }
  if (isQuote(text[start])) remarks.add(OPEN_QUOTE)
  const end = wordEnd(text, start, depth > 0)
  return { value: text.slice(start, end), end, quoted: false }
}

function parseFilter(parsing: Parsing, denied: boolean): Operand | undefined {
  const { text, at, filters, timeOf } = parsing
  const colon = /^[a-z]{2,8}:/i.exec(text.slice(at, at + 9))?.[0]
  const name = colon?.slice(0, -1).toLowerCase()
  if (colon === undefined || name === undefined) return undefined
  if (!isFilterName(name)) {
    const nearest = nearestFilter(name)
    const { value, end } = valueAt(parsing, at + colon.length)
    if (nearest && value !== '' && !value.startsWith('/'))
      parsing.remarks.add(
        `${text.slice(at, end)}: there is no filter ${colon} (did you mean ${nearest}:?); searched as words`,
      )
    return undefined
  }
  const { value, end } = valueAt(parsing, at + colon.length)
  const problem = takeFilter(filters, name, value, denied, timeOf)
  if (problem === undefined) {
    parsing.at = end
    parsing.taken.push({ name, denied })
    return { filters: [name] }
  }
  if (problem !== '') parsing.remarks.add(`${text.slice(at, end)} ${problem}: searched as words`)
  return undefined
}

function parseTerm(parsing: Parsing): Node | undefined {
  const { text, at } = parsing
  const { value, end, quoted } = valueAt(parsing, at)
  if (quoted) {
    const prefix = text[end] === '*'
    parsing.at = prefix ? end + 1 : end
    return hasTokens(value) ? { term: { text: value, phrase: true, prefix } } : undefined
  }
  // A lone quote or bar is a word of its own.
  parsing.at = Math.max(end, at + 1)
  const typed = text.slice(at, parsing.at)
  const prefix = typed.endsWith('*') && /^[^*]*[\p{L}\p{N}\p{Co}\p{M}]\*$/u.test(typed)
  const word = prefix ? typed.slice(0, -1) : typed
  return hasTokens(word) ? { term: { text: word, phrase: false, prefix } } : undefined
}

/** Returns false at the end. */
function skipSpace(parsing: Parsing): boolean {
  const { text } = parsing
  while (parsing.at < text.length && /[\s\0]/.test(text[parsing.at]!)) parsing.at++
  return parsing.at < text.length
}

function takeOr(parsing: Parsing): boolean {
  const { text, at } = parsing
  if (text[at] === '|') parsing.at++
  // The curly quotes, escaped: V8 stores all of a file with two bytes each for one such character.
  else if (/^OR(?:[\s\0|()"\u201c-\u201f]|$)/.test(text.slice(at, at + 3))) parsing.at += 2
  else return false
  return true
}

const QUOTES = '"“”„‟'

const isQuote = (character: string | undefined): boolean =>
  character !== undefined && QUOTES.includes(character)

/**
 * The index of the quote that closes the one at `start`. Undefined if there is none. Any kind of quote closes
 * any other.
 */
function closingQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) if (isQuote(text[at])) return at
  return undefined
}

/**
 * The end of the word at `start`. Parentheses that the word itself opens belong to it, as in `f(x)`. Inside a
 * group (`grouped`), any other closing parenthesis ends the word.
 */
function wordEnd(text: string, start: number, grouped: boolean): number {
  let open = 0
  let at = start
  for (; at < text.length; at++) {
    const character = text[at]!
    if (character === '|' || isQuote(character) || /[\s\0]/.test(character)) break
    if (character === '(') open++
    else if (character === ')') {
      if (open > 0) open--
      else if (grouped) break
    }
  }
  return at
}

/** Limits of one query. SQLite looks up each word and compares all of its positions. */
export const MOST_CHARACTERS = 4000
const MOST_WORDS = 100
const MOST_FILTERS = 100

/** Why a query is too large to be answered. Undefined if it is not. */
export function excessOf({ words, filters }: Query): string | undefined {
  const count = words ? wordsIn(words) : 0
  if (count > MOST_WORDS) return `${count.toLocaleString('en')} words; the limit is ${MOST_WORDS}`
  const { without, ...wanted } = filters
  const values = [wanted, without]
    .flatMap((lists) => Object.values(lists))
    .reduce((sum: number, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
  if (values > MOST_FILTERS) return `${values.toLocaleString('en')} filters; the limit is ${MOST_FILTERS}`
  return undefined
}

/** Words as the index stores them. A phrase has several, a Chinese word about one per character. */
export function wordsIn(node: Node): number {
  if ('term' in node) return tokensOf(node.term.text).length
  if ('not' in node) return wordsIn(node.not)
  return ('all' in node ? node.all : node.any).reduce((sum, each) => sum + wordsIn(each), 0)
}
