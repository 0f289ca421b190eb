import type { AssignedFacts } from '../../../model/project.ts'
import type { Session } from '../../../model/session.ts'
import { GENERATIONS } from '../../changes.ts'
import type { Known } from '../../increment.ts'
import type { SessionsBefore, StoredDocument, StoredSession, StoreStatistics } from '../../stored.ts'
import type { StorePart } from '../../team.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { atPaths, inPart, type Scope, shownPath, shownProject } from '../scope.ts'
import { checkpointOf, FILE_COLUMNS, fileOf, shownArtifact, versionsOf } from './files.ts'
import { withCutPart } from './messages.ts'
import { MOST, sessionIn, timeIn } from './well-formed.ts'

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
  const { connection, device, leftOut, current } = scope
  const listed = (): Raw => inPart(scope, part)

  function sessions(
    roots?: readonly string[],
    paths?: readonly string[],
    before?: SessionsBefore,
  ): StoredSession[] {
    const rows = before && !paths ? withRowsBefore(before) : selectSessions('row', paths)
    return rows.flatMap(({ session, values: [id, , owner, , root, gone, cuts, , project, folder] }) =>
      roots && !roots.includes(shownPath(scope, owner, root))
        ? []
        : {
            session: cuts === '' ? session : withCutPart(scope, session, { id, cuts }),
            goneMs: timeIn(gone),
            project: shownProject(scope, project, folder),
            folder: folder ?? undefined,
          },
    )
  }

  const select = (row: string, condition: Raw): SessionValues[] =>
    connection.select<SessionValues>(
      sql`SELECT id, version, device, person, root, gone, cuts, ${raw(row)}, project, folder, path
        FROM artifact FINAL WHERE notEmpty(row) AND ${listed()} AND ${condition} ORDER BY id`,
    )

  function selectSessions(row: string, paths: readonly string[] | undefined) {
    return select(row, paths ? atPaths(scope, paths) : raw('1')).flatMap((values) => {
      const session = shownSession(values)
      return session ? { values, session } : []
    })
  }

  /** All sessions. Only the rows of those that have changed are read. */
  function withRowsBefore(before: SessionsBefore) {
    const all = select(before.size === 0 ? 'row' : "''", raw('1'))
    const stampOf = ([, version, , , root]: SessionValues): string => `${version} ${root}`
    const changed = all.filter((values) => before.get(values[0])?.stamp !== stampOf(values))
    const ids = changed.map(([id]) => id)
    const fresh =
      before.size === 0 || ids.length === 0
        ? changed
        : select('row', ids.length > FEW ? raw('1') : raw(sql`id IN ${ids}`))
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
    Object.assign(session, { device: owner, person })
    if (owner !== device) {
      session.path = shownPath(scope, owner, session.path)
      session.root = shownPath(scope, owner, session.root)
    }
    return session
  }

  /** Files that fulfil a condition. */
  function knownWhere(condition: Raw): Known[] {
    return connection
      .select(
        sql`SELECT ${raw(FILE_COLUMNS)} FROM artifact FINAL WHERE ${listed()} AND ${condition} ORDER BY id`,
      )
      .flatMap((values) => {
        const file = fileOf(values)
        const { id, revision, facts, gone, person } = file
        const artifact = shownArtifact(scope, file.device, facts, file.path)
        const checkpoint = checkpointOf(file)
        if (!artifact || !checkpoint) return []
        return { id, revision, artifact, goneMs: timeIn(gone), device: file.device, person, checkpoint }
      })
  }

  /** All files. Only those that have changed are read. */
  function knownAll(before: Map<number, Known>): Known[] {
    const all = connection.select<[number, number, number, number, string, string]>(
      sql`SELECT id, revision, size, modified, device, path FROM artifact FINAL WHERE ${listed()} ORDER BY id`,
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
    pathsOf: (id: string): string[] =>
      connection
        .select<[string, string]>(
          sql`SELECT device, path FROM artifact FINAL
            WHERE row <> '' AND startsWith(session, ${id}) AND ${current()} ORDER BY path, id`,
        )
        .map(([owner, path]) => shownPath(scope, owner, path)),
    unknownForms: (): string[] =>
      connection
        .select<[string, string]>(
          sql`SELECT device, path FROM artifact FINAL
            WHERE row <> '' AND (JSONHas(row, 'laterForm') OR (JSONLength(row, 'accounting', 'unknown') > 0
              AND ${counted('human')} + ${counted('agentMessages')} + ${counted('toolCalls')} = 0))
              AND ${current()} ORDER BY path, id`,
        )
        .map(([owner, path]) => shownPath(scope, owner, path)),
    projectFacts: (): AssignedFacts[] =>
      connection
        .select<[number, string, string | null, string | null]>(
          sql`SELECT id, row, project, folder FROM artifact FINAL WHERE row <> '' AND ${current()} ORDER BY id`,
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
            assigned:
              name === null || folder === null
                ? undefined
                : { name: shownProject(scope, name, folder) ?? name, path: folder },
          }
        }),
    documents: (): StoredDocument[] =>
      connection
        .select<[number, string, string, string, number | null, string]>(
          sql`SELECT id, device, path, facts, gone, versions FROM artifact FINAL
            WHERE versions <> '' AND ${current()} ORDER BY path, id`,
        )
        .flatMap(([id, owner, path, facts, gone, versions]) => {
          const artifact = shownArtifact(scope, owner, facts, path)
          return artifact ? { id, artifact, goneMs: timeIn(gone), versions: versionsOf({ versions }) } : []
        }),
    documentText(id: number, version: number): string {
      const lines: string[] = []
      for (const [line, text] of connection.select<[number, string | null]>(
        sql`SELECT line, text FROM item FINAL PREWHERE artifact = ${id}
            AND generation = ${version} + ifNull((SELECT generation - generation % ${GENERATIONS} FROM artifact FINAL WHERE id = ${id}), 0)
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
        sum(${counted('toolCalls')}) FROM artifact FINAL WHERE row <> '' AND ${current()}
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
          WHERE ${current()}`,
      )
      const [[messages, occurrences] = [0, 0]] = connection.select<[number, number]>(
        sql`SELECT uniqExact(record, digest), count() FROM item FINAL
          WHERE artifact IN (SELECT id FROM artifact FINAL WHERE ${current()})`,
      )
      const [[storeBytes] = [0]] = connection.select<[number]>(
        sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE database = ${connection.database} AND active`,
      )
      return { artifacts, gone, messages, occurrences, transcriptBytes, storeBytes }
    },
  }
}
