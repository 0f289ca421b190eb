import { append } from '../../../model/iteration.ts'
import { spellingsOf } from '../../../search/characters.ts'
import type { Node, Term } from '../../../search/query.ts'
import { endsOpen, tokensOf } from '../../../search/words.ts'

/** Finds the indexed words that contain a token. At their `start` only a part of them, the shortest. */
export type PartsOf = (token: string, where: 'start' | 'inside' | 'end') => readonly string[]

/** Matches every message. */
export const EVERYTHING = '{facet} : "w" *'

/** FTS5 takes quoted tokens literally. */
const quoted = (tokens: readonly string[]): string => `"${tokens.join(' ')}"`

/**
 * A query as an FTS5 expression. Undefined if the index cannot find anything with it. With `partsOf`,
 * unquoted terms also match at the beginning of words and inside them. The expression can then match too
 * much, because it does not require the parts of such a term to be adjacent.
 */
export function wordsExpression(node: Node, partsOf?: PartsOf): string | undefined {
  if ('term' in node) {
    const found = termExpression(node.term, partsOf)
    return found && `{text} : (${found})`
  }
  if ('not' in node) {
    const denied = wordsExpression(node.not)
    return denied ? `(${EVERYTHING} NOT ${denied})` : EVERYTHING
  }
  if ('any' in node) {
    const some = node.any.flatMap((each) => wordsExpression(each, partsOf) ?? [])
    return some.length === 0 ? undefined : `(${some.join(' OR ')})`
  }
  const wanted: string[] = []
  const denied: string[] = []
  for (const child of node.all) {
    const found = wordsExpression('not' in child ? child.not : child, 'not' in child ? undefined : partsOf)
    if ('not' in child) append(denied, found ? [found] : [])
    else if (found === undefined) return undefined
    else wanted.push(found)
  }
  const base = wanted.length === 0 ? EVERYTHING : wanted.join(' AND ')
  return denied.length === 0 ? `(${base})` : `((${base}) NOT (${denied.join(' OR ')}))`
}

/** Any spelling of a term. */
function termExpression(term: Term, partsOf: PartsOf | undefined): string | undefined {
  const ways = spellingsOf(term).flatMap(
    (text) => spellingExpression(text, term.prefix, term.phrase ? undefined : partsOf) ?? [],
  )
  return ways.length === 0 ? undefined : [...new Set(ways)].join(' OR ')
}

function spellingExpression(text: string, prefix: boolean, partsOf: PartsOf | undefined): string | undefined {
  const tokens = tokensOf(text)
  const last = tokens.at(-1)
  if (last === undefined) return undefined
  if (!partsOf) return `${quoted(tokens)}${prefix || endsOpen(tokens) ? ' *' : ''}`
  // The index would join the lists of thousands of words that begin so.
  if (isShort(text) && !prefix && !endsOpen(tokens))
    return [last, ...partsOf(last, 'start')].map((word) => quoted([word])).join(' OR ')
  const beginning = (some: readonly string[]): string => `${quoted(some)} *`
  // Joining the lists of all words that begin with a few letters takes longer than checking texts.
  const withoutLast = tokens.length > 2 && /^[a-z\d]{1,3}$/.test(last)
  const ways = [withoutLast ? quoted(tokens.slice(0, -1)) : beginning(tokens)]
  if (tokens.length === 1) for (const word of partsOf(last, 'inside')) ways.push(quoted([word]))
  else {
    // Repeating the rest in a phrase for each word would make FTS5 look it up each time.
    const words = partsOf(tokens[0]!, 'end').map((word) => quoted([word]))
    const following = tokens.slice(1, withoutLast ? -1 : undefined)
    const rest = withoutLast || last.length === 1 ? quoted(following) : beginning(following)
    if (words.length > 0) ways.push(`((${words.join(' OR ')}) AND ${rest})`)
  }
  return ways.join(' OR ')
}

const isShort = (text: string): boolean => text.length <= 4 && /^[\p{L}\p{N}]{1,2}$/u.test(text)

/** For a query that requires all of its words: matches messages that contain them close together. */
export function closeTogether(node: Node): string | undefined {
  if (!('all' in node)) return undefined
  const phrases: string[] = []
  for (const child of node.all) {
    if (!('term' in child)) return undefined
    const tokens = tokensOf(child.term.text)
    if (tokens.length === 0 || child.term.prefix || endsOpen(tokens)) return undefined
    phrases.push(quoted(tokens))
  }
  return phrases.length < 2 ? undefined : `{text} : NEAR(${phrases.join(' ')}, 8)`
}
