import type { DatabaseSync } from 'node:sqlite'
import { type FileCopy, pathOfDevice } from '../../file-copy.ts'
import type { createCutHeads } from '../cuts/cut-heads.ts'
import type { createLinkWriter } from '../links.ts'
import type { createOccurrences } from '../occurrences.ts'
import type { Ranks } from '../ranks.ts'
import type { createUsageTable } from '../usage-table.ts'
import { prepareWrite } from '../write-statement.ts'

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
