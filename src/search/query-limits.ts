import type { Node, Query } from './query.ts'
import { tokensOf } from './tokens.ts'

/** What one query may ask for: the engine looks each word up and compares all of their places. */
export const MOST_CHARACTERS = 4000
const MOST_WORDS = 100
const MOST_FILTERS = 100

/** Why a query is more than can be answered at once; undefined where it is not. */
export function excessOf({ words, filters }: Query): string | undefined {
  const count = words ? wordsIn(words) : 0
  if (count > MOST_WORDS)
    return `${count.toLocaleString('en')} words, and at most ${MOST_WORDS} can be searched for`
  const { without, ...wanted } = filters
  const values = [wanted, without]
    .flatMap((lists) => Object.values(lists))
    .reduce((sum: number, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
  if (values > MOST_FILTERS)
    return `${values.toLocaleString('en')} filters, and at most ${MOST_FILTERS} can be combined`
  return undefined
}

/** Words as the index holds them: a phrase is several, a Chinese one about as many as it has characters. */
function wordsIn(node: Node): number {
  if ('term' in node) return tokensOf(node.term.text).length
  if ('not' in node) return wordsIn(node.not)
  return ('all' in node ? node.all : node.any).reduce((sum, each) => sum + wordsIn(each), 0)
}
