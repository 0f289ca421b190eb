import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Steps } from '../../../model/steps.ts'
import { DAY, dayOf, type Span, spanOf } from '../figures/calendar.ts'
import { EVERYTHING } from './expression.ts'
import { prepared } from './prepared.ts'
import type { Restriction } from './restriction.ts'

/** The search for the newest messages begins with this many days and multiplies them in each round. */
const DAYS = 4
const MORE = 8

/** Messages checked per step. */
const STEP = 100
/** With enough matches to rank, further ones are only counted, and not after this many checks. */
const CHECKED = 5000

/** Ids of matching messages, and the number of matches, counted up to the requested limit. */
interface Some {
  ids: number[]
  total: number
  /** Counting ended before the limit, because each message has to be checked. */
  more?: true
}

export interface Candidates {
  /**
   * The `count` matches that were stored last. That is fast and approximately the newest. Counts up to
   * `most`.
   */
  latest(count: number, most?: number): Steps<Some>
  /** The newest matches by their own time. */
  newest(count: number, most: number): Steps<Some>
}

/** Runs an index expression within the limits of a request. */
export function createCandidates(
  database: DatabaseSync,
  expression: string,
  { expressions, denied, conditions, values, holds, span, before = Number.POSITIVE_INFINITY }: Restriction,
): Candidates {
  const wanted = [expression, ...expressions].filter((each) => each !== EVERYTHING)
  const all = wanted.map((each) => `(${each})`).join(' AND ')
  const match = denied.length === 0 ? all : `(${all || EVERYTHING}) NOT (${denied.join(' OR ')})`
  // Without an expression, all messages are scanned.
  const id = match === '' ? 'm.id' : 'spoken.rowid'

  function body({ joined, after, within = span }: Closer = {}): { sql: string; given: SQLInputValue[] } {
    const tests: [test: string, ...given: SQLInputValue[]][] = []
    if (match !== '') tests.push(['spoken MATCH ?', match])
    if (within) tests.push([`${id} BETWEEN ? AND ?`, within.first, within.last])
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

  function* latest(count: number, most = count): Steps<Some> {
    if (holds) {
      const ids: number[] = []
      let total = 0
      let steps = 0
      for (const match of checked({})) {
        if (!match) {
          if (++steps * STEP >= CHECKED && total > 0 && total >= count) return { ids, total, more: true }
          yield
        } else if (total++ < count) ids.push(match.id)
        if (total === most) break
      }
      return { ids, total }
    }
    yield
    const { sql, given } = body()
    // One aggregated row is cheaper than one row per match.
    const { ids, total } = prepared(
      database,
      `SELECT count(*) AS total, group_concat(id) AS ids FROM
      (SELECT ${id} AS id ${sql} ORDER BY ${id} DESC LIMIT ?)`,
    ).get(...given, most)!
    return { ids: ids === null ? [] : String(ids).split(',', count).map(Number), total: Number(total) }
  }

  return {
    latest,
    *newest(count, most) {
      const ids = yield* newest(count)
      return { ids, total: ids.length < count ? ids.length : (yield* latest(0, most)).total }
    },
  }
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
