import type { Who } from '../model/session.ts'
import { type FilterName, isFilterName, noFilters, takeFilter } from './filters.ts'
import { closingQuote, isQuote, wordEnd } from './lexer.ts'
import { hasTokens } from './tokens.ts'

/** One word or one quoted phrase, as it was typed: without its quotes and the star of a prefix. */
export interface Term {
  text: string
  /** It stood in quotes: to be found exactly so, never as a part of a word. */
  phrase: boolean
  /** A star followed: its last word may go on. */
  prefix: boolean
}

/** What has to be said in a message. Lists are never empty, and no `not` stands right in a `not`. */
export type Node = { all: Node[] } | { any: Node[] } | { not: Node } | { term: Term }

/** Several values of one name are alternatives; different names all have to hold. */
export interface FilterLists {
  project: string[]
  agent: string[]
  platform: string[]
  who: Who[]
  tool: string[]
  file: string[]
  session: string[]
  branch: string[]
  error: boolean
  question: boolean
}

export interface Filters extends FilterLists {
  /** Milliseconds since 1970, exclusive; of several the earliest. */
  before?: number
  /** Milliseconds since 1970, inclusive; of several the latest. */
  after?: number
  /** None of these may hold. */
  without: FilterLists
}

/** Plain data: it may be sent to a worker or written as JSON. */
export interface Query {
  /** As typed. */
  text: string
  /** Absent where there are only filters. Every term has a letter or digit, unless it is the only one. */
  words?: { all: Node[] }
  filters: Filters
  /** What was not taken as it may have been meant, in sentences. */
  remarks: string[]
}

/** Reads a moment as people write it; undefined when it is none. Never throws. */
export type ParseTime = (text: string, edge: 'since' | 'until', now: number) => number | undefined

/** Groups deeper than this lose their parentheses, so that nobody's stack overflows. */
const DEEPEST = 20

/**
 * `words "exact phrases" prefix* one OR other | third -without (a group) name:value -name:"a value"`. All words have to
 * be there; `OR` binds its two neighbours only, as search engines on the web do it. Takes any text: what is no syntax,
 * or broken syntax, is words.
 */
export function parseQuery(text: string, now: number, parseTime: ParseTime): Query {
  const filters = noFilters()
  const remarks = new Set<string>()
  let at = 0
  let depth = 0

  /** Up to the end of the group: what has to hold together. `denied`: an odd number of minuses stands around it. */
  function group(denied: boolean): Node[] {
    const all: Node[] = []
    let chain: (Node | FilterName)[] = []
    let joining = false
    const flush = (): void => {
      const nodes = chain.filter((link) => typeof link !== 'string')
      const names = new Set(chain.filter((link) => typeof link === 'string'))
      if (names.size > 1 || (names.size > 0 && nodes.length > 0))
        remarks.add('filters hold for the whole query, not for one side of OR')
      if (nodes.length > 0) all.push(nodes.length === 1 ? nodes[0]! : { any: nodes })
      chain = []
    }
    while (skipSpace()) {
      if (text[at] === ')' && depth > 0) break
      if (takeOr()) {
        joining = chain.length > 0
        continue
      }
      const link = operand(denied)
      if (link === undefined) continue
      if (!joining) flush()
      chain.push(link)
      joining = false
    }
    flush()
    return all
  }

  /** The next term, group or filter; undefined when it comes to nothing. Always moves on. */
  function operand(denied: boolean): Node | FilterName | undefined {
    const opens = at === 0 || /[\s(|]/.test(text[at - 1]!)
    const minus = opens && text[at] === '-' && /^[^\s\0>|)-]/.test(text.slice(at + 1, at + 2))
    if (minus) at++
    const node = text[at] === '(' ? parenthesis(denied !== minus) : (filter(denied !== minus) ?? words())
    if (node === undefined || typeof node === 'string' || !minus) return node
    return 'not' in node ? node.not : { not: node }
  }

  function parenthesis(denied: boolean): Node | undefined {
    at++
    if (depth === DEEPEST) return undefined
    depth++
    const all = group(denied)
    depth--
    at++
    return all.length > 1 ? { all } : all[0]
  }

  function filter(denied: boolean): FilterName | undefined {
    const colon = /^[a-z]{2,8}:/i.exec(text.slice(at, at + 9))?.[0]
    const name = colon?.slice(0, -1).toLowerCase()
    if (colon === undefined || !isFilterName(name)) return undefined
    const start = at + colon.length
    const quoteEnd = isQuote(text[start]) ? closingQuote(text, start) : undefined
    const end = quoteEnd === undefined ? wordEnd(text, start, depth > 0) : quoteEnd + 1
    const value = quoteEnd === undefined ? text.slice(start, end) : text.slice(start + 1, quoteEnd)
    const problem = takeFilter(filters, name, value, denied, (time) => parseTime(time, 'since', now))
    if (problem === undefined) {
      at = end
      return name
    }
    if (problem !== '') remarks.add(`${text.slice(at, end)} ${problem}: searched as words`)
    return undefined
  }

  function words(): Node | undefined {
    let term: Term
    const quoteEnd = isQuote(text[at]) ? closingQuote(text, at) : undefined
    if (quoteEnd !== undefined) {
      const prefix = text[quoteEnd + 1] === '*'
      term = { text: text.slice(at + 1, quoteEnd), phrase: true, prefix }
      at = quoteEnd + (prefix ? 2 : 1)
    } else {
      const end = Math.max(wordEnd(text, at, depth > 0), at + 1)
      const typed = text.slice(at, end)
      const prefix = /^[^*]*[\p{L}\p{N}\p{Co}\p{M}]\*$/u.test(typed)
      term = { text: prefix ? typed.slice(0, -1) : typed, phrase: false, prefix }
      at = end
    }
    return hasTokens(term.text) ? { term } : undefined
  }

  /** False at the end. */
  function skipSpace(): boolean {
    while (at < text.length && /[\s\0]/.test(text[at]!)) at++
    return at < text.length
  }

  function takeOr(): boolean {
    if (text[at] === '|') at++
    else if (/^OR(?:[\s\0|()"“”„‟]|$)/.test(text.slice(at, at + 3))) at += 2
    else return false
    return true
  }

  let all = group(false)
  if (all.length === 0 && /[^\s\0]/.test(text) && JSON.stringify(filters) === JSON.stringify(noFilters())) {
    all =
      text
        .match(/[^\s\0]+/g)
        ?.filter(hasTokens)
        .map(plain) ?? []
    if (all.length === 0) {
      all = [plain(text.trim())]
      remarks.add(`${text.trim()} has no letter or digit: there is nothing to search for`)
    }
  }
  return { text, ...(all.length > 0 && { words: { all } }), filters, remarks: [...remarks] }
}

const plain = (text: string): Node => ({ term: { text, phrase: false, prefix: false } })
