import type { Node, Query } from './query.ts'
import { tokensOf } from './tokens.ts'

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
