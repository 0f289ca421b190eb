import type { Who } from '../../../model/session.ts'
import { raw, sql } from '../connection/literal.ts'
import { messageNumber } from '../items.ts'
import { OLDEST, type Scope, shown } from '../scope.ts'
import type { Restriction } from './restrict.ts'

/** A message that matches. */
export interface Candidate {
  record: number
  digest: number
  /** The number of the message in answers. */
  message: number
  who: Who
}

/** Columns of the messages that conditions refer to. */
const OWNER = `argMin(i.artifact, ${OLDEST.sql})`

/** The newest messages that match a condition on words, within the filters of a request. */
export function candidates(
  scope: Scope,
  words: string,
  { rows, messages, empty }: Restriction,
  most: number,
): Candidate[] {
  if (empty) return []
  const having = messages.length === 0 ? '' : `HAVING ${messages.join(' AND ')}`
  return scope.connection
    .select<[number, number, Who]>(
      sql`SELECT i.record, i.digest, min(i.who) AS speaker, ${raw(OWNER)} AS owner
        FROM (SELECT * FROM item AS i FINAL WHERE ${raw([words, ...rows].join(' AND '))}) AS i
        INNER JOIN (SELECT id, version, since FROM artifact FINAL WHERE ${shown(scope)}) AS a ON a.id = i.artifact
        WHERE i.version <= a.version GROUP BY i.record, i.digest ${raw(having)}
        ORDER BY max(ifNull(i.at, 0)) DESC, i.record, i.digest LIMIT ${most}`,
    )
    .map(([record, digest, who]) => ({ record, digest, message: messageNumber(record, digest), who }))
}
