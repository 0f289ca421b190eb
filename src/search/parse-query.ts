import { hasTokens } from './characters.ts'
import { noFilters } from './filters.ts'
import type { Node, ParseTime, Query } from './query.ts'
import { beginParsing, parseGroup } from './query-grammar.ts'

/**
 * Parses `words "exact phrases" prefix* one OR other | third -without (a group) name:value -name:"a value"`.
 * All words are required. As in web search engines, `OR` applies to its two neighbors only. Accepts any
 * text: invalid syntax is treated as words.
 */
export function parseQuery(text: string, now: number, parseTime: ParseTime): Query {
  const parsing = beginParsing(text, (time) => parseTime(time, 'since', now))
  const { filters, remarks } = parsing
  let all = parseGroup(parsing, false)
  const isEmpty = all.length === 0 && JSON.stringify(filters) === JSON.stringify(noFilters())
  if (isEmpty && /[^\s\0]/.test(text)) {
    all = plainWords(text)
    if (!hasTokens(text)) remarks.add(`${text.trim()} has no letter or digit: there is nothing to search for`)
  }
  return { text, ...(all.length > 0 && { words: { all } }), filters, remarks: [...remarks] }
}

/** All words of a text without syntax, or the text itself if it has none. */
function plainWords(text: string): Node[] {
  const words = text.match(/[^\s\0]+/g)?.filter(hasTokens) ?? []
  return (words.length > 0 ? words : [text.trim()]).map(plain)
}

const plain = (text: string): Node => ({ term: { text, phrase: false, prefix: false } })
