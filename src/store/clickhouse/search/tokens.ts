import { ifAllowed } from '../connection/connection.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'

/** Where a part is in a token. */
export type Where = 'whole' | 'start' | 'end' | 'inside'

/**
 * The tokens of a space that have a part, with the most rows that each may be in. Undefined if there are too
 * many, or if the list of tokens cannot be read. Then the texts have to be.
 */
export type TokensWith = (part: string, where: Where) => ReadonlyMap<string, number> | undefined

/** Nothing is known of the tokens of a space. */
export const UNKNOWN: TokensWith = () => undefined

/** More tokens than these are not listed. */
const MOST = 5000

const FITS: Record<Where, (token: string, part: string) => boolean> = {
  whole: (token, part) => token === part,
  start: (token, part) => token.startsWith(part),
  end: (token, part) => token.endsWith(part),
  inside: (token, part) => token.includes(part),
}

/**
 * The same as a condition on `token`. The engine looks up whole tokens and starts, and reads all for others.
 */
export function fitting(part: string, where: Where): string {
  switch (where) {
    case 'whole':
      return sql`token = ${part}`
    case 'start':
      return sql`startsWith(token, ${part})`
    case 'end':
      return sql`endsWith(token, ${part})`
    case 'inside':
      return sql`position(token, ${part}) > 0`
  }
}

/**
 * The index of tokens of a space as a table. It has every token once in each part of `item`, also those of
 * rows that were replaced since. Readable on one server only.
 */
export const tokenList = ({ connection }: Pick<Scope, 'connection'>): Raw =>
  raw(sql`mergeTreeTextIndex(${connection.database}, 'item', 'item_tokens')`)

/**
 * Does some work that asks for tokens: first to learn which, and again when they were read in one statement.
 * Reading them takes a tenth of the time of reading the texts of messages.
 */
export function withTokens<Result>(scope: Scope, work: (tokens: TokensWith) => Result): Result {
  const wanted = new Set<string>()
  const unknown = work((part, where) => {
    wanted.add(fitting(part, where))
    return undefined
  })
  if (wanted.size === 0) return unknown
  const rows = ifAllowed(() =>
    scope.connection.select<[string, number]>(
      sql`SELECT token, toFloat64(sum(cardinality)) FROM ${tokenList(scope)} WHERE ${raw([...wanted].join(' OR '))}
        GROUP BY token ORDER BY token LIMIT ${MOST + 1}`,
    ),
  )
  return rows === undefined || rows.length > MOST
    ? unknown
    : work((part, where) => new Map(rows.filter(([token]) => FITS[where](token, part))))
}
