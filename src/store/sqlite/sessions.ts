import type { DatabaseSync } from 'node:sqlite'
import type { Artifact } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import type { Session } from '../../model/session.ts'
import type { Known } from '../increment.ts'
import type { SessionsBefore, StoredDocument, StoredSession } from '../stored.ts'
import { CHECKPOINT, type CheckpointColumns, checkpointOf } from './artifacts.ts'
import { createCutParts } from './cuts.ts'
import { UNKNOWN_FORM } from './schema.ts'

type KnownColumns = CheckpointColumns & {
  id: number
  path: string
  facts: string
  revision: number
  gone: number | null
}

/** A row of a session, with what `SessionsBefore` need: either the session, or a stamp of its file. */
interface SessionColumns {
  id: number
  path: string
  root: string
  gone: number | null
  project: string | null
  folder: string | null
  row: string
  stamp: string
}

interface DocumentColumns {
  id: number
  facts: string
  gone: number | null
  number: number
  at: number
  bytes: number
}

const KNOWN = `SELECT id, path, facts, revision, gone, ${CHECKPOINT} FROM artifact`
const SESSION = 'SELECT a.id, a.path, a.root, a.gone, s.project, s.project_path AS folder'
const OF_FILES = 'FROM session s JOIN artifact a ON a.id = s.artifact'

/** Reads the files of the store, their sessions, and memory documents. */
export function createSessionReader(database: DatabaseSync) {
  const sql = {
    known: database.prepare(KNOWN),
    stamps: database.prepare('SELECT id, path, revision, size, modified AS modifiedMs FROM artifact'),
    knownById: database.prepare(`${KNOWN} WHERE id = ?`),
    knownAt: database.prepare(`${KNOWN} WHERE path = ?`),
    documents: database.prepare(`SELECT a.id, a.facts, a.gone, v.generation AS number, v.at, v.bytes
      FROM artifact a JOIN version v ON v.artifact = a.id ORDER BY a.path, v.generation`),
    paragraphs: database.prepare(`SELECT o.line, m.text FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact = ? AND o.generation = ? ORDER BY o.line`),
    sessions: database.prepare(`${SESSION}, s.row ${OF_FILES}`),
    sessionsWithoutRows: database.prepare(
      `${SESSION}, concat_ws(' ', a.revision, a.size, a.modified, a.parser) AS stamp ${OF_FILES}`,
    ),
    row: database.prepare('SELECT row FROM session WHERE artifact = ?'),
    someSessions: database.prepare(`${SESSION}, s.row FROM artifact a
      JOIN session s ON s.artifact = a.id WHERE a.path IN (SELECT value FROM json_each(?))`),
    paths: database.prepare(`SELECT a.path FROM artifact a JOIN session s ON s.artifact = a.id
      WHERE a.session >= :id AND a.session < :id || char(0x10ffff) ORDER BY a.path`),
    unknownForms: database.prepare(
      `SELECT a.path FROM session s INDEXED BY session_unknown CROSS JOIN artifact a ON a.id = s.artifact
        WHERE ${UNKNOWN_FORM} ORDER BY a.path`,
    ),
    // Without the index, all rows are parsed to count them: 130 ms for 20,000 sessions.
    searchable: database.prepare(`SELECT count(*) AS sessions, total(s.row ->> '$.toolCalls') AS calls,
      total(s.row ->> '$.human') + total(s.row ->> '$.agentMessages') AS messages
      FROM session s INDEXED BY session_counts JOIN artifact a ON a.id = s.artifact
      WHERE a.root IN (SELECT value FROM json_each(?))`),
    settled: database.prepare('SELECT inventory FROM settled WHERE scope = ?'),
  }
  const createJoiner = createCutParts(database)
  const shared = createSharedStrings()
  return {
    pathsOf: (id: string): string[] => sql.paths.all({ id }).map(({ path }) => String(path)),
    unknownForms: (): string[] => sql.unknownForms.all().map(({ path }) => String(path)),
    known(before?: Map<number, Known>): Map<string, Known> {
      const known = new Map<string, Known>()
      for (const row of (before ? sql.stamps : sql.known).iterate() as Iterable<unknown>) {
        const { path } = row as KnownColumns
        const each = before ? knownOnce(row as KnownColumns, before) : knownOf(row as KnownColumns)
        // The string that is held already.
        known.set(each.artifact.path === path ? each.artifact.path : path, each)
      }
      return known
    },
    knownFile(file: { id: number } | { path: string }): Known | undefined {
      const row = 'id' in file ? sql.knownById.get(file.id) : sql.knownAt.get(file.path)
      return row && knownOf(row as unknown as KnownColumns)
    },
    sessions(roots?: readonly string[], paths?: readonly string[], before?: SessionsBefore): StoredSession[] {
      const found: StoredSession[] = []
      const join = createJoiner()
      const all = before ? sql.sessionsWithoutRows : sql.sessions
      const rows = paths ? sql.someSessions.iterate(JSON.stringify(paths)) : all.iterate()
      for (const row of rows as Iterable<unknown> as Iterable<SessionColumns>) {
        if (roots && !roots.includes(row.root)) continue
        const session = before && !paths ? readOnce(row, before) : (JSON.parse(row.row) as Session)
        found.push({
          session: join(session, row.id),
          goneMs: row.gone ?? undefined,
          project: row.project === null ? undefined : shared(row.project),
          folder: row.folder === null ? undefined : shared(row.folder),
        })
      }
      return found
    },
    documents(): StoredDocument[] {
      const found = new Map<number, StoredDocument>()
      for (const row of sql.documents.iterate() as Iterable<unknown> as Iterable<DocumentColumns>) {
        const { id, facts, gone, ...version } = row
        const document = found.get(id)
        if (document) document.versions.push(version)
        else
          found.set(id, { id, artifact: JSON.parse(facts), goneMs: gone ?? undefined, versions: [version] })
      }
      return [...found.values()]
    },
    documentText(id: number, version: number): string {
      const lines: string[] = []
      for (const { line, text } of sql.paragraphs.iterate(id, version)) {
        while (lines.length < Number(line) - 1) lines.push('')
        append(lines, String(text).split('\n'))
      }
      return lines.join('\n')
    },
    searchable: (roots: readonly string[]) => ({
      ...(sql.searchable.get(JSON.stringify(roots)) as Record<'sessions' | 'messages' | 'calls', number>),
    }),
    settled: (scope: string): string | undefined => sql.settled.get(scope)?.inventory as string | undefined,
  }

  function knownOnce(stamp: KnownColumns, before: Map<number, Known>): Known {
    const known = before.get(stamp.id)
    const isSame =
      known?.revision === stamp.revision &&
      known.checkpoint.size === stamp.size &&
      known.checkpoint.modifiedMs === stamp.modifiedMs &&
      known.artifact.path === stamp.path
    if (isSame) return known
    const read = knownOf(sql.knownById.get(stamp.id) as unknown as KnownColumns)
    share(read.artifact)
    before.set(read.id, read)
    return read
  }

  function readOnce({ id, path, stamp }: SessionColumns, before: SessionsBefore): Session {
    const known = before.get(id)
    if (known && known.stamp === stamp && known.session.path === path) return known.session
    const session = JSON.parse(String(sql.row.get(id)!.row)) as Session
    share(session)
    for (const cwd of session.cwds) cwd[0] = shared(cwd[0])
    if (session.title === session.firstHuman) session.title = session.firstHuman
    before.set(id, { stamp, session })
    return session
  }

  /** Rows that stay in memory hold equal strings once. */
  function share(row: Partial<Record<(typeof COMMON)[number], string | null>>): void {
    for (const name of COMMON) {
      const text = row[name]
      if (text) row[name] = shared(text)
    }
  }
}

/** What many files and sessions have in common. */
const COMMON = ['platform', 'root', 'kind', 'state', 'agent', 'slug', 'model'] as const

function knownOf({ id, path: _, facts, revision, gone, ...checkpoint }: KnownColumns): Known {
  const artifact = JSON.parse(facts) as Artifact
  const { device } = artifact
  return {
    id,
    revision,
    artifact,
    goneMs: gone ?? undefined,
    checkpoint: checkpointOf(checkpoint),
    ...(device === undefined ? {} : { device }),
  }
}

/** How many strings are held. Folders and models are few, so more than that are not worth holding. */
const MOST = 10_000

/**
 * Returns a function that returns equal strings as one. For rows that stay in memory: thousands of sessions
 * name the same folders and models, and each row is read with strings of its own.
 */
export function createSharedStrings(): <Text extends string>(text: Text) => Text {
  const held = new Map<string, string>()
  return <Text extends string>(text: Text): Text => {
    const same = held.get(text)
    if (same !== undefined) return same as Text
    if (held.size >= MOST) held.clear()
    held.set(text, text)
    return text
  }
}
