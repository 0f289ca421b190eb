import type { Session } from '../../../model/session.ts'
import { joinCutPart } from '../../cut-session.ts'
import type { StoredMessage } from '../../stored.ts'
import { raw, sql } from '../connection/literal.ts'
import { ITEM_COLUMNS, type ItemValues, storedMessage } from '../items.ts'
import type { Scope } from '../scope.ts'
import { cutsOf, UNDECIDED } from '../write/file-rows.ts'
import type { FileAt } from './file-at.ts'

/** The items that the client has cut off a file since they were indexed. */
export function cutMessagesOf(
  { connection }: Scope,
  { id, version, cuts }: Omit<FileAt, 'generation'>,
): StoredMessage[] {
  const decided = cutsOf({ cuts }).filter(({ line }) => line !== UNDECIDED)
  if (decided.length === 0) return []
  const parts = decided.map(
    ({ generation, line }) => sql`(i.generation = ${generation} AND i.line < ${line})`,
  )
  return connection
    .select<ItemValues>(sql`SELECT ${raw(ITEM_COLUMNS)} FROM item AS i FINAL
      PREWHERE i.artifact = ${id} WHERE i.version <= ${version} AND (${raw(parts.join(' OR '))})
      ORDER BY i.generation, i.line, i.place`)
    .map((values) => ({ ...storedMessage(values), cut: true }))
}

/** The session of a file, extended by what was cut off. */
export function withCutPart(scope: Scope, session: Session, file: Omit<FileAt, 'generation'>): Session {
  const items = cutMessagesOf(scope, file)
  if (items.length === 0) return session
  const usages = scope.connection.select<
    [number, number, number, number, number, number | null, number]
  >(sql`SELECT input, output, cacheRead, cacheWrite, cacheWriteHour, cost, reply > 0 FROM usage FINAL
    WHERE artifact = ${file.id} AND cut = 1 ORDER BY reply`)
  return joinCutPart(
    session,
    partOf(items),
    usages.map(([input, output, cacheRead, cacheWrite, cacheWriteHour, cost, ofReply]) => ({
      ...{ input, output, cacheRead, cacheWrite, cacheWriteHour, cost, ofReply },
    })),
  )
}

function partOf(items: readonly StoredMessage[]): Parameters<typeof joinCutPart>[1] {
  const counts = Map.groupBy(items, ({ who }) => who)
  const texts = items.flatMap(({ who, text }) => (who === 'human' && text !== undefined ? [text] : []))
  return {
    counts: Array.from(counts, ([who, each]) => {
      const times = each.flatMap(({ at = 0 }) => (at > 0 ? [at] : [])).sort((a, b) => a - b)
      return {
        who,
        count: each.length,
        possible: each.filter(({ sure }) => sure === false).length,
        ...{ first: times[0] ?? null, last: times.at(-1) ?? null },
      }
    }),
    firstHuman: texts[0],
    lastHuman: texts,
  }
}
