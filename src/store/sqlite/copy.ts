import type { DatabaseSync } from 'node:sqlite'
import type { Artifact } from '../../model/artifact.ts'
import type { Session, Who } from '../../model/session.ts'
import {
  type CopiedItem,
  type CopiedUsage,
  DEVICE_SEPARATOR,
  type FileContent,
  type FileCopy,
  pathOfDevice,
} from '../file-copy.ts'
import type { Checkpoint, MessageExtra } from '../increment.ts'
import { SPEAKERS } from '../stored.ts'
import type { Ranks } from './artifacts.ts'
import type { createCutHeads } from './cuts.ts'
import { prepareWrite } from './database.ts'
import type { createLinkWriter } from './links.ts'
import type { createOccurrences } from './occurrences.ts'
import type { createUsageTable } from './usages.ts'

type Row = Record<string, unknown>

/** Reads whole files, for another store. */
export function createCopyReader(database: DatabaseSync) {
  const sql = {
    files: database.prepare('SELECT id, path, facts, revision, modified FROM artifact ORDER BY id'),
    items: database.prepare(`SELECT o.artifact, count(*) AS messages, sum(octet_length(coalesce(m.text, '')) +
      octet_length(coalesce(m.target, ''))) AS bytes FROM occurrence o JOIN message m ON m.id = o.message
      GROUP BY o.artifact`),
    tokens: database.prepare(`SELECT artifact, sum(input + output + cache_read + cache_write) AS tokens
      FROM usage GROUP BY artifact`),
    file: database.prepare(`SELECT a.*, s.row AS session_row, s.project, s.project_path FROM artifact a
      LEFT JOIN session s ON s.artifact = a.id WHERE a.id = ?`),
    cuts: database.prepare('SELECT generation, line FROM cut WHERE artifact = ? ORDER BY generation'),
    versions: database.prepare(
      'SELECT generation AS number, at, bytes FROM version WHERE artifact = ? ORDER BY generation',
    ),
    messages:
      database.prepare(`SELECT o.generation, o.line, o.place, o.offset, o.length, o.copy, o.prompt, o.aside,
      o.who AS speaker, o.label, m.record, m.digest, m.who, m.at, m.text, t.name AS tool, m.target, m.more
      FROM occurrence o JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool
      WHERE o.artifact = ? ORDER BY o.generation, o.line, o.place`),
    usages: database.prepare(`SELECT reply, at, model, input, output, cache_read AS cacheRead,
      cache_write AS cacheWrite, cost, cache_write_hour AS cacheWriteHour, cut FROM usage WHERE artifact = ?
      ORDER BY reply`),
    sent: database.prepare('SELECT line, digest, at, target FROM sent WHERE artifact = ?'),
    heard: database.prepare('SELECT line, place AS "order", digest, at FROM heard WHERE artifact = ?'),
    statements: database.prepare('SELECT line, model, sum, used FROM statement WHERE artifact = ?'),
    templates: database.prepare('SELECT template, whole, at FROM template WHERE artifact = ?'),
  }

  function contents(): FileContent[] {
    const items = byArtifact(sql.items.all())
    const tokens = byArtifact(sql.tokens.all())
    return sql.files.all().map(({ id, path, facts, revision, modified }) => {
      const { device } = JSON.parse(String(facts)) as Artifact
      return {
        id: Number(id),
        ...(device === undefined ? {} : { device }),
        path: ownPath(String(path), device),
        ...{ revision: Number(revision), modifiedMs: Number(modified) },
        messages: Number(items.get(Number(id))?.messages ?? 0),
        bytes: Number(items.get(Number(id))?.bytes ?? 0),
        tokens: Number(tokens.get(Number(id))?.tokens ?? 0),
      }
    })
  }

  function copyOf(id: number): FileCopy | undefined {
    const row = sql.file.get(id)
    if (!row) return undefined
    const { device, person, ...facts } = JSON.parse(String(row.facts)) as Artifact
    const of = device === undefined ? {} : { device, ...(person === undefined ? {} : { person }) }
    return {
      artifact: { ...facts, path: ownPath(facts.path, device), root: ownPath(facts.root, device) },
      ...of,
      revision: Number(row.revision),
      checkpoint: checkpointOf(row),
      settled: Number(row.settled),
      ...(row.gone === null ? {} : { goneMs: Number(row.gone) }),
      ...(row.session_row === null ? {} : { session: sessionOf(String(row.session_row), device) }),
      ...(row.project === null ? {} : { project: String(row.project) }),
      ...(row.project_path === null ? {} : { folder: String(row.project_path) }),
      cuts: sql.cuts.all(id) as unknown as FileCopy['cuts'],
      versions: sql.versions.all(id) as unknown as FileCopy['versions'],
      items: sql.messages.all(id).map(itemOf),
      usages: sql.usages.all(id) as unknown as CopiedUsage[],
      links: linksOf(id),
    }
  }

  function linksOf(id: number): FileCopy['links'] {
    const templates = sql.templates.all(id)
    const [opening] = templates
    return {
      sent: sql.sent.all(id).map(({ line, digest, at, target }) => ({
        ...{ line: Number(line), digest: Number(digest), at: Number(at) },
        ...(target === null ? {} : { to: String(target) }),
      })),
      heard: sql.heard.all(id) as unknown as NonNullable<FileCopy['links']['heard']>,
      statements: sql.statements.all(id).map(({ line, model, sum, used }) => ({
        ...{ line: Number(line), sum: Number(sum), used: JSON.parse(String(used)) },
        ...(model === '' ? {} : { model: String(model) }),
      })),
      ...(opening && {
        opening: {
          templates: templates.map(({ template }) => Number(template)),
          ...{ whole: Number(opening.whole), at: Number(opening.at) },
        },
      }),
    }
  }

  return {
    contents,
    copiesOf: (ids: readonly number[]): FileCopy[] => ids.flatMap((id) => copyOf(id) ?? []),
  }
}

const byArtifact = (rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [Number(row.artifact), row] as const))

/** A path on its own machine. */
function ownPath(path: string, device: string | undefined): string {
  const before = `${device}${DEVICE_SEPARATOR}`
  return device !== undefined && path.startsWith(before) ? path.slice(before.length) : path
}

function sessionOf(row: string, device: string | undefined): Session {
  const { device: _, person: __, ...session } = JSON.parse(row) as Session
  return { ...session, path: ownPath(session.path, device), root: ownPath(session.root, device) }
}

const checkpointOf = (row: Row): Checkpoint => ({
  ...{ generation: Number(row.generation), offset: Number(row.offset), line: Number(row.line) },
  ...{ size: Number(row.size), modifiedMs: Number(row.modified), identity: String(row.identity) },
  ...{ headLength: Number(row.head_length), head: String(row.head), tail: String(row.tail) },
  ...{ parser: Number(row.parser), racy: row.racy === 1 },
})

/** Only the speaker and the label of a prompt may depend on the file. */
function itemOf(row: Row): CopiedItem {
  const prompt = row.prompt === 1
  const speaker = prompt && row.speaker !== null ? row.speaker : row.who
  let more = row.more === null ? null : (JSON.parse(String(row.more)) as MessageExtra)
  if (prompt) {
    const { label: _, ...others } = more ?? {}
    more = { ...others, ...(row.label === null ? {} : { label: String(row.label) }) }
    if (Object.keys(more).length === 0) more = null
  }
  return {
    ...{ generation: Number(row.generation), line: Number(row.line), order: Number(row.place) },
    ...{ offset: Number(row.offset), length: Number(row.length), prompt, aside: row.aside === 1 },
    ...{ record: Number(row.record), digest: Number(row.digest), who: SPEAKERS[Number(speaker)] as Who },
    at: row.at as number | null,
    ...{ text: row.text as string | null, tool: row.tool as string | null },
    ...{ target: row.target as string | null, more, first: row.copy === 0 },
  }
}

/** The tables that increments are written to as well. */
interface Tables {
  occurrences: ReturnType<typeof createOccurrences>
  usages: ReturnType<typeof createUsageTable>
  links: ReturnType<typeof createLinkWriter>
  cutHeads: ReturnType<typeof createCutHeads>
  ranks: Ranks
}

const FILE = `path, root, platform, agent, session, facts, generation, settled, offset, line, size, modified,
  identity, head_length, head, tail, parser, racy, revision, gone`
const VALUES = `:path, :root, :platform, :agent, :session, :facts, :generation, :settled, :offset, :line, :size,
  :modified, :identity, :headLength, :head, :tail, :parser, :racy, :revision, :gone`

/** Stores whole files of another store. Returns a function for one of them, within a transaction. */
export function createCopyWriter(
  database: DatabaseSync,
  { occurrences, usages, links, cutHeads, ranks }: Tables,
): (copy: FileCopy) => void {
  const sql = {
    idAt: database.prepare('SELECT id FROM artifact WHERE path = ?'),
    insert: prepareWrite(database, `INSERT INTO artifact (${FILE}) VALUES (${VALUES})`),
    update: prepareWrite(database, `UPDATE artifact SET (${FILE}) = (${VALUES}) WHERE id = :id`),
    session: prepareWrite(
      database,
      'INSERT OR REPLACE INTO session (artifact, row, project, project_path) VALUES (?, ?, ?, ?)',
    ),
    unassigned: prepareWrite(database, 'INSERT OR IGNORE INTO unassigned VALUES (?)'),
    cut: prepareWrite(database, 'INSERT INTO cut VALUES (?, ?, ?)'),
    version: prepareWrite(database, 'INSERT INTO version VALUES (?, ?, ?, ?)'),
    dropRemoved: prepareWrite(database, 'DELETE FROM removed WHERE artifact = ?'),
    dropVersions: prepareWrite(database, 'DELETE FROM version WHERE artifact = ?'),
    dropSession: prepareWrite(database, 'DELETE FROM session WHERE artifact = ?'),
    cutUsage: prepareWrite(database, 'UPDATE usage SET cut = ? WHERE artifact = ? AND reply = ?'),
  }

  function idFor(copy: FileCopy): number {
    const columns = columnsOf(copy)
    const id = sql.idAt.get(columns.path)?.id
    if (id === undefined) return Number(sql.insert.run(columns).lastInsertRowid)
    const known = Number(id)
    sql.update.run({ ...columns, id: known })
    occurrences.removeFile(known)
    usages.drop(known)
    cutHeads.forget(known)
    sql.dropRemoved.run(known)
    sql.dropVersions.run(known)
    sql.dropSession.run(known)
    return known
  }

  return (copy) => {
    const id = idFor(copy)
    const { artifact, items, session, device, person } = copy
    for (const risen of ranks.note(id, artifact, session)) occurrences.handOver(risen)
    for (const [generation, ofGeneration] of Map.groupBy(items, (item) => item.generation)) {
      const file = { artifact: id, generation }
      for (const item of ofGeneration) occurrences.put(file, item, item.prompt, false)
      occurrences.setAside(
        file,
        ofGeneration.filter(({ aside }) => aside),
      )
      for (const item of ofGeneration) if (item.first) occurrences.makeFirst(file, item)
    }
    usages.put(id, copy.usages)
    for (const { cut, reply } of copy.usages) if (cut !== 0) sql.cutUsage.run(cut, id, reply)
    for (const { generation, line } of copy.cuts) sql.cut.run(id, generation, line)
    for (const { number, at, bytes } of copy.versions) sql.version.run(id, number, at, bytes)
    occurrences.noteRemoved({ artifact: id, generation: copy.checkpoint.generation })
    links.write(id, { heard: [], ...copy.links, fresh: true, fromLine: 1 })
    if (session) {
      const { path, root } = session
      const shown = { path: pathOfDevice(device, path), root: pathOfDevice(device, root) }
      const row = JSON.stringify({
        ...session,
        ...shown,
        ...(device === undefined ? {} : { device, person }),
      })
      sql.session.run(id, row, copy.project ?? null, copy.folder ?? null)
    }
    sql.unassigned.run(id)
  }
}

function columnsOf({ artifact, device, person, checkpoint, settled, revision, goneMs }: FileCopy) {
  const { platform, agent, sessionId: session } = artifact
  const { modifiedMs: modified, racy, ...reached } = checkpoint
  const path = pathOfDevice(device, artifact.path)
  const root = pathOfDevice(device, artifact.root)
  const facts = JSON.stringify({
    ...artifact,
    path,
    root,
    ...(device === undefined ? {} : { device, person }),
  })
  return {
    ...{ path, root, platform, agent, session, facts },
    ...{ ...reached, modified, racy: racy ? 1 : 0, settled, revision, gone: goneMs ?? null },
  }
}
