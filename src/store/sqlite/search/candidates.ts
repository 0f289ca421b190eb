import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Steps } from '../../../model/iteration.ts'
import { DAY, dayOf, type Span, spanOf } from '../figures/calendar.ts'
import { EVERYTHING } from './expression.ts'
import { prepared } from './prepared.ts'
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

export interface Candidates {
  /** The matches that were stored last. That is fast and approximately the newest. */
  latest(wanted: Wanted): Steps<Some>
  /** The newest matches by their own time. */
  newest(wanted: Wanted): Steps<Some>
}

/** Runs an index expression within the limits of a request. */
export function createCandidates(
  database: DatabaseSync,
  expression: string,
  { expressions, denied, conditions, values, holds, span, before = Number.POSITIVE_INFINITY }: Restriction,
  searched = SEARCHED,
): Candidates {
  const wanted = [expression, ...expressions].filter((each) => each !== EVERYTHING)
  const all = wanted.map((each) => `(${each})`).join(' AND ')
  const match = denied.length === 0 ? all : `(${all || EVERYTHING}) NOT (${denied.join(' OR ')})`
  // For the beginning of a word, FTS5 joins the lists of all such words first, whatever the range.
  const isJoined = match.includes('" *')
  // Without an expression, all messages are scanned.
  const id = match === '' ? 'm.id' : 'spoken.rowid'

  function body({ joined, after, within = span }: Closer = {}): { sql: string; given: SQLInputValue[] } {
    const tests: [test: string, ...given: SQLInputValue[]][] = []
    if (match !== '') tests.push(['spoken MATCH ?', match])
    // Numbers arrive as reals. FTS5 ignores such limits and reads to the end of its lists.
    if (within)
      tests.push([`${id} BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`, within.first, within.last])
    if (after !== undefined) tests.push(['m.at >= ?', after])
    const rows = joined || after !== undefined || conditions.length > 0
    const from = match === '' ? 'message m' : `spoken${rows ? ` CROSS JOIN message m ON m.id = ${id}` : ''}`
    const where = [...tests.map(([test]) => test), ...conditions].join(' AND ')
    return {
      sql: `FROM ${from} WHERE ${where || 'TRUE'}`,
      given: [...tests.flatMap(([, ...given]) => given), ...values],
    }
  }

  /** Checks the text of each match, the last one first. Yields undefined between steps. */
  function* checked(closer: Closer): Generator<{ id: number; at: number } | undefined, void> {
    const { sql, given } = body({ ...closer, joined: true })
    const rows = database.prepare(`SELECT ${id} AS id, m.at, m.text, m.target ${sql} ORDER BY ${id} DESC`)
    rows.setReturnArrays(true)
    let rowCount = 0
    for (const row of rows.iterate(...given)) {
      const [number, at, text, target] = row as unknown as [
        number,
        number | null,
        string | null,
        string | null,
      ]
      if (++rowCount % STEP === 0) yield
      if (holds?.(`${text ?? ''}\n${target ?? ''}`)) yield { id: number, at: at ?? 0 }
    }
  }

  function* byTime(count: number, closer: Closer): Steps<number[]> {
    if (holds) {
      const found: { id: number; at: number }[] = []
      for (const match of checked(closer)) {
        if (match) found.push(match)
        else yield
      }
      return found
        .sort((a, b) => b.at - a.at)
        .slice(0, count)
        .map((each) => each.id)
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
    return { ids: ids === null ? [] : String(ids).split(',', count).map(Number), total: Number(total) }
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
    latest,
    *newest({ count, ...rest }) {
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
