import type { Piece } from '../../../search/words.ts'
import { ifAllowed } from '../connection/connection.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'

/** Words of messages with one of some pieces. The index has every word once in each part of the table. */
export function wordsWith(
  { connection }: Pick<Scope, 'connection'>,
  { least, most }: { least: number; most: number },
  pieces: readonly Piece[],
): string[] {
  const some = pieces
    .map(({ text, where }) =>
      where === 'start'
        ? sql`startsWith(token, ${text})`
        : where === 'end'
          ? sql`endsWith(token, ${text})`
          : sql`position(token, ${text}) > 0`,
    )
    .join(' OR ')
  const within = (from: Raw): string[] =>
    connection
      .select<[string]>(
        sql`SELECT DISTINCT token FROM ${from} WHERE lengthUTF8(token) BETWEEN ${least} AND ${most} AND (${raw(some)})`,
      )
      .map(([token]) => token)
  return (
    ifAllowed(() => within(raw(sql`mergeTreeTextIndex(${connection.database}, 'item', 'item_tokens')`))) ?? []
  )
}
