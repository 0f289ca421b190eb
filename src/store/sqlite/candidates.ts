import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { append, type Steps } from '../../model/iteration.ts'
import { spellingsOf } from '../../search/characters.ts'
import type { Node, Term } from '../../search/query.ts'
import { endsOpen, type Piece, tokensOf } from '../../search/words.ts'
import { prepared } from './database.ts'
import { DAY, dayOf, type Span, spanOf } from './days.ts'
import type { Restriction } from './restriction.ts'

/** The search for the newest messages begins with this many days and multiplies them in each round. */
const DAYS = 4
const MORE = 8

/** Messages checked per step. */
const STEP = 100
/**
 * With enough matches, further ones are only counted: not after this many checks, and among no more than so
 * many of the newest messages. The lists of common words grow with the store.
 */
const CHECKED = 5000
const SEARCHED = 1_000_000

/** Ids of matching messages, and the number of matches. */
interface Some {
  ids: number[]
  /** Counted up to the requested limit. */
  total: number
  /** Counting ended before the limit, with enough matches. There may be more. */
  isCut: boolean
}

/** How many matches are returned and counted. */
interface Wanted {
  count: number
  /** Counting ends here. */
  most: number
  /** With so many, counting may end before. By default, it does not. */
  enough?: number
}

/** Runs an index expression within the limits of a request. */
export function createCandidates(
  database: DatabaseSync,
  expression: string,
  { expressions, denied, conditions, values, holds, span, before = Number.POSITIVE_INFINITY }: Restriction,
  searched = SEARCHED,
) {
  const wanted = [expression, ...expressions].filter((each) => each !== EVERYTHING)
  const all = wanted.map((each) => `(${each})`).join(' AND ')
  const match = denied.length === 0 ? all : `(${all || EVERYTHING}) NOT (${denied.join(' OR ')})`
  // For the beginning of a word, FTS5 joins the lists of all such words first, whatever the range.
  const isJoined = match.includes('" *')
  // Without an expression, all messages are scanned.
  const id = match === '' ? 'm.id' : 'spoken.rowid'

  function body({ joined, after, within = span }: Closer = {}): { sql: string; given: SQLInputValue[] } {
    const tests = match === '' ? [] : ['spoken MATCH ?']
    const given: SQLInputValue[] = match === '' ? [] : [match]
    if (within) {
      // Numbers arrive as reals. FTS5 ignores such limits and reads to the end of its lists.
      tests.push(`${id} BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`)
      given.push(within.first, within.last)
    }
    if (after !== undefined) {
      tests.push('m.at >= ?')
      given.push(after)
    }
    const rows = joined || after !== undefined || conditions.length > 0
    const from = match === '' ? 'message m' : `spoken${rows ? ` CROSS JOIN message m ON m.id = ${id}` : ''}`
    const where = [...tests, ...conditions].join(' AND ') || 'TRUE'
    return { sql: `FROM ${from} WHERE ${where}`, given: [...given, ...values] }
  }

  /** Checks the text of each match, the last one first. Yields undefined between steps. */
  function* checked(closer: Closer): Generator<{ id: number; at: number } | undefined, void> {
    const { sql, given } = body({ ...closer, joined: true })
    const rows = database.prepare(`SELECT ${id} AS id, m.at, m.text, m.target ${sql} ORDER BY ${id} DESC`)
    rows.setReturnArrays(true)
    let rowCount = 0
    for (const row of rows.iterate(...given)) {
      const [number, at, text, target] = row as unknown as SQLOutputValue[]
      if (++rowCount % STEP === 0) yield
      if (holds?.(`${text ?? ''}\n${target ?? ''}`)) yield { id: Number(number), at: Number(at ?? 0) }
    }
  }

  function* byTime(count: number, closer: Closer): Steps<number[]> {
    if (holds) {
      const found: { id: number; at: number }[] = []
      for (const match of checked(closer)) {
        if (match) found.push(match)
        else yield
      }
      found.sort((a, b) => b.at - a.at)
      return found.slice(0, count).map((each) => each.id)
    }
    yield
    const { sql, given } = body({ ...closer, joined: true })
    const rows = prepared(database, `SELECT ${id} AS id ${sql} ORDER BY m.at DESC, ${id} DESC LIMIT ?`)
    return rows.all(...given, count).map((row) => Number(row.id))
  }

  /** Adds days until there are enough matches. */
  function* newest(count: number): Steps<number[]> {
    const days = prepared(database, 'SELECT min(day) AS first, max(day) AS last FROM day').get()!
    const last = Math.min(Number(days.last), dayOf(before))
    for (let some = DAYS; days.first !== null && some <= last - Number(days.first); some *= MORE) {
      const after = (last + 1 - some) * DAY
      const within = both(span, spanOf(database, after, before))
      const ids = within ? yield* byTime(count, { after, within }) : []
      if (ids.length === count) return ids
    }
    return yield* byTime(count, {})
  }

  function* latestChecked({ count, most, enough = most }: Wanted): Steps<Some> {
    const ids: number[] = []
    let total = 0
    let steps = 0
    for (const match of checked({})) {
      if (!match) {
        if (++steps * STEP >= CHECKED && total >= enough) return { ids, total, isCut: true }
        yield
      } else if (total++ < count) ids.push(match.id)
      if (total === most) break
    }
    return { ids, total, isCut: false }
  }

  /** The matches of a range. One aggregated row is cheaper than one row per match. */
  function matchesWithin(
    within: Span | undefined,
    { count, most }: Wanted,
  ): { ids: number[]; total: number } {
    const { sql, given } = body({ within })
    const { ids, total } = prepared(
      database,
      `SELECT count(*) AS total, group_concat(id) AS ids FROM
      (SELECT ${id} AS id ${sql} ORDER BY ${id} DESC LIMIT ?)`,
    ).get(...given, most)!
    if (ids === null) return { ids: [], total: 0 }
    // Parsing a whole list as JSON is cheaper than splitting it.
    const list = String(ids)
    const all = count < Number(total) ? list.split(',', count).map(Number) : JSON.parse(`[${list}]`)
    return { ids: all as number[], total: Number(total) }
  }

  function* latest({ count, most, enough = most }: Wanted): Steps<Some> {
    if (holds) return yield* latestChecked({ count, most, enough })
    yield
    if (enough === most || isJoined) return { ...matchesWithin(span, { count, most }), isCut: false }
    const all = span ?? wholeOf(database)
    const between = all.last - searched
    if (between < all.first + searched) return { ...matchesWithin(span, { count, most }), isCut: false }
    const newest = matchesWithin({ first: between + 1, last: all.last }, { count, most })
    if (newest.total >= enough) return { ...newest, isCut: newest.total < most }
    yield
    const older = matchesWithin({ first: all.first, last: between }, { count, most: enough - newest.total })
    const total = newest.total + older.total
    return { ids: [...newest.ids, ...older.ids].slice(0, count), total, isCut: total === enough }
  }

  return {
    /** The matches that were stored last. That is fast and approximately the newest. */
    latest,
    /** The newest matches by their own time. */
    *newest({ count, ...rest }: Wanted): Steps<Some> {
      const ids = yield* newest(count)
      if (ids.length < count) return { ids, total: ids.length, isCut: false }
      return { ...(yield* latest({ count: 0, ...rest })), ids }
    },
  }
}

/** The ids of all messages. Two queries, because SQLite looks up one end at a time and scans for both. */
function wholeOf(database: DatabaseSync): Span {
  const { first, last } = prepared(
    database,
    'SELECT (SELECT min(id) FROM message) AS first, (SELECT max(id) FROM message) AS last',
  ).get()!
  return { first: Number(first), last: Number(last) }
}

/** Conditions in addition to the expression. */
interface Closer {
  joined?: boolean
  after?: number
  within?: Span
}

function both(one: Span | undefined, other: Span | undefined): Span | undefined {
  if (!one || !other) return other
  const span = { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) }
  return span.first <= span.last ? span : undefined
}

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
  if (isShort(text) && !prefix)
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

/** Whether a term has one or two letters, and is no Chinese character, of which one is enough. */
export const isShort = (text: string): boolean =>
  text.length <= 4 && /^[\p{L}\p{N}]{1,2}$/u.test(text) && !endsOpen(tokensOf(text))

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
