import { append } from '../../../model/lists.ts'
import { CJK, spellingsOf } from '../../../search/characters.ts'
import type { Node, Term } from '../../../search/query.ts'
import { endsOpen, tokensOf } from '../../../search/words.ts'
import { raw, sql } from '../connection/literal.ts'

/** Shorter parts occur in too many words to be useful. */
const SHORTEST_PART = 3
const SHORT = /^[\p{L}\p{N}]{1,2}$/u
/** A token of other letters than Chinese, Japanese and Korean, which have parts of any length. */
const NARROW = /^[a-z\d]/

/** Parts of tokens that ClickHouse 26.7 looks up in the list of tokens: of letters and digits of ASCII. */
const LISTED = /^[a-z\d]{3,}$/
/** Two Chinese, Japanese or Korean characters, which are a whole token wherever they occur. */
const PAIR = new RegExp(`^${CJK}{2}$`, 'v')

/** Matches every message. */
export const EVERYTHING = '1'

/**
 * A query as a condition on `i.words`, the tokens of a message between spaces, so that adjacent tokens are a
 * part of it. Undefined if no message can match. With `loose`, terms that are not quoted also match inside
 * words.
 */
export function wordsCondition(node: Node, loose = false): string | undefined {
  if ('term' in node) return termCondition(node.term, loose)
  if ('not' in node) {
    const denied = wordsCondition(node.not)
    return denied ? `NOT ${denied}` : EVERYTHING
  }
  if ('any' in node) {
    const some = node.any.flatMap((each) => wordsCondition(each, loose) ?? [])
    return some.length === 0 ? undefined : `(${some.join(' OR ')})`
  }
  const all: string[] = []
  for (const child of node.all) {
    const found = wordsCondition(child, loose)
    if (found === undefined) return undefined
    append(all, [found])
  }
  return all.length === 0 ? EVERYTHING : `(${all.join(' AND ')})`
}

/** Any spelling of a term. */
function termCondition(term: Term, loose: boolean): string | undefined {
  const inside = loose && !term.phrase
  const ways = spellingsOf(term).flatMap((text) => spellingCondition(text, term.prefix, inside) ?? [])
  return ways.length === 0 ? undefined : `(${[...new Set(ways)].join(' OR ')})`
}

function spellingCondition(text: string, prefix: boolean, inside: boolean): string | undefined {
  const tokens = tokensOf(text)
  const first = tokens[0]
  if (first === undefined) return undefined
  const open = prefix || endsOpen(tokens)
  const phrase = tokens.join(' ')
  if (inside && !tokens.every((token) => PAIR.test(token))) {
    const isShort = SHORT.test(text) && !open
    const start = isShort || (first.length < SHORTEST_PART && NARROW.test(first)) ? ' ' : ''
    return containsPart(`${start}${phrase}`, tokens)
  }
  const found = contains(` ${phrase}${open ? '' : ' '}`)
  const last = tokens.at(-1)!
  // The index finds whole tokens.
  const whole = open ? tokens.slice(0, -1) : tokens
  const inIndex = [
    ...(whole.length > 0 ? [hasAll(whole)] : []),
    ...(open && isListed(last) ? [hasPart(last)] : []),
  ]
  return `(${[...inIndex, ...(tokens.length > 1 || open ? [found] : [])].join(' AND ')})`
}

/** Whether the engine looks up a part of a token in the list of all tokens instead of reading all texts. */
const isListed = (part: string): boolean => LISTED.test(part)

/** A part of one token. Other tokens than these have to be looked for in the texts. */
const hasPart = (part: string): string => sql`i.words LIKE ${`%${part}%`}`

/** A part of some tokens, the first and last of which may be cut. The index finds whole ones and parts. */
function containsPart(part: string, tokens: readonly string[]): string {
  const inner = tokens.slice(1, -1)
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const longer = last.length > first.length ? last : first
  const inIndex = [
    ...(inner.length > 0 ? [hasAll(inner)] : []),
    ...(isListed(longer) ? [hasPart(longer)] : []),
  ]
  if (tokens.length === 1 && part === first && inIndex.length > 0) return inIndex[0]!
  return inIndex.length === 0 ? contains(part) : `(${inIndex.join(' AND ')} AND ${contains(part)})`
}

const contains = (part: string): string => sql`position(i.words, ${part}) > 0`

const hasAll = (tokens: readonly string[]): string =>
  `hasAllTokens(i.words, [${[...new Set(tokens)].map((token) => sql`${token}`).join(', ')}])`

/** Of a query that requires all of its words: matches messages that contain them close together, in order. */
export function closeTogether(node: Node): string | undefined {
  if (!('all' in node)) return undefined
  const phrases: string[] = []
  for (const child of node.all) {
    if (!('term' in child)) return undefined
    const tokens = tokensOf(child.term.text)
    if (tokens.length === 0 || child.term.prefix || endsOpen(tokens)) return undefined
    phrases.push(
      tokens.join(' ').replace(/[^\p{L}\p{N} ]/gu, (each) => `\\x{${each.codePointAt(0)!.toString(16)}}`),
    )
  }
  if (phrases.length < 2) return undefined
  const near = phrases.join('( [^ ]+){0,8} ')
  return sql`match(i.words, ${` ${near} `})`
}

/** Messages whose tool calls name one of these paths, by their tokens. Undefined if no path has any. */
export function pathsCondition(paths: readonly string[]): string | undefined {
  const parts = paths.flatMap((path) => {
    const tokens = tokensOf(path)
    return tokens.length === 0 ? [] : contains(` ${tokens.join(' ')}`)
  })
  return parts.length === 0 ? undefined : sql`(i.who = 'tool' AND (${raw(parts.join(' OR '))}))`
}
