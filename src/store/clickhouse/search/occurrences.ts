import type { SearchHit } from '../../search.ts'
import type { StoredMessage } from '../../stored.ts'
import { raw, sql } from '../connection/literal.ts'
import { ITEM_COLUMNS, type ItemValues, storedMessage } from '../items.ts'
import { timeIn } from '../read/well-formed.ts'
import { filesOf, IS_REMOVED, type Scope, shownPath } from '../scope.ts'
import type { Candidate } from './candidates.ts'
import { itemsAt } from './items-at.ts'
import { COMPLETED, type Replaced } from './newest-items.ts'
import type { Restriction } from './restrict.ts'

/** A message at one of its positions. */
export interface Occurrence extends StoredMessage {
  artifact: number
  path: string
  platform: string
  agent: string
  session: string
  project: string | null
  generation: number
  /** When the file, or the message in it, was found missing. */
  gone: number | null
}

/** The maximum number of copies that are listed. */
const MOST_COPIES = 20

type OccurrenceValues = [
  ...[artifact: number, device: string, path: string, platform: string, agent: string, session: string],
  ...[project: string | null, generation: number, gone: number | null],
  ...ItemValues,
]

/** The columns that `storedMessage` needs, and those that tell whether a row counts. */
const COLUMNS = `${ITEM_COLUMNS}, i.artifact, i.generation, i.version`.replaceAll(/i\.(\w+)/g, 'i.$1 AS $1')

/**
 * All positions of some messages, by the number of the message. Those in the file that it belongs to are
 * first.
 */
export function occurrencesOf(
  scope: Scope,
  messages: readonly Candidate[],
  replaced: Replaced,
): Map<number, Occurrence[]> {
  const files = [...new Set(messages.flatMap(({ keys }) => keys.map(({ artifact }) => artifact)))]
  const rows = scope.connection.select<OccurrenceValues>(
    sql`SELECT i.artifact, a.device, a.path, a.platform, a.agent, a.session, p.name, i.generation,
      coalesce(a.gone, if(${IS_REMOVED}, a.modified, NULL)), ${raw(ITEM_COLUMNS)}
      FROM (${itemsAt(
        replaced,
        COLUMNS,
        messages.flatMap(({ keys, ...message }) => keys.map((key) => ({ ...message, key }))),
      )}) AS i
      INNER JOIN ${filesOf(
        scope,
        'id, version, device, path, platform, agent, session, gone, generation, cuts, modified',
        raw(sql`id IN ${files}`),
      )} ON a.id = i.artifact
      LEFT JOIN (SELECT artifact, name FROM project FINAL WHERE artifact IN ${files}) AS p ON p.artifact = i.artifact
      WHERE ${COMPLETED} ORDER BY a.age, i.generation, i.line, i.place`,
  )
  const found = new Map<number, Occurrence[]>()
  for (const [
    artifact,
    device,
    path,
    platform,
    agent,
    session,
    project,
    generation,
    gone,
    ...values
  ] of rows) {
    const message = storedMessage(values as unknown as ItemValues)
    let all = found.get(message.message)
    if (!all) {
      all = []
      found.set(message.message, all)
    }
    all.push({
      ...message,
      ...{
        artifact,
        path: shownPath(scope, device, path),
        platform,
        agent,
        session,
        project,
        generation,
        gone: gone === null ? null : (timeIn(gone) ?? 0),
      },
    })
  }
  return found
}

/** A message at its best position: in a requested file that still exists, otherwise at its first one. */
export function hitOf(
  occurrences: readonly Occurrence[],
  { shown: wantedFiles, hidden }: Restriction,
): Omit<SearchHit, 'score'> | undefined {
  const [own, ...others] = occurrences
  if (!own) return undefined
  others.sort((one, other) =>
    one.path === other.path
      ? other.generation - one.generation || one.line - other.line
      : one.path < other.path
        ? -1
        : 1,
  )
  const all = [own, ...others.slice(0, MOST_COPIES)].filter(({ artifact }) => !hidden?.has(artifact))
  const wanted = all.filter(({ artifact }) => wantedFiles?.has(artifact) !== false)
  const best = wanted.find(({ gone }) => gone === null) ?? wanted[0] ?? all[0]
  if (!best) return undefined
  const { artifact, generation, gone, project, ...message } = best
  return {
    ...message,
    project: project ?? undefined,
    copies: all.flatMap((each) => (each === best ? [] : { path: each.path, line: each.line })),
    ...(gone === null ? {} : { goneMs: gone }),
  }
}
