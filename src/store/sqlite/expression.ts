import { append } from '../../model/lists.ts'
import type { Node, Term } from '../../search/query.ts'
import { spellingsOf } from '../../search/spellings.ts'
import { endsOpen, tokensOf } from '../../search/words.ts'

/** Words to look for besides a term's own: those it is a part of. */
export type PartsOf = (token: string, where: 'inside' | 'end') => readonly string[]

/** Something that every message has. */
export const EVERYTHING = '{facet} : "w" *'

/** Tokens in quotes are taken as they are, whatever they spell. */
const quoted = (tokens: readonly string[]): string => `"${tokens.join(' ')}"`

/**
 * What has to be said, in the engine's own language; undefined when nothing can be found by it. With `partsOf`, terms that
 * were not quoted are also looked for at the beginning of words and inside of them; then it may find too much, for it does not
 * say that the parts of such a term follow each other.
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
  for (const each of node.all) {
    const found = wordsExpression('not' in each ? each.not : each, 'not' in each ? undefined : partsOf)
    if ('not' in each) append(denied, found ? [found] : [])
    else if (found === undefined) return undefined
    else wanted.push(found)
  }
  const base = wanted.length === 0 ? EVERYTHING : wanted.join(' AND ')
  return denied.length === 0 ? `(${base})` : `((${base}) NOT (${denied.join(' OR ')}))`
}

/** Any of the ways in which a term may be written. */
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
  const ways = [`${quoted(tokens)} *`]
  if (tokens.length === 1) for (const word of partsOf(last, 'inside')) ways.push(quoted([word]))
  else {
    // Each word as a phrase with the rest would make the engine look the rest up each time.
    const words = partsOf(tokens[0]!, 'end').map((word) => quoted([word]))
    const rest = `${quoted(tokens.slice(1))}${last.length > 1 ? ' *' : ''}`
    if (words.length > 0) ways.push(`((${words.join(' OR ')}) AND ${rest})`)
  }
  return ways.join(' OR ')
}

/** All tokens of a query whose words simply all have to be there; messages that have them close together fit best. */
export function closeTogether(node: Node): string | undefined {
  if (!('all' in node)) return undefined
  const phrases: string[] = []
  for (const each of node.all) {
    if (!('term' in each)) return undefined
    const tokens = tokensOf(each.term.text)
    if (tokens.length === 0 || each.term.prefix || endsOpen(tokens)) return undefined
    phrases.push(quoted(tokens))
  }
  return phrases.length < 2 ? undefined : `{text} : NEAR(${phrases.join(' ')}, 8)`
}
