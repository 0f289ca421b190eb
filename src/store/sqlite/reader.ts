import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Artifact } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import type { Session } from '../../model/session.ts'
import type { Known } from '../increment.ts'
import { createSharedStrings } from '../shared-strings.ts'
import type { SessionsBefore, StoredDocument, StoredMessage, StoredSession } from '../stored.ts'
import { createCutParts } from './cuts/cut-parts.ts'
import { MESSAGE_COLUMNS, prepareMessages } from './message-columns.ts'
import { createOutlines } from './outline.ts'
import { createReplyUsages } from './reply-usages.ts'
import { createWindows } from './windows.ts'

/** All read operations of the store. */
export function createReader(database: DatabaseSync) {
  const sql = {
    known: database.prepare(`SELECT ${KNOWN_COLUMNS} FROM artifact`),
    stamps: database.prepare('SELECT id, path, revision, size, modified FROM artifact'),
    knownById: database.prepare(`SELECT ${KNOWN_COLUMNS} FROM artifact WHERE id = ?`),
    knownAt: database.prepare(`SELECT ${KNOWN_COLUMNS} FROM artifact WHERE path = ?`),
    documents: database.prepare(`SELECT a.id, a.facts, a.gone, v.generation, v.at, v.bytes FROM artifact a
      JOIN version v ON v.artifact = a.id ORDER BY a.path, v.generation`),
    paragraphs: database.prepare(`SELECT o.line, m.text FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact = ? AND o.generation = ? ORDER BY o.line`),
    sessions:
      database.prepare(`SELECT a.id, a.path, a.root, a.gone, s.row, s.project, s.project_path AS folder FROM session s
      JOIN artifact a ON a.id = s.artifact`),
    sessionsWithoutRows:
      database.prepare(`SELECT a.id, a.path, a.root, a.gone, s.project, s.project_path AS folder,
      concat_ws(' ', a.revision, a.size, a.modified, a.parser) AS stamp
      FROM session s JOIN artifact a ON a.id = s.artifact`),
    row: database.prepare('SELECT row FROM session WHERE artifact = ?'),
    someSessions:
      database.prepare(`SELECT a.id, a.path, a.root, a.gone, s.row, s.project, s.project_path AS folder FROM artifact a
      JOIN session s ON s.artifact = a.id WHERE a.path IN (SELECT value FROM json_each(?))`),
    paths: database.prepare(`SELECT a.path FROM artifact a JOIN session s ON s.artifact = a.id
      WHERE a.session >= :id AND a.session < :id || char(0x10ffff) ORDER BY a.path`),
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    messages: prepareMessages(
      database,
      `SELECT ${MESSAGE_COLUMNS} FROM occurrence o
      JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool
      WHERE o.artifact = ? AND o.generation = ? AND o.line >= ? ORDER BY o.line, o.place LIMIT ?`,
    ),
    messagesBefore: prepareMessages(
      database,
      `SELECT ${MESSAGE_COLUMNS} FROM occurrence o
      JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool
      WHERE o.artifact = ? AND o.generation = ? AND o.line < ? ORDER BY o.line DESC, o.place DESC LIMIT ?`,
    ),
    holds: database.prepare('SELECT 1 AS held FROM message WHERE record = ? AND digest = ? AND id <= ?'),
    newest: database.prepare('SELECT max(id) AS id FROM message'),
    count: database.prepare(
      'SELECT count(*) AS messages FROM occurrence WHERE artifact = ? AND generation = ?',
    ),
    // Without the index, all rows are parsed to count them: 130 ms for 20,000 sessions.
    searchable: database.prepare(`SELECT count(*) AS sessions, total(s.row ->> '$.toolCalls') AS calls,
      total(s.row ->> '$.human') + total(s.row ->> '$.agentMessages') AS messages
      FROM session s INDEXED BY session_counts JOIN artifact a ON a.id = s.artifact
      WHERE a.root IN (SELECT value FROM json_each(?))`),
    unindexed:
      database.prepare(`SELECT max(0, coalesce((SELECT max(id) FROM message), 0) - message) AS messages
      FROM indexed`),
    settled: database.prepare('SELECT inventory FROM settled WHERE scope = ?'),
    others: database.prepare('PRAGMA data_version'),
  }
  const withUsage = createReplyUsages(database)
  const cutParts = createCutParts(database)
  const shared = createSharedStrings()
  return {
    ...createWindows(database, withUsage),
    ...createOutlines(database),
    // Rows and checkpoint are written in one transaction.
    isIntact: (): boolean => true,
    pathsOf: (id: string): string[] => sql.paths.all({ id }).map(({ path }) => String(path)),
    othersWrote: (): number => Number(sql.others.get()!.data_version),
    known(before?: Map<number, Known>): Map<string, Known> {
      const known = new Map<string, Known>()
      const rows = before ? sql.stamps.iterate() : sql.known.iterate()
      for (const row of rows) {
        const path = String(row.path)
        const each = before ? knownOnce(row, before) : knownOf(row)
        // The string that is held already.
        known.set(each.artifact.path === path ? each.artifact.path : path, each)
      }
      return known
    },
    knownFile(file: { id: number } | { path: string }): Known | undefined {
      const row = 'id' in file ? sql.knownById.get(file.id) : sql.knownAt.get(file.path)
      return row && knownOf(row)
    },
    sessions(roots?: readonly string[], paths?: readonly string[], before?: SessionsBefore): StoredSession[] {
      const found: StoredSession[] = []
      const join = cutParts.joiner()
      const all = before ? sql.sessionsWithoutRows : sql.sessions
      for (const row of paths ? sql.someSessions.iterate(JSON.stringify(paths)) : all.iterate()) {
        if (roots && !roots.includes(String(row.root))) continue
        const session = before && !paths ? readOnce(row, before) : sessionIn(row)
        found.push({
          session: join(session, Number(row.id)),
          goneMs: row.gone === null ? undefined : Number(row.gone),
          project: row.project === null ? undefined : shared(String(row.project)),
          folder: row.folder === null ? undefined : shared(String(row.folder)),
        })
      }
      return found
    },
    messages(
      path: string,
      { line, count, before = 0 }: { line: number; count: number; before?: number } = { line: 0, count: -1 },
      { usage }: { usage: boolean } = { usage: true },
    ): StoredMessage[] {
      const file = sql.file.get(path)
      if (!file) return []
      const { id, generation } = file
      const rows = sql.messages(id!, generation!, line, count)
      const earlier = before > 0 ? sql.messagesBefore(id!, generation!, line, before).reverse() : []
      const messages = earlier.length === 0 ? rows : [...earlier, ...rows]
      // A part of a file needs few of its replies.
      return usage ? withUsage(Number(id), messages, count < 0 ? undefined : messages.length) : messages
    },
    cutMessages(path: string): StoredMessage[] {
      const id = Number(sql.file.get(path)?.id)
      return withUsage(id, cutParts.messagesOf(id))
    },
    documents(): StoredDocument[] {
      const found = new Map<number, StoredDocument>()
      for (const { id, facts, gone, generation, at, bytes } of sql.documents.iterate()) {
        let document = found.get(Number(id))
        if (!document) {
          const goneMs = gone === null ? undefined : Number(gone)
          document = { id: Number(id), artifact: JSON.parse(String(facts)), goneMs, versions: [] }
          found.set(document.id, document)
        }
        document.versions.push({ number: Number(generation), at: Number(at), bytes: Number(bytes) })
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
    holds: (record: number, digest: number, upTo: number): boolean =>
      sql.holds.get(record, digest, upTo) !== undefined,
    newest: (): number => Number(sql.newest.get()!.id ?? 0),
    countMessages(path: string): number {
      const file = sql.file.get(path)
      return file ? Number(sql.count.get(file.id!, file.generation!)!.messages) : 0
    },
    searchable(roots: readonly string[]): { sessions: number; messages: number; calls: number } {
      const { sessions, messages, calls } = sql.searchable.get(JSON.stringify(roots))!
      return { sessions: Number(sessions), messages: Number(messages), calls: Number(calls) }
    },
    unindexed: (): number => Number(sql.unindexed.get()!.messages),
    settled: (scope: string): string | undefined => sql.settled.get(scope)?.inventory as string | undefined,
  }

  function knownOnce({ id, path, revision, size, modified }: Columns, before: Map<number, Known>): Known {
    const known = before.get(Number(id))
    const isSame =
      known?.revision === revision &&
      known?.checkpoint.size === size &&
      known?.checkpoint.modifiedMs === modified
    if (known && isSame && known.artifact.path === path) return known
    const read = knownOf(sql.knownById.get(id!)!)
    share(read.artifact)
    before.set(read.id, read)
    return read
  }

  function readOnce({ id, path, stamp }: Columns, before: SessionsBefore): Session {
    const known = before.get(Number(id))
    if (known && known.stamp === stamp && known.session.path === path) return known.session
    const session = sessionIn(sql.row.get(id!)!)
    share(session)
    for (const cwd of session.cwds) cwd[0] = shared(cwd[0])
    if (session.title === session.firstHuman) session.title = session.firstHuman
    before.set(Number(id), { stamp: String(stamp), session })
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

type Columns = Record<string, SQLOutputValue>

const sessionIn = ({ row }: Columns): Session => JSON.parse(String(row)) as Session

const KNOWN_COLUMNS = `id, path, facts, generation, offset, line, size, modified, identity, head_length, head, tail,
  parser, racy, revision, gone`

function knownOf(row: Columns): Known {
  const artifact = JSON.parse(String(row.facts)) as Artifact
  const { device } = artifact
  return {
    id: Number(row.id),
    revision: Number(row.revision),
    artifact,
    ...(device === undefined ? {} : { device }),
    goneMs: row.gone === null ? undefined : Number(row.gone),
    checkpoint: {
      generation: Number(row.generation),
      offset: Number(row.offset),
      line: Number(row.line),
      size: Number(row.size),
      modifiedMs: Number(row.modified),
      identity: String(row.identity),
      headLength: Number(row.head_length),
      head: String(row.head),
      tail: String(row.tail),
      parser: Number(row.parser),
      racy: row.racy === 1,
    },
  }
}
