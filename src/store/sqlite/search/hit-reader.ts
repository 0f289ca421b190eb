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
  coalesce(a.gone, iif(o.generation < a.generation, a.modified, NULL)) AS gone`
const REST = 'LEFT JOIN tool t ON t.id = m.tool LEFT JOIN session s ON s.artifact = a.id'

/**
 * Loads a message at its best occurrence: in a requested file that still exists, otherwise at its first
 * occurrence.
 */
export function createHitReader(database: DatabaseSync, { shown, hidden }: Restriction) {
  const first = prepared(
    database,
    `${OCCURRENCE} FROM message m JOIN artifact a ON a.id = m.artifact
    JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation AND o.line = m.line AND o.message = m.id
    ${REST} WHERE m.id = ? LIMIT 1`,
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

  return (id: number): Omit<SearchHit, 'score'> | undefined => {
    const own = (first.get(id) ?? former.get(id)) as unknown as Occurrence | undefined
    const others = copies.all(id) as unknown as Occurrence[]
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
