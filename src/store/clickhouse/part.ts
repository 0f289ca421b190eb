import { type Raw, raw, sql } from './connection/literal.ts'
import { type Scope, shown } from './scope.ts'

/** Some sessions of a team store. What is not given does not matter. */
export interface StorePart {
  /** The beginnings of their ids. Also those that they started or ran through, whatever their ids are. */
  ids?: readonly string[]
  /** The name of their machine, and of their person, or a part of a name if it is no whole one. */
  device?: string
  person?: string
  /** Active since, in ms. */
  sinceMs?: number
}

/** The condition for the files of a part, for a statement over `artifact`. */
export function inPart(scope: Scope, { ids, device, person, sinceMs }: StorePart): Raw {
  const conditions = [
    ...(device === undefined ? [] : [isNamed('device', device)]),
    ...(person === undefined ? [] : [isNamed('person', person)]),
    ...(ids === undefined ? [] : [sql`session IN ${[...familyOf(scope, ids)]}`]),
    ...(sinceMs === undefined ? [] : [sql`${LAST} >= ${sinceMs}`]),
  ]
  return raw(conditions.length === 0 ? '1' : conditions.join(' AND '))
}

function isNamed(column: 'device' | 'person', name: string): string {
  const [own, wanted] = [raw(`lowerUTF8(${column})`), name.toLowerCase()]
  return sql`(${own} = ${wanted} OR (${wanted} NOT IN (SELECT ${own} FROM artifact) AND position(${own}, ${wanted}) > 0))`
}

/** When a session was last active. If no item has a time, the time of its file. */
const LAST = raw(
  `coalesce(JSONExtract(row, 'lastActivityMs', 'Nullable(Float64)'), JSONExtract(row, 'modifiedMs', 'Float64'))`,
)

/** The ids of the sessions that begin so, and of those that they started or ran through. */
function familyOf(scope: Scope, beginnings: readonly string[]): Set<string> {
  const family = new Set<string>()
  const begins = beginnings.flatMap((id) => [id, `agent-${id}`]).map((id) => sql`startsWith(session, ${id})`)
  for (let where = begins.join(' OR '), before = -1; before < family.size && where !== ''; ) {
    before = family.size
    const found = scope.connection.select<[string, string[]]>(
      `SELECT session, JSONExtract(facts, 'entry', 'runtimeSessions', 'Array(String)') FROM artifact FINAL
        WHERE session <> '' AND ${shown(scope).sql} AND (${where})`,
    )
    for (const [session, through] of found) for (const id of [session, ...through]) family.add(id)
    where = family.size === 0 ? '' : sql`session IN ${[...family]} OR parent IN ${[...family]}`
  }
  return family
}
