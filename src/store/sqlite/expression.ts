import type { DatabaseSync } from 'node:sqlite'
import { append } from '../../model/iteration.ts'
import { spellingsOf } from '../../search/characters.ts'
import type { Node, Term } from '../../search/query.ts'
import { endsOpen, type Piece, tokensOf } from '../../search/words.ts'
import { prepared } from './database.ts'

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

/**
 * How many of the words closest in length are used. The shortest parts occur in words of every kind, so
 * fewer.
 */
const MOST = 100
const MOST_OF_SHORTEST = 40

/** Finds the words that contain a part, by trigrams. */
export function createParts(database: DatabaseSync): PartsOf {
  const find = prepared(
    database,
    `SELECT v.word FROM part CROSS JOIN vocabulary v ON v.id = part.rowid
    WHERE part MATCH ? AND instr(v.word, ?) > 0 ORDER BY length(v.word) LIMIT ?`,
  )
  const begin = prepared(
    database,
    `SELECT word FROM vocabulary WHERE word > ? AND word < ? || char(0x10ffff)
    ORDER BY length(word) LIMIT ?`,
  )
  return (token, where) => {
    if (where === 'start') return begin.all(token, token, MOST).map(({ word }) => String(word))
    // Shorter parts occur in too many words to be useful.
    const trigrams = trigramsOf(token)
    if (trigrams === undefined) return []
    return find
      .all(trigrams, token, trigrams.includes(' ') ? MOST : MOST_OF_SHORTEST)
      .map(({ word }) => String(word))
      .filter((word) => (where === 'end' ? word.endsWith(token) : !word.startsWith(token)))
  }
}

const TRIGRAM = 3

/** An index expression for the words that contain all trigrams of a part. Undefined for shorter parts. */
function trigramsOf(part: string): string | undefined {
  const letters = [...part]
  const found = new Set<string>()
  for (let at = 0; at + TRIGRAM <= letters.length; at++)
    found.add(`"${letters.slice(at, at + TRIGRAM).join('')}"`)
  return found.size > 0 ? [...found].join(' AND ') : undefined
}

/**
 * Words of the vocabulary that have one of these pieces, and some that only have its trigrams. Looks them up,
 * because reading the vocabulary of ten million messages takes a tenth of a second.
 */
export function wordsWith(
  database: DatabaseSync,
  { least, most }: { least: number; most: number },
  pieces: readonly Piece[],
): string[] {
  const words = new Set<string>()
  // One aggregated row is cheaper than one row per word.
  for (const { text, where } of pieces) {
    // For a piece that is too short for the index, all words of that length are read.
    const trigrams = where === 'start' ? undefined : trigramsOf(text)
    const { found } =
      trigrams === undefined
        ? prepared(database, BEGINNING).get({ text: where === 'start' ? text : '', least, most })!
        : prepared(database, CONTAINING).get({ trigrams, least, most })!
    if (found !== null) for (const word of String(found).split('\n')) words.add(word)
  }
  return [...words]
}

const BEGINNING = `SELECT group_concat(word, char(10)) AS found FROM vocabulary
  WHERE word >= :text AND word < :text || char(0x10ffff) AND length(word) BETWEEN :least AND :most`

const CONTAINING = `SELECT group_concat(v.word, char(10)) AS found
  FROM part CROSS JOIN vocabulary v ON v.id = part.rowid
  WHERE part MATCH :trigrams AND length(v.word) BETWEEN :least AND :most`
