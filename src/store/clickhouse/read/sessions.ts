import type { Artifact } from '../../../model/artifact.ts'
import type { AssignedFacts } from '../../../model/project.ts'
import type { Session } from '../../../model/session.ts'
import type { Known } from '../../increment.ts'
import type { SessionsBefore, StoredDocument, StoredSession, StoreStatistics } from '../../stored.ts'
import type { StorePart } from '../../team.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { atPaths, inPart, type Scope, shown, shownPath } from '../scope.ts'
import { checkpointOf, FILE_COLUMNS, fileOf, versionsOf } from '../write/files.ts'
import { withCutPart } from './messages.ts'
import { artifactIn, MOST, sessionIn, timeIn } from './well-formed.ts'

type SessionValues = [
  id: number,
  version: number,
  device: string,
  person: string,
  root: string,
  gone: number | null,
  cuts: string,
  row: string,
  project: string | null,
  folder: string | null,
  path: string,
]

/** The lines that a memory document may have. */
const MOST_LINES = 10_000_000

/** A count of a session, of which a machine could say anything. */
const counted = (name: string): Raw => raw(sql`greatest(0, least(JSONExtractInt(row, ${name}), ${MOST}))`)

/** With more changed files, all of them are read again in one statement. */
const FEW = 2000

/** Reads files and their sessions, all of them or those of a part. */
export function createSessions(scope: Scope, part: StorePart = {}) {
  const { connection, device, leftOut } = scope
  const listed = raw(sql`${shown(scope)} AND ${inPart(scope, part)}`)

  function sessions(
    roots?: readonly string[],
    paths?: readonly string[],
    before?: SessionsBefore,
  ): StoredSession[] {
    const rows = before && !paths ? withRowsBefore(before) : selectSessions('a.row', paths)
    return rows.flatMap(({ session, values: [id, version, owner, , root, gone, cuts, , project, folder] }) =>
      roots && !roots.includes(shownPath(scope, owner, root))
        ? []
        : {
            session: cuts === '' ? session : withCutPart(scope, session, { id, version, cuts }),
            goneMs: timeIn(gone),
            project: project ?? undefined,
            folder: folder ?? undefined,
          },
    )
  }

  const select = (row: string, condition: Raw): SessionValues[] =>
    connection.select<SessionValues>(
      sql`SELECT a.id, a.version, a.device, a.person, a.root, a.gone, a.cuts, ${raw(row)}, p.name, p.folder, a.path
        FROM artifact AS a FINAL LEFT JOIN (SELECT artifact, name, folder FROM project FINAL) AS p ON p.artifact = a.id
        WHERE notEmpty(a.row) AND ${listed} AND ${condition} ORDER BY a.id`,
    )

  function selectSessions(row: string, paths: readonly string[] | undefined) {
    return select(row, paths ? atPaths(scope, paths) : raw('1')).flatMap((values) => {
      const session = shownSession(values)
      return session ? { values, session } : []
    })
  }

  /** All sessions. Only the rows of those that have changed are read. */
  function withRowsBefore(before: SessionsBefore) {
    const all = select(before.size === 0 ? 'a.row' : "''", raw('1'))
    const stampOf = ([, version, , , root]: SessionValues): string => `${version} ${root}`
    const changed = all.filter((values) => before.get(values[0])?.stamp !== stampOf(values))
    const ids = changed.map(([id]) => id)
    const fresh =
      before.size === 0 || ids.length === 0
        ? changed
        : select('a.row', ids.length > FEW ? raw('1') : raw(sql`a.id IN ${ids}`))
    for (const values of fresh) {
      const session = shownSession(values)
      if (session) before.set(values[0], { stamp: stampOf(values), session })
      else before.delete(values[0])
    }
    return all.flatMap((values) => {
      const session = before.get(values[0])?.session
      return session ? { values, session } : []
    })
  }

  /** The session as this store shows it. Undefined if its row is malformed. */
  function shownSession([, , owner, person, , , , row, , , path]: SessionValues): Session | undefined {
    const session = sessionIn(row)
    if (!session) {
      leftOut(shownPath(scope, owner, path))
      return undefined
    }
    if (scope.everyone) Object.assign(session, { device: owner, person })
    if (owner !== device) {
      session.path = shownPath(scope, owner, session.path)
      session.root = shownPath(scope, owner, session.root)
    }
    return session
  }

  /** The file as this store shows it. Undefined if its row is malformed. */
  function shownArtifact(owner: string, facts: string, path: string): Artifact | undefined {
    const artifact = artifactIn(facts)
    if (!artifact) leftOut(shownPath(scope, owner, path))
    if (owner === device || !artifact) return artifact
    return {
      ...artifact,
      path: shownPath(scope, owner, artifact.path),
      root: shownPath(scope, owner, artifact.root),
    }
  }

  /** Files that fulfil a condition. */
  function knownWhere(condition: Raw): Known[] {
    const columns = FILE_COLUMNS.map((name) => (name === 'row' ? "''" : name)).join(', ')
    return connection
      .select(sql`SELECT ${raw(columns)} FROM artifact FINAL WHERE ${listed} AND ${condition} ORDER BY id`)
      .flatMap((values) => {
        const file = fileOf(values as never)
        const { id, revision, facts, gone } = file
        const artifact = shownArtifact(file.device, facts, file.path)
        if (!artifact) return []
        return {
          id,
          revision,
          artifact,
          goneMs: timeIn(gone),
          ...(scope.everyone ? { device: file.device, person: file.person } : {}),
          checkpoint: checkpointOf(file),
        }
      })
  }

  /** What an interrupted batch changed of earlier lines is unknown. */
  const isIntact = (id: number): boolean =>
    connection.select<[number]>(
      sql`SELECT 1 FROM artifact FINAL WHERE id = ${id}
        AND version >= (SELECT max(version) FROM item WHERE artifact = ${id})`,
    ).length > 0

  /** All files. Only those that have changed are read. */
  function knownAll(before: Map<number, Known>): Known[] {
    const all = connection.select<[number, number, number, number, string, string]>(
      sql`SELECT id, revision, size, modified, device, path FROM artifact FINAL WHERE ${listed} ORDER BY id`,
    )
    const changed = all.flatMap(([id, revision, size, modified, owner, path]) => {
      const known = before.get(id)
      const isSame =
        known?.revision === revision &&
        known.checkpoint.size === size &&
        known.checkpoint.modifiedMs === modified &&
        known.artifact.path === shownPath(scope, owner, path)
      return isSame ? [] : [id]
    })
    const isFew = changed.length <= FEW
    if (changed.length > 0)
      for (const known of knownWhere(isFew ? raw(sql`id IN ${changed}`) : raw('1')))
        before.set(known.id, known)
    return all.flatMap(([id]) => before.get(id) ?? [])
  }

  return {
    sessions,
    known: (before?: Map<number, Known>): Map<string, Known> =>
      new Map(
        (before ? knownAll(before) : knownWhere(raw('1'))).map(
          (known) => [known.artifact.path, known] as const,
        ),
      ),
    knownFile: (file: { id: number } | { path: string }): Known | undefined =>
      knownWhere('id' in file ? raw(sql`id = ${file.id}`) : atPaths(scope, [file.path]))[0],
    isIntact,
    pathsOf: (id: string): string[] =>
      connection
        .select<[string, string]>(
          sql`SELECT device, path FROM artifact FINAL
            WHERE row <> '' AND startsWith(session, ${id}) AND ${shown(scope)} ORDER BY path, id`,
        )
        .map(([owner, path]) => shownPath(scope, owner, path)),
    projectFacts: (): AssignedFacts[] =>
      connection
        .select<[number, string, string | null, string | null]>(
          sql`SELECT a.id, a.row, p.name, p.folder FROM artifact AS a FINAL
            LEFT JOIN (SELECT artifact, name, folder FROM project FINAL) AS p ON p.artifact = a.id
            WHERE a.row <> '' AND a.device = ${device} ORDER BY a.id`,
        )
        .flatMap(([artifact, row, name, folder]) => {
          const session = sessionIn(row)
          if (!session) return []
          const { id, platform, agent, slug, parentSessionId, cwds, touched, origins, ...times } = session
          return {
            artifact,
            id,
            platform,
            agent,
            slug,
            parentSessionId,
            cwds,
            touched,
            origins,
            startedMs: times.startedMs,
            lastActivityMs: times.lastActivityMs,
            assigned: name === null || folder === null ? undefined : { name, path: folder },
          }
        }),
    // All sessions are read each time.
    unassigned: (): undefined => undefined,
    projectWith: (): undefined => undefined,
    documents: (): StoredDocument[] =>
      connection
        .select<[number, string, string, string, number | null, string]>(
          sql`SELECT id, device, path, facts, gone, versions FROM artifact FINAL
            WHERE versions <> '' AND ${shown(scope)} ORDER BY path, id`,
        )
        .flatMap(([id, owner, path, facts, gone, versions]) => {
          const artifact = shownArtifact(owner, facts, path)
          return artifact ? { id, artifact, goneMs: timeIn(gone), versions: versionsOf({ versions }) } : []
        }),
    documentText(id: number, version: number): string {
      const lines: string[] = []
      for (const [line, text] of connection.select<[number, string | null]>(
        sql`SELECT line, text FROM item FINAL PREWHERE artifact = ${id} AND generation = ${version}
          WHERE line <= ${MOST_LINES} ORDER BY line, place`,
      )) {
        while (lines.length < line - 1) lines.push('')
        for (const each of String(text).split('\n')) lines.push(each)
      }
      return lines.join('\n')
    },
    searchable(roots: readonly string[]): { sessions: number; messages: number; calls: number } {
      const counts = { sessions: 0, messages: 0, calls: 0 }
      for (const [owner, root, sessions, messages, calls] of connection.select<
        [string, string, number, number, number]
      >(sql`SELECT device, root, count(), sum(${counted('human')} + ${counted('agentMessages')}),
        sum(${counted('toolCalls')}) FROM artifact FINAL WHERE row <> '' AND ${shown(scope)}
        GROUP BY device, root`)) {
        if (!roots.includes(shownPath(scope, owner, root))) continue
        counts.sessions += sessions
        counts.messages += messages
        counts.calls += calls
      }
      return counts
    },
    statistics(): StoreStatistics {
      const [[artifacts, gone, transcriptBytes] = [0, 0, 0]] = connection.select<[number, number, number]>(
        sql`SELECT countIf(row <> ''), countIf(gone IS NOT NULL), sumIf(size, gone IS NULL AND size BETWEEN 0 AND ${MOST}) FROM artifact FINAL
          WHERE ${shown(scope)}`,
      )
      const [[messages, occurrences] = [0, 0]] = connection.select<[number, number]>(
        sql`SELECT uniqExact(i.record, i.digest), count() FROM item AS i FINAL
          INNER JOIN (SELECT id, version FROM artifact FINAL WHERE ${shown(scope)}) AS a ON a.id = i.artifact
          WHERE i.version <= a.version`,
      )
      const [[storeBytes] = [0]] = connection.select<[number]>(
        sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE database = ${connection.database} AND active`,
      )
      return { artifacts, gone, messages, occurrences, transcriptBytes, storeBytes }
    },
  }
}
