import type { DatabaseSync } from 'node:sqlite'
import type { Artifact, Dispatch } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import type { FileHeader } from '../changes.ts'
import {
  type CopiedItem,
  type CopiedUsage,
  DEVICE_SEPARATOR,
  type FileContent,
  type FileCopy,
  pathOfDevice,
} from '../file-copy.ts'
import type { MessageExtra } from '../increment.ts'
import { SPEAKERS } from '../stored.ts'
import {
  CHECKPOINT,
  type CheckpointColumns,
  checkpointOf,
  type createUsageTable,
  FILE,
  FILE_VALUES,
  fileColumns,
  type Ranks,
  rankClass,
} from './artifacts.ts'
import { prepareWrite } from './database.ts'
import type { createLinkWriter } from './links.ts'
import type { createOccurrences } from './occurrences.ts'

/** The items of files, as `itemOf` expects them, and their usage. */
export const ITEMS = `SELECT o.generation, o.line, o.place AS "order", o.offset, o.length, o.copy, o.prompt, o.aside,
  o.who AS speaker, o.label, m.record, m.digest, m.who, m.at, m.text, t.name AS tool, m.target, m.more
  FROM occurrence o JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool`
export const USAGES = `SELECT u.reply, u.at, u.model, u.input, u.output, u.cache_read AS cacheRead,
  u.cache_write AS cacheWrite, u.cost, u.cache_write_hour AS cacheWriteHour, u.reasoning, u.cut FROM usage u`

/** Reads whole files, for another store. */
export function createCopyReader(database: DatabaseSync) {
  const sql = {
    files: database.prepare(
      'SELECT id, path, facts, revision, modified AS modifiedMs FROM artifact ORDER BY id',
    ),
    items: database.prepare(`SELECT o.artifact, count(*) AS messages, sum(octet_length(coalesce(m.text, '')) +
      octet_length(coalesce(m.target, ''))) AS bytes FROM occurrence o JOIN message m ON m.id = o.message
      GROUP BY o.artifact`),
    tokens: database.prepare(`SELECT artifact, sum(input + output + cache_read + cache_write) AS tokens
      FROM usage GROUP BY artifact`),
    file: database.prepare(`SELECT a.facts, a.revision, a.settled, a.gone, a.rank, ${CHECKPOINT},
      s.row, s.project, s.project_path AS folder FROM artifact a
      LEFT JOIN session s ON s.artifact = a.id WHERE a.id = ?`),
    cuts: database.prepare('SELECT generation, line FROM cut WHERE artifact = ? ORDER BY generation'),
    versions: database.prepare(
      'SELECT generation AS number, at, bytes FROM version WHERE artifact = ? ORDER BY generation',
    ),
    messages: database.prepare(`${ITEMS} WHERE o.artifact = ? ORDER BY o.generation, o.line, o.place`),
    usages: database.prepare(`${USAGES} WHERE u.artifact = ? ORDER BY u.reply`),
    sent: database.prepare('SELECT line, digest, at, target FROM sent WHERE artifact = ?'),
    heard: database.prepare('SELECT line, place AS "order", digest, at FROM heard WHERE artifact = ?'),
    statements: database.prepare('SELECT line, model, sum, used FROM statement WHERE artifact = ?'),
    templates: database.prepare('SELECT template, whole, at FROM template WHERE artifact = ?'),
  }

  function contents(): FileContent[] {
    const items = byArtifact(sql.items.all())
    const tokens = byArtifact(sql.tokens.all())
    return sql.files.all().map((row) => {
      const { facts, path, ...file } = row as unknown as Pick<FileContent, 'id' | 'revision' | 'modifiedMs'> &
        Record<'facts' | 'path', string>
      const { device } = JSON.parse(facts) as Artifact
      return {
        ...file,
        path: ownPath(path, device),
        ...(device === undefined ? {} : { device }),
        messages: Number(items.get(file.id)?.messages ?? 0),
        bytes: Number(items.get(file.id)?.bytes ?? 0),
        tokens: Number(tokens.get(file.id)?.tokens ?? 0),
      }
    })
  }

  function headerOf(id: number): FileHeader | undefined {
    const found = sql.file.get(id)
    if (!found) return undefined
    const { facts, row, project, folder, gone, revision, settled, rank, ...reached } =
      found as unknown as FileColumns
    const { device, person, ...artifact } = JSON.parse(facts) as Artifact
    return {
      artifact: { ...artifact, path: ownPath(artifact.path, device), root: ownPath(artifact.root, device) },
      ...(device === undefined ? {} : { device, ...(person === undefined ? {} : { person }) }),
      revision,
      settled,
      rank: rankClass(Number(rank)),
      checkpoint: checkpointOf(reached),
      ...(gone === null ? {} : { goneMs: gone }),
      ...(row === null ? {} : { session: sessionOf(row, device) }),
      ...(project === null ? {} : { project }),
      ...(folder === null ? {} : { folder }),
      cuts: sql.cuts.all(id) as unknown as FileCopy['cuts'],
      versions: sql.versions.all(id) as unknown as FileCopy['versions'],
    }
  }

  function copyOf(id: number): FileCopy | undefined {
    const found = headerOf(id)
    if (!found) return undefined
    const { rank: _, ...header } = found
    return {
      ...header,
      items: (sql.messages.all(id) as unknown as ItemColumns[]).map(itemOf),
      usages: sql.usages.all(id) as unknown as CopiedUsage[],
      links: linksOf(id),
    }
  }

  function linksOf(id: number): FileCopy['links'] {
    const templates = sql.templates.all(id) as unknown as Record<'template' | 'whole' | 'at', number>[]
    const [opening] = templates
    const sent = sql.sent.all(id) as unknown as (Omit<Dispatch, 'to'> & { target: string | null })[]
    const statements = sql.statements.all(id) as unknown as (Record<'model' | 'used', string> &
      Record<'line' | 'sum', number>)[]
    return {
      sent: sent.map(({ target, ...dispatch }) => ({
        ...dispatch,
        ...(target === null ? {} : { to: target }),
      })),
      heard: sql.heard.all(id) as unknown as NonNullable<FileCopy['links']['heard']>,
      statements: statements.map(({ model, used, ...statement }) => ({
        ...statement,
        used: JSON.parse(used),
        ...(model === '' ? {} : { model }),
      })),
      ...(opening && {
        opening: {
          templates: templates.map(({ template }) => template),
          whole: opening.whole,
          at: opening.at,
        },
      }),
    }
  }

  return {
    contents,
    headerOf,
    copiesOf: (ids: readonly number[]): FileCopy[] => ids.flatMap((id) => copyOf(id) ?? []),
  }
}

type FileColumns = CheckpointColumns &
  Record<'revision' | 'settled' | 'rank', number> &
  Record<'row' | 'project' | 'folder', string | null> & { facts: string; gone: number | null }

/** The columns of an item, with the speaker and the label that only prompts have. */
export type ItemColumns = Omit<CopiedItem, 'who' | 'more' | 'prompt' | 'aside' | 'first'> &
  Record<'who' | 'copy' | 'prompt' | 'aside', number> &
  Record<'label' | 'more', string | null> & { speaker: number | null }

const byArtifact = <Row extends Record<string, unknown>>(rows: readonly Row[]): Map<number, Row> =>
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

/** Only the speaker and the label of a prompt may depend on the file. */
export function itemOf(columns: ItemColumns): CopiedItem {
  const { prompt, aside, copy, who, speaker, label, more: extra, ...item } = columns
  let more = extra === null ? null : (JSON.parse(extra) as MessageExtra)
  if (prompt === 1) {
    const { label: _, ...others } = more ?? {}
    more = { ...others, ...(label === null ? {} : { label }) }
    if (Object.keys(more).length === 0) more = null
  }
  const says = prompt === 1 ? (speaker ?? who) : who
  return { ...item, who: SPEAKERS[says]!, more, prompt: prompt === 1, aside: aside === 1, first: copy === 0 }
}

/** The tables that increments are written to as well. */
interface Tables {
  occurrences: ReturnType<typeof createOccurrences>
  usages: ReturnType<typeof createUsageTable>
  links: ReturnType<typeof createLinkWriter>
  ranks: Ranks
  /** Deletes everything that was read from a file. */
  clear(artifact: number): void
}

/** Stores whole files of another store. Returns a function for one of them, within a transaction. */
export function createCopyWriter(
  database: DatabaseSync,
  { occurrences, usages, links, ranks, clear }: Tables,
): (copy: FileCopy) => void {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    idAt: database.prepare('SELECT id FROM artifact WHERE path = ?'),
    insert: write(`INSERT INTO artifact (${FILE}, settled, revision, gone)
      VALUES (${FILE_VALUES}, :settled, :revision, :gone)`),
    update: write(`UPDATE artifact SET (${FILE}, settled, revision, gone) =
      (${FILE_VALUES}, :settled, :revision, :gone) WHERE id = :id`),
    session: write(
      'INSERT OR REPLACE INTO session (artifact, row, project, project_path) VALUES (?, ?, ?, ?)',
    ),
    unassigned: write('INSERT OR IGNORE INTO unassigned VALUES (?)'),
    cut: write('INSERT INTO cut VALUES (?, ?, ?)'),
    version: write('INSERT INTO version VALUES (?, ?, ?, ?)'),
    cutUsage: write('UPDATE usage SET cut = ? WHERE artifact = ? AND reply = ?'),
  }

  function idFor(copy: FileCopy): number {
    const columns = columnsOf(copy)
    const id = sql.idAt.get(columns.path)?.id
    if (id === undefined) return Number(sql.insert.run(columns).lastInsertRowid)
    const known = Number(id)
    sql.update.run({ ...columns, id: known })
    clear(known)
    return known
  }

  return (copy) => {
    const id = idFor(copy)
    const { artifact, items, session } = copy
    for (const each of ranks.note(id, artifact, session)) occurrences.handOver(each)
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
      const row = JSON.stringify(shownAs(session, copy))
      sql.session.run(id, row, copy.project ?? null, copy.folder ?? null)
    }
    sql.unassigned.run(id)
  }
}

/** A file or session as a store of several machines has it: with its machine, also in its paths. */
const shownAs = <Where extends { path: string; root: string }>(where: Where, copy: FileCopy): Where => ({
  ...where,
  path: pathOfDevice(copy.device, where.path),
  root: pathOfDevice(copy.device, where.root),
  ...(copy.device === undefined ? {} : { device: copy.device, person: copy.person }),
})

const columnsOf = (copy: FileCopy) => ({
  ...fileColumns(shownAs(copy.artifact, copy), copy.checkpoint),
  settled: copy.settled,
  revision: copy.revision,
  gone: copy.goneMs ?? null,
})
