import { sql } from '../connection/literal.ts'
import { messageNumber } from '../items.ts'
import { timeIn } from '../read/well-formed.ts'
import { type Scope, shown, shownPath } from '../scope.ts'
import type { Candidate, RowKey } from './candidates.ts'
import { itemsAt } from './items-at.ts'
import { COMPLETED, type Replaced } from './newest-items.ts'

/** What a message is ranked by, in the file that has had it longest. */
interface RankedText {
  /** Of the file. */
  path: string
  text: string
  /** What a tool was called with. */
  target: string | undefined
  /** In ms. */
  at: number | undefined
}

type TextValues = [
  ...[record: number, digest: number, device: string, path: string],
  ...[text: string, target: string | null, at: number | null],
]

const COLUMNS = `i.artifact AS artifact, i.record AS record, i.digest AS digest, i.version AS version, i.at AS at,
  ifNull(i.text, '') AS said, if(isNull(i.tool), NULL, i.target) AS called`

/**
 * The texts of some messages, by the number of the message. Reading few columns of one copy each takes half
 * the time of reading all of them.
 */
export function textsOf(
  scope: Scope,
  messages: readonly Candidate[],
  replaced: Replaced,
): Map<number, RankedText> {
  const owners = [...new Set(messages.map(({ owner }) => owner))]
  const rows = scope.connection.select<TextValues>(
    sql`SELECT i.record, i.digest, a.device, a.path, i.said, i.called, i.at
      FROM (${itemsAt(
        replaced,
        COLUMNS,
        messages.map((message) => ({ ...message, key: firstKey(message) })),
      )}) AS i
      INNER JOIN (SELECT id, version, device, path FROM artifact FINAL WHERE id IN ${owners} AND ${shown(scope)}) AS a
        ON a.id = i.artifact
      WHERE ${COMPLETED}`,
  )
  return new Map(
    rows.map(([record, digest, device, path, text, target, at]) => [
      messageNumber(record, digest),
      { path: shownPath(scope, device, path), text, target: target ?? undefined, at: timeIn(at) },
    ]),
  )
}

/** The first of its keys in the file that has had it longest. */
function firstKey({ owner, keys }: Candidate): RowKey {
  let first: RowKey | undefined
  for (const key of keys)
    if (key.artifact === owner && (first === undefined || isBefore(key, first))) first = key
  return first!
}

const isBefore = (one: RowKey, other: RowKey): boolean =>
  (one.generation - other.generation || one.line - other.line || one.order - other.order) < 0
