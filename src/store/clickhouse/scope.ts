import { GENERATIONS } from '../changes.ts'
import { DEVICE_SEPARATOR } from '../file-copy.ts'
import type { SpaceOptions, StorePart } from '../team.ts'
import type { Connection } from './connection/connection.ts'
import { type Raw, raw, sql } from './connection/literal.ts'

/** A space that is read, and how it is shown. */
export interface Scope {
  connection: Connection
  /** The name of this machine, whose files are shown without it. */
  device: string
  /** Called with the path of a file that a list leaves out, because its row is malformed. */
  leftOut(path: string): void
  /** Names projects by their folders: see `SpaceOptions`. */
  nameProjects: NonNullable<SpaceOptions['nameProjects']>
  /** The condition for files that no other one of the same machine and path has replaced. */
  current(): Raw
  /** What was last known of all files. */
  overview(): Overview
}

/** What questions need to know of all files. */
export interface Overview {
  /** See `Scope.current`. There are hardly ever any, so their ids are part of statements. */
  replaced: readonly number[]
  /** Files in states that are not shown by default, by state. */
  hidden: ReadonlyMap<string, readonly number[]>
  /** Files of which a part was cut off. */
  cut: readonly number[]
  /** How many items there are. */
  items: number
  /** The names of projects by their folders: each machine names those that it has. */
  projects: ReadonlyMap<string, string>
}

/**
 * Reads what concerns all files, in one statement. Of files that a machine has sent again from a new store,
 * under other ids, the one that arrived last counts.
 */
export function overviewOf({
  connection,
  nameProjects,
}: Pick<Scope, 'connection' | 'nameProjects'>): Overview {
  const [[replaced, hidden, cut, items, named, agents] = NOTHING] = connection.select<OverviewValues>(
    sql`SELECT
      (SELECT groupArrayArray(earlier) FROM (
        SELECT arrayPopBack(arrayMap(file -> file.2, arraySort(groupArray((r.at, a.id))))) AS earlier
        FROM (SELECT id, device, path FROM artifact FINAL) AS a
        LEFT JOIN (SELECT artifact, min(at) AS at FROM arrival GROUP BY artifact) AS r ON r.artifact = a.id
        GROUP BY a.device, a.path HAVING count() > 1)),
      (SELECT groupArray((state, ids)) FROM (
        SELECT state, groupArray(id) AS ids FROM artifact FINAL WHERE state IN ${HIDDEN} GROUP BY state)),
      (SELECT groupArray(id) FROM artifact FINAL WHERE cuts <> ''), toFloat64((SELECT count() FROM item)),
      (SELECT groupUniqArray((assumeNotNull(folder), assumeNotNull(project))) FROM artifact FINAL
        WHERE isNotNull(folder) AND isNotNull(project)),
      (SELECT groupUniqArray(agent) FROM artifact FINAL WHERE row <> '')`,
  )
  const folders = named.map(([folder, name]) => ({ folder, name }))
  const projects = nameProjects(folders, new Set(agents))
  return { replaced, hidden: new Map(hidden), cut, items, projects }
}

type OverviewValues = [
  replaced: number[],
  hidden: [state: string, ids: number[]][],
  cut: number[],
  items: number,
  named: [folder: string, name: string][],
  agents: string[],
]

const NOTHING: OverviewValues = [[], [], [], 0, [], []]

/** The name of a project in the space. */
export const shownProject = (
  scope: Pick<Scope, 'overview'>,
  name: string | null,
  folder: string | null,
): string | undefined =>
  (folder === null ? undefined : scope.overview().projects.get(folder)) ?? name ?? undefined

/** The states of files that are not shown by default. */
const HIDDEN = ['deleted', 'backup'] as const

export const currentFiles = ({ replaced }: Overview): Raw =>
  raw(replaced.length === 0 ? '1' : sql`id NOT IN ${replaced}`)

/** A path as this store shows it: on other devices with the name of the device before it. */
export const shownPath = (scope: Pick<Scope, 'device'>, device: string, path: string): string =>
  device === scope.device ? path : `${device}${DEVICE_SEPARATOR}${path}`

/** The condition for files at these shown paths. */
export function atPaths(scope: Scope, paths: readonly string[]): Raw {
  const own = sql`(device = ${scope.device} AND path IN ${paths})`
  const others = paths.flatMap((path) => {
    const at = path.indexOf(DEVICE_SEPARATOR)
    return at < 0 ? [] : sql`(device = ${path.slice(0, at)} AND path = ${path.slice(at + 1)})`
  })
  return raw(`${scope.current().sql} AND (${[own, ...others].join(' OR ')})`)
}

/**
 * The files of a space as the table `a` of a statement, with some columns of `artifact` and with `age`, which
 * orders files: a message belongs to the first one that has it. That is no fork if another file has the
 * message, and the one that was announced first. `age` is one number, because the engine compares tuples four
 * times as slowly. A file whose arrival is not known is the last one. With `ids`, only these files.
 */
export function filesOf(scope: Scope, columns: string, ids?: readonly number[]): Raw {
  const [files, arrivals] = ['id', 'artifact'].map((id) => raw(ids ? sql`${raw(id)} IN ${ids}` : '1'))
  return raw(sql`(SELECT ${raw(columns.replaceAll(/\w+/g, 'f.$& AS $&'))},
      bitShiftLeft(toUInt128(f.rank), 117)
        + bitShiftLeft(toUInt128(if(r.at > 0, r.at, ${Number.MAX_SAFE_INTEGER})), 53) + toUInt64(f.id) AS age
    FROM (SELECT ${raw(columns)}, id, rank FROM artifact FINAL WHERE ${scope.current()} AND ${files!}) AS f
    LEFT JOIN (SELECT artifact, toUnixTimestamp64Micro(min(at)) AS at FROM arrival WHERE ${arrivals!} GROUP BY artifact) AS r
      ON r.artifact = f.id) AS a`)
}

/**
 * Who said a message with items `i` in files `a`. A human message stays one, even if the file that it belongs
 * to has it as a program's.
 */
export const SPEAKER = raw(
  `if(argMin(i.who, a.age) = 'program' AND min(i.who) = 'human', 'human', argMin(i.who, a.age))`,
)

/** Whether an item `i` of the file `a` was sent by the store that sent the file, not by an earlier one. */
export const IS_OF_STORE = raw(
  sql`intDiv(i.generation, ${GENERATIONS}) = intDiv(a.generation, ${GENERATIONS})`,
)

const IN_CUT_PART = `arrayExists(c -> c.1 = i.generation AND (i.line < c.2 OR (c.2 < 0 AND i.line >= -c.2)),
  JSONExtract(a.cuts, 'Array(Tuple(generation Int64, line Int64))'))`

/** Whether an item \`i\` is neither in the file \`a\` any more nor in a part that the client has cut off. */
export const IS_REMOVED = raw(`(i.generation < a.generation AND NOT ${IN_CUT_PART})`)

/** Whether an item counts: it was not removed. Until a file is read again to its end, nothing of it was. */
export const IS_THERE = raw(`(i.generation >= a.settled OR ${IN_CUT_PART})`)

/** The condition for the files of a part, for a statement over `artifact`. */
export function inPart(scope: Scope, { ids, device, person, sinceMs }: StorePart): Raw {
  const conditions = [
    scope.current().sql,
    ...(device === undefined ? [] : [isNamed('device', device)]),
    ...(person === undefined ? [] : [isNamed('person', person)]),
    ...(ids === undefined ? [] : [sql`session IN ${[...familyOf(scope, ids)]}`]),
    ...(sinceMs === undefined ? [] : [sql`${LAST} >= ${sinceMs}`]),
  ]
  return raw(conditions.join(' AND '))
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
function familyOf({ connection, current }: Scope, beginnings: readonly string[]): Set<string> {
  const family = new Set<string>()
  const begins = beginnings.flatMap((id) => [id, `agent-${id}`]).map((id) => sql`startsWith(session, ${id})`)
  for (let where = begins.join(' OR '), before = -1; before < family.size && where !== ''; ) {
    before = family.size
    const found = connection.select<[string, string[]]>(
      sql`SELECT session, JSONExtract(facts, 'entry', 'runtimeSessions', 'Array(String)') FROM artifact FINAL
        WHERE session <> '' AND ${current()} AND (${raw(where)})`,
    )
    for (const [session, through] of found) for (const id of [session, ...through]) family.add(id)
    where = family.size === 0 ? '' : sql`session IN ${[...family]} OR parent IN ${[...family]}`
  }
  return family
}

/** The names of tools that are chosen, of all that were called. */
export const toolsOf = (
  { connection }: Scope,
  choose: (names: readonly string[]) => readonly string[],
): readonly string[] =>
  choose(
    connection
      .select<[string]>('SELECT DISTINCT tool FROM item WHERE tool IS NOT NULL')
      .map(([name]) => name),
  )
