import type { DatabaseSync } from 'node:sqlite'
import type { SearchHit } from '../../search.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from '../message-columns.ts'
import { prepared } from './prepared.ts'
import type { Restriction } from './restriction.ts'

/** A message at one of its occurrences. */
interface Occurrence extends MessageColumns {
  artifact: number
  path: string
  platform: string
  agent: string
  session: string
  project: string | null
  /** When the file, or the message in it, was found missing. */
  gone: number | null
}

/** The maximum number of copies that are listed. */
const MOST_COPIES = 20

const OCCURRENCE = `SELECT ${MESSAGE_COLUMNS}, o.artifact, a.path, a.platform, a.agent, a.session, s.project,
  coalesce(a.gone, iif(o.generation < a.generation AND NOT EXISTS (SELECT 1 FROM cut c WHERE
    c.artifact = o.artifact AND c.generation = o.generation AND o.line < c.line), a.modified, NULL)) AS gone`
const REST = 'LEFT JOIN tool t ON t.id = m.tool LEFT JOIN session s ON s.artifact = a.id'

/**
 * Loads messages at their best occurrences: in a requested file that still exists, otherwise at the first
 * occurrence.
 */
export function createHitReader(database: DatabaseSync, { shown, hidden }: Restriction) {
  const first = prepared(
    database,
    `${OCCURRENCE} FROM message m JOIN artifact a ON a.id = m.artifact
    JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation AND o.line = m.line AND o.message = m.id
    ${REST} WHERE m.id IN (SELECT value FROM json_each(?))`,
  )
  const copied = prepared(
    database,
    'SELECT DISTINCT message FROM occurrence WHERE copy = 1 AND message IN (SELECT value FROM json_each(?))',
  )
  // A message that its file no longer contains takes longer to find and is rarely requested.
  const former = prepared(
    database,
    `${OCCURRENCE} FROM message m JOIN artifact a ON a.id = m.artifact
    JOIN occurrence o ON o.artifact = a.id AND o.message = m.id AND o.line = m.line
    ${REST} WHERE m.id = ? ORDER BY o.generation DESC LIMIT 1`,
  )
  const copies = prepared(
    database,
    `${OCCURRENCE} FROM occurrence o JOIN message m ON m.id = o.message JOIN artifact a ON a.id = o.artifact
    ${REST} WHERE o.message = ? AND o.copy = 1 ORDER BY a.path, o.generation DESC, o.line LIMIT ${MOST_COPIES}`,
  )
  const isWanted = ({ artifact }: Occurrence): boolean =>
    shown?.has(artifact) !== false && !hidden?.has(artifact)

  return (ids: readonly number[]): ((id: number) => Omit<SearchHit, 'score'> | undefined) => {
    const list = JSON.stringify(ids)
    const firsts = new Map<number, Occurrence>()
    for (const row of first.all(list) as unknown as Occurrence[])
      if (!firsts.has(row.id)) firsts.set(row.id, row)
    const withCopies = new Set(copied.all(list).map(({ message }) => Number(message)))
    return (id) =>
      hitAt(
        firsts.get(id) ?? (former.get(id) as unknown as Occurrence | undefined),
        withCopies.has(id) ? (copies.all(id) as unknown as Occurrence[]) : [],
      )
  }

  function hitAt(
    own: Occurrence | undefined,
    others: readonly Occurrence[],
  ): Omit<SearchHit, 'score'> | undefined {
    const all = (own ? [own, ...others] : others).filter((each) => !hidden?.has(each.artifact))
    const wanted = all.filter(isWanted)
    const best = wanted.find(({ gone }) => gone === null) ?? wanted[0] ?? all[0]
    if (!best) return undefined
    return {
      ...storedMessage(best),
      session: best.session,
      platform: best.platform,
      agent: best.agent,
      project: best.project ?? undefined,
      path: best.path,
      copies: all.flatMap((each) => (each === best ? [] : { path: each.path, line: each.line })),
      ...(best.gone === null ? {} : { goneMs: best.gone }),
    }
  }
}
