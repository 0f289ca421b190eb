import type { Who } from '../../model/session.ts'
import type { CopiedItem, CopiedUsage, FileContent, FileCopy } from '../file-copy.ts'
import type { Cell } from './connection/connection.ts'
import { raw, sql } from './connection/literal.ts'
import { writeFigures } from './figures/stored.ts'
import { createMutations } from './mutations.ts'
import { artifactIn, extraIn, sessionIn, usageIn } from './read/well-formed.ts'
import type { Scope } from './scope.ts'
import {
  checkpointOf,
  cutsOf,
  FILE_COLUMNS,
  type FileRow,
  fileOf,
  insertFiles,
  loadFiles,
  noteArrivals,
  versionsOf,
} from './write/files.ts'
import { createVocabulary, ITEM_TABLE, itemRow, USAGE_COLUMNS, usageRow } from './write/item-rows.ts'
import { writeLinks } from './write/link-rows.ts'

const USAGE = [
  'reply',
  'at',
  'model',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cost',
  'cacheWriteHour',
  'reasoning',
  'cut',
] as const satisfies readonly (keyof CopiedUsage)[]

/** Reads whole files of every device, for another store. */
export function createCopyReader({ connection }: Scope) {
  function contents(): FileContent[] {
    const tokens = new Map(
      connection.select<[number, number]>(
        'SELECT artifact, sum(input + output + cacheRead + cacheWrite) FROM usage FINAL GROUP BY artifact',
      ),
    )
    const items = new Map(
      connection
        .select<[number, number, number]>(
          `SELECT i.artifact, count(), sum(i.bytes) FROM (SELECT artifact, version,
            length(ifNull(text, '')) + length(ifNull(target, '')) AS bytes FROM item FINAL) AS i
            INNER JOIN (SELECT id, version FROM artifact FINAL) AS a ON a.id = i.artifact
            WHERE i.version <= a.version GROUP BY i.artifact`,
        )
        .map(([id, messages, bytes]) => [id, { messages, bytes }] as const),
    )
    return connection
      .select<[number, string, string, number, number]>(
        `SELECT a.id, a.device, a.path, a.revision, a.modified FROM artifact AS a FINAL
          LEFT JOIN (SELECT artifact, min(at) AS at FROM arrival GROUP BY artifact) AS r ON r.artifact = a.id
          ORDER BY r.at, a.id`,
      )
      .map(([id, device, path, revision, modifiedMs]) => ({
        id,
        device,
        path,
        revision,
        modifiedMs,
        ...(items.get(id) ?? { messages: 0, bytes: 0 }),
        tokens: tokens.get(id) ?? 0,
      }))
  }

  function copiesOf(ids: readonly number[]): FileCopy[] {
    if (ids.length === 0) return []
    const items = itemsOf(ids)
    const usages = usagesOf(ids)
    const links = linksOf(ids)
    const projects = new Map(
      connection
        .select<[number, string | null, string | null]>(
          sql`SELECT artifact, name, folder FROM project FINAL WHERE artifact IN ${ids}`,
        )
        .map(([id, name, folder]) => [id, { name, folder }] as const),
    )
    const arrivals = new Map(
      connection.select<[number, number]>(
        sql`SELECT artifact, min(at) FROM arrival WHERE artifact IN ${ids} GROUP BY artifact`,
      ),
    )
    const files = new Map<number, FileCopy>()
    for (const values of connection.select<Cell[]>(
      sql`SELECT ${raw(FILE_COLUMNS.join(', '))} FROM artifact FINAL WHERE id IN ${ids}`,
    )) {
      const file = fileOf(values)
      const { name = null, folder = null } = projects.get(file.id) ?? {}
      const copy = fileCopy(file, items.get(file.id) ?? [])
      if (!copy) continue
      files.set(file.id, {
        ...copy,
        since: arrivals.get(file.id),
        ...(name === null ? {} : { project: name }),
        ...(folder === null ? {} : { folder }),
        usages: usages.get(file.id) ?? [],
        links: links.get(file.id) ?? { sent: [], heard: [], statements: [] },
      })
    }
    return ids.flatMap((id) => files.get(id) ?? [])
  }

  function itemsOf(ids: readonly number[]): Map<number, CopiedItem[]> {
    const rows = connection.select<ItemValues>(
      sql`SELECT i.artifact, i.generation, i.line, i.place, i.offset, i.length, i.prompt, i.aside, i.record, i.digest,
        i.who, i.at, i.text, i.tool, i.target, i.more FROM item AS i FINAL
        INNER JOIN (SELECT id, version FROM artifact FINAL WHERE id IN ${ids}) AS a ON a.id = i.artifact
        WHERE i.artifact IN ${ids} AND i.version <= a.version ORDER BY i.artifact, i.generation, i.line, i.place`,
    )
    return grouped(rows, itemOf)
  }

  const usagesOf = (ids: readonly number[]): Map<number, CopiedUsage[]> =>
    grouped(
      connection.select<[number, ...Cell[]]>(
        sql`SELECT artifact, ${raw(USAGE.join(', '))} FROM usage FINAL WHERE artifact IN ${ids} ORDER BY reply`,
      ),
      ([, ...values]) => Object.fromEntries(USAGE.map((name, index) => [name, values[index]])) as never,
    )

  function linksOf(ids: readonly number[]): Map<number, FileCopy['links']> {
    const found = new Map<number, FileCopy['links']>()
    const of = (id: number): FileCopy['links'] & { heard: object[] } => {
      const links = found.get(id) ?? { sent: [], heard: [], statements: [] }
      found.set(id, links)
      return links as ReturnType<typeof of>
    }
    for (const [id, line, digest, at, to] of connection.select<
      [number, number, number, number, string | null]
    >(sql`SELECT artifact, line, digest, at, target FROM sent FINAL WHERE artifact IN ${ids}`))
      of(id).sent.push({ line, digest, at, ...(to === null ? {} : { to }) })
    for (const [id, line, order, digest, at] of connection.select<[number, number, number, number, number]>(
      sql`SELECT artifact, line, place, digest, at FROM heard FINAL WHERE artifact IN ${ids}`,
    ))
      of(id).heard.push({ line, order, digest, at })
    for (const [id, line, sum, model, used] of connection.select<[number, number, number, string, string]>(
      sql`SELECT artifact, line, sum, model, used FROM statement FINAL WHERE artifact IN ${ids}`,
    )) {
      const known = usageIn(used)
      if (known) of(id).statements.push({ line, sum, used: known, ...(model === '' ? {} : { model }) })
    }
    for (const [id, template, whole, at] of connection.select<[number, number, number, number]>(
      sql`SELECT artifact, template, whole, at FROM template FINAL WHERE artifact IN ${ids}`,
    )) {
      const links = of(id)
      links.opening ??= { templates: [], whole, at }
      links.opening.templates.push(template)
    }
    return found
  }

  return { contents, copiesOf }
}

type ItemValues = [
  artifact: number,
  generation: number,
  line: number,
  order: number,
  offset: number,
  length: number,
  prompt: number,
  aside: number,
  record: number,
  digest: number,
  who: Who,
  at: number | null,
  text: string | null,
  tool: string | null,
  target: string | null,
  more: string | null,
]

function itemOf(values: ItemValues): CopiedItem {
  const [, generation, line, order, offset, length, prompt, aside, record, digest, who, at, ...texts] = values
  const [text, tool, target, more] = texts
  return {
    generation,
    line,
    order,
    offset,
    length,
    prompt: prompt === 1,
    aside: aside === 1,
    record,
    digest,
    who,
    at,
    text,
    tool,
    target,
    more: more === null ? null : (extraIn(more) ?? null),
  }
}

function grouped<Row extends readonly [number, ...unknown[]], Item>(
  rows: readonly Row[],
  make: (row: Row) => Item,
): Map<number, Item[]> {
  const found = new Map<number, Item[]>()
  for (const row of rows) {
    const list = found.get(row[0])
    if (list) list.push(make(row))
    else found.set(row[0], [make(row)])
  }
  return found
}

/** A file without what is in other tables. Undefined if its row is malformed. */
function fileCopy(file: FileRow, items: CopiedItem[]): Omit<FileCopy, 'usages' | 'links'> | undefined {
  const { device, person, revision, generation } = file
  const artifact = artifactIn(file.facts)
  const session = file.row === '' ? undefined : sessionIn(file.row)
  if (!artifact || (file.row !== '' && !session)) return undefined
  return {
    artifact,
    device,
    person,
    revision,
    checkpoint: checkpointOf(file),
    settled: Math.abs(file.settled),
    ...(file.gone === null ? {} : { goneMs: file.gone }),
    ...(session && { session }),
    cuts: cutsOf(file),
    versions: versionsOf(file),
    items: file.settled < 0 ? withoutRepeated(items, generation) : items,
  }
}

/** The writer was interrupted before it removed what the last generation repeats. */
function withoutRepeated(items: readonly CopiedItem[], last: number): CopiedItem[] {
  const now = new Set(
    items.flatMap(({ generation, record, digest }) => (generation === last ? `${record}.${digest}` : [])),
  )
  return items.filter(
    ({ generation, record, digest }) => generation === last || !now.has(`${record}.${digest}`),
  )
}

/** Files of one device, and the version and id that each gets. */
interface Target {
  copy: FileCopy
  file: { id: number; version: number; generation: number }
  /** The store has the file already, or what an interrupted copy left of it. */
  replaces: boolean
}

/**
 * Stores whole files of other stores. As everywhere, the row of a file is written last. What an interrupted
 * copy left is removed first, because the file may have changed since.
 */
export function createCopyWriter(scope: Scope): (files: readonly FileCopy[]) => void {
  const writers = new Map<string, (files: readonly FileCopy[]) => void>()
  return (files) => {
    const byDevice = Map.groupBy(files, ({ device }) => device ?? scope.device)
    for (const [device, copies] of byDevice) {
      let write = writers.get(device)
      if (!write) {
        write = deviceWriter({ ...scope, device })
        writers.set(device, write)
      }
      write(copies)
    }
  }
}

function deviceWriter(scope: Scope): (copies: readonly FileCopy[]) => void {
  const { connection } = scope
  const writeWords = createVocabulary(scope)
  const mutations = createMutations(scope)
  return (copies) => {
    const targets = targetsOf(scope, copies)
    const some = targets.filter(({ replaces }) => replaces).map(({ file }) => file.id)
    for (const table of ['item', 'usage']) mutations.delete(table, 'artifact', some)
    writeWords(copies.map(({ items }) => ({ increment: { messages: items } })))
    const items: Cell[][] = []
    const usages: Cell[][] = []
    for (const { copy, file } of targets) {
      for (const item of copy.items)
        items.push(
          itemRow({ ...file, generation: item.generation }, item, item.prompt ? 1 : 0, item.aside ? 1 : 0),
        )
      for (const usage of copy.usages) usages.push(usageRow(file, usage, usage.cut))
    }
    connection.insert('item', ITEM_TABLE, items)
    connection.insert('usage', USAGE_COLUMNS, usages)
    writeLinks(
      scope,
      targets.map(({ copy, file }) => ({
        file,
        links: { heard: [], ...copy.links, fresh: true, fromLine: 1 },
      })),
    )
    const version = scope.stamp()
    connection.insert(
      'project',
      ['artifact', 'version', 'deleted', 'name', 'folder'],
      targets.map(({ copy, file }) => [file.id, version, 0, copy.project ?? null, copy.folder ?? null]),
    )
    noteArrivals(
      scope,
      targets.map(({ copy: { since }, file: { id } }) => ({ id, since })),
    )
    insertFiles(
      scope,
      targets.map((each) => rowOf(scope, each)),
    )
    writeFigures(
      scope,
      targets.map(({ copy, file }) => ({ id: file.id, line: copy.checkpoint.line })),
    )
  }
}

/** Finds ids for files, and what is stored with them. */
function targetsOf(scope: Scope, copies: readonly FileCopy[]): Target[] {
  const { connection } = scope
  const files = loadFiles(scope, copies)
  const targets = copies.map((copy): Target => {
    const before = files.at(copy.artifact.path)
    const { id, version } = before ?? files.idFor(copy.artifact.path)
    const file = { id, version: version + 1, generation: copy.checkpoint.generation }
    const row = rowOf(scope, { copy, file })
    files.set(row)
    return { copy, file, replaces: before !== undefined }
  })
  const ids = targets.map(({ file }) => file.id)
  const left = new Set(
    connection
      .select<[number]>(
        sql`SELECT artifact FROM item WHERE artifact IN ${ids} UNION DISTINCT SELECT artifact FROM usage
          WHERE artifact IN ${ids}`,
      )
      .map(([id]) => id),
  )
  return targets.map((each) => ({ ...each, replaces: left.has(each.file.id) }))
}

function rowOf(scope: Scope, { copy, file }: Pick<Target, 'copy' | 'file'>): FileRow {
  const { artifact, checkpoint, session, goneMs, cuts, versions, settled, revision } = copy
  const { modifiedMs: modified, recentlyModified, ...reached } = checkpoint
  return {
    id: file.id,
    version: file.version,
    written: file.version,
    deleted: 0,
    revision,
    device: scope.device,
    person: copy.person ?? scope.person,
    writer: scope.writer,
    stamp: scope.stamp(),
    path: artifact.path,
    root: artifact.root,
    platform: artifact.platform,
    agent: artifact.agent,
    session: artifact.sessionId,
    state: artifact.state,
    facts: JSON.stringify(artifact),
    settled,
    ...reached,
    modified,
    racy: recentlyModified ? 1 : 0,
    gone: goneMs ?? null,
    cuts: cuts.length === 0 ? '' : JSON.stringify(cuts),
    versions: versions.length === 0 ? '' : JSON.stringify(versions),
    row: session ? JSON.stringify(session) : '',
  }
}
