import { DEVICE_SEPARATOR } from '../file-copy.ts'
import type { StorePart } from '../team.ts'
import type { Connection } from './connection/connection.ts'
import { type Raw, raw, sql } from './connection/literal.ts'

/** Whose store this is, and how it reaches the server. */
export interface Scope {
  connection: Connection
  /** The name of this machine. Everything that is written belongs to it. */
  device: string
  person: string
  /** Read what every device has stored, not only this one. */
  everyone: boolean
  /** Called with the path of a file that a list leaves out, because its row is malformed. */
  leftOut(path: string): void
  /** A random number of this opened store. */
  writer: number
  /** Microseconds since 1970, and more than at the last call. Orders the writes of a device. */
  stamp(): number
}

export function createStamps(): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now() * 1000)
    return last
  }
}

/** The condition for files that this store may show, as a part of a statement over `artifact`. */
export const shown = ({ everyone, device }: Scope): Raw => raw(everyone ? '1' : sql`device = ${device}`)

/** A path as this store shows it: on other devices with the name of the device before it. */
export const shownPath = (scope: Scope, device: string, path: string): string =>
  device === scope.device ? path : `${device}${DEVICE_SEPARATOR}${path}`

/** The condition for files at these shown paths. */
export function atPaths(scope: Scope, paths: readonly string[]): Raw {
  const own = sql`(device = ${scope.device} AND path IN ${paths})`
  if (!scope.everyone) return raw(own)
  const others = paths.flatMap((path) => {
    const at = path.indexOf(DEVICE_SEPARATOR)
    return at < 0 ? [] : sql`(device = ${path.slice(0, at)} AND path = ${path.slice(at + 1)})`
  })
  return raw(`(${[own, ...others].join(' OR ')})`)
}

/**
 * The files that this store may show, as the table `a` of a statement, with some columns of `artifact` and
 * with `age`, which orders files: a message belongs to the first one that has it. That is no fork if another
 * file has the message, and the one that the server got first. `age` is one number, because the engine
 * compares tuples four times as slowly.
 *
 * What a machine says counts for its own files only: a subagent has the rank of its parent on the same
 * machine, and a file whose arrival is not known is the last one.
 */
export const filesOf = (scope: Scope, columns: string, where: Raw = raw('1')): Raw =>
  raw(sql`(SELECT ${raw(columns.replaceAll(/\w+/g, 'f.$& AS $&'))},
      bitShiftLeft(toUInt128(greatest(f.rank, least(p.most, 1))), 117)
        + bitShiftLeft(toUInt128(if(r.at > 0, r.at, ${Number.MAX_SAFE_INTEGER})), 53) + toUInt64(f.id) AS age
    FROM (SELECT ${raw(columns)}, id, device, platform, parent, rank FROM artifact FINAL
      WHERE ${shown(scope)} AND ${where}) AS f
    LEFT JOIN (SELECT artifact, min(at) AS at FROM arrival GROUP BY artifact) AS r ON r.artifact = f.id
    LEFT JOIN (SELECT device, platform, session, max(rank) AS most FROM artifact FINAL WHERE rank > 0
      GROUP BY device, platform, session) AS p
      ON p.device = f.device AND p.platform = f.platform AND p.session = f.parent) AS a`)

/**
 * Who said a message with items `i` in files `a`. A human message stays one, even if the file that it belongs
 * to has it as a program's.
 */
export const SPEAKER = raw(
  `if(argMin(i.who, a.age) = 'program' AND min(i.who) = 'human', 'human', argMin(i.who, a.age))`,
)

const IN_CUT_PART = `arrayExists(c -> c.1 = i.generation AND i.line < c.2,
  JSONExtract(a.cuts, 'Array(Tuple(generation Int64, line Int64))'))`

/** Whether an item \`i\` is neither in the file \`a\` any more nor in a part that the client has cut off. */
export const IS_REMOVED = raw(`(i.generation < a.generation AND NOT ${IN_CUT_PART})`)

/** Whether an item counts: it was not removed. Until a file is read again to its end, nothing of it was. */
export const IS_THERE = raw(`(i.generation >= abs(a.settled) OR ${IN_CUT_PART})`)

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
