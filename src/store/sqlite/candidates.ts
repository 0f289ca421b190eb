import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { DAY, type Span, spanOf } from './calendar.ts'
import { EVERYTHING } from './expression.ts'
import type { Restriction } from './restrict.ts'

/** Looking for the newest begins with so many days, and goes on with so many times as many. */
const DAYS = 4
const MORE = 8

/** The messages that match, by their numbers. */
export interface Candidates {
  /** Those that were stored last: about the newest, and found at once. */
  latest(count: number): number[]
  /** The newest, by the time that stands in them. */
  newest(count: number): number[]
  /** How many there are, as far as `most`. */
  count(most: number): number
}

/** An expression of the index within the limits of a request. */
export function createCandidates(
  database: DatabaseSync,
  expression: string,
  { expressions, denied, conditions, values, span }: Restriction,
): Candidates {
  const wanted = [expression, ...expressions].filter((each) => each !== EVERYTHING)
  const all = wanted.map((each) => `(${each})`).join(' AND ')
  const match = denied.length === 0 ? all : `(${all || EVERYTHING}) NOT (${denied.join(' OR ')})`
  // Without anything to look up the messages themselves are gone through.
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

  function ids(order: string, count: number, closer?: Closer): number[] {
    const { sql, given } = body(closer)
    const rows = database.prepare(`SELECT ${id} AS id ${sql} ORDER BY ${order} LIMIT ?`).all(...given, count)
    return rows.map((row) => Number(row.id))
  }

  return {
    latest: (count) => ids(`${id} DESC`, count),
    newest(count) {
      const { first, last } = database.prepare('SELECT min(day) AS first, max(day) AS last FROM day').get()!
      const order = 'm.at DESC, m.id DESC'
      for (let days = DAYS; first !== null && days <= Number(last) - Number(first); days *= MORE) {
        const after = (Number(last) + 1 - days) * DAY
        const within = both(span, spanOf(database, after, Number.POSITIVE_INFINITY))
        const found = within ? ids(order, count, { after, within }) : []
        if (found.length === count) return found
      }
      return ids(order, count, { joined: true })
    },
    count(most) {
      const { sql, given } = body()
      return Number(
        database.prepare(`SELECT count(*) AS total FROM (SELECT 1 ${sql} LIMIT ?)`).get(...given, most)!
          .total,
      )
    },
  }
}

/** What is looked at besides what matches. */
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
