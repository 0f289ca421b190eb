import { IdSet } from '../../../model/hash.ts'
import type { ProjectMembers } from '../../../model/project.ts'
import { collectWords } from '../../../search/words.ts'
import type { Increment } from '../../increment.ts'
import type { Erased } from '../../store.ts'
import { sql } from '../connection/literal.ts'
import { filesWithoutFigures, writeFigures } from '../figures/stored.ts'
import { createMutations } from '../mutations.ts'
import { TABLES } from '../schema.ts'
import type { Scope } from '../scope.ts'
import {
  ALL,
  type FileRow,
  insertFiles,
  loadFiles,
  noteArrivals,
  type Planned,
  planBatch,
  rewriteFiles,
  UNDECIDED,
  versionsOf,
} from './files.ts'
import { createVocabulary, writeItems, writeUsages } from './item-rows.ts'
import { NO_LINKS, writeLinks } from './link-rows.ts'

/** Files of one statement. */
const FILES = 5000

/**
 * Writes increments. ClickHouse has no transactions: the rows of files are written last, and nothing else of
 * a batch counts before. A batch that was interrupted is written again, over what is there.
 */
export function createWriter(scope: Scope) {
  const { connection, device } = scope
  const writeWords = createVocabulary(scope)
  const mutations = createMutations(scope)
  let added = 0

  /** Completes files that an interrupted batch has read to their end: removes leftovers, adds sums. */
  function finishInterrupted(): void {
    const files = connection
      .select<[number, number, number]>(
        sql`SELECT id, generation, version FROM artifact FINAL WHERE device = ${device} AND settled < 0`,
      )
      .map(([id, generation, version]) => ({ id, generation, version }))
    removeLeftovers(files)
    writeFigures(scope, filesWithoutFigures(scope))
  }

  function removeLeftovers(files: readonly Pick<FileRow, 'id' | 'generation' | 'version'>[]): void {
    for (const file of files) forgetRepeated(scope, file)
    rewriteFiles(
      scope,
      files.map(({ id }) => id),
      { settled: 'generation' },
    )
  }

  function writeGroup(batch: readonly Increment[]): string[] {
    let files = loadFiles(scope, batch)
    if (batch.some(({ base }) => base && (files.byId(base.id)?.settled ?? 0) < 0)) {
      finishInterrupted()
      files = loadFiles(scope, batch)
    }
    const { planned, evicted, refused } = planBatch(scope, files, batch)
    for (const { id, path, facts, row } of evicted)
      rewriteFiles(scope, [id], { path: sql`${path}`, facts: sql`${facts}`, row: sql`${row}` })
    if (planned.length === 0) return refused
    writeWords(planned)
    added += writeItems(scope, planned)
    const cut = new Map<Planned, boolean>()
    for (const each of planned) {
      if (!each.settles) continue
      const isCut = settle(scope, each)
      if (isCut !== undefined) cut.set(each, isCut)
    }
    writeUsages(scope, planned, (each) => cut.get(each))
    writeLinks(
      scope,
      planned.map(({ file, increment }) => ({ file, links: increment })),
    )
    noteArrivals(
      scope,
      planned.flatMap(({ file: { id }, before }) => (before ? [] : { id })),
    )
    insertFiles(scope, planned.map(rowOf))
    // Until here, readers saw the earlier generation. The file is settled when its leftovers are gone.
    removeLeftovers(planned.filter(mayRepeat).map(({ file }) => file))
    writeFigures(
      scope,
      planned.map(({ file }) => file),
    )
    return refused
  }

  function forget(ids: readonly number[]): void {
    const files = ownFiles(scope, ids)
    if (files.length === 0) return
    noteRemoved(scope, files)
    const some = files.map(({ id }) => id)
    for (const table of ['item', 'usage', 'project', 'unlinked', 'figure', 'arrival'])
      mutations.delete(table, 'artifact', some)
    // Only the row remains that says which version comes next.
    mutations.delete('artifact', 'id', some, 'deleted = 0')
  }

  /** Rows of an earlier version, and deleted ones, are removed from the disk now. */
  function erase(ids: readonly number[]): Erased {
    const texts = connection.select<[number, number, string | null]>(
      sql`SELECT record, digest, any(ifNull(text, target)) FROM item FINAL WHERE artifact IN ${ids}
        GROUP BY record, digest HAVING (record, digest) NOT IN (
          SELECT record, digest FROM item FINAL WHERE artifact NOT IN ${ids})`,
    )
    const words: string[] = []
    const seen = new IdSet()
    for (const [, , text] of texts) collectWords(text ?? '', seen, words)
    forget(ids)
    const unused = words.length === 0 ? [] : unusedWords(scope, words)
    mutations.delete('vocabulary', 'word', unused, sql`device = ${device}`)
    for (const table of TABLES) mutations.merge(table)
    return { messages: texts.length, words: unused.length }
  }

  return {
    erase,
    finishInterrupted,
    added: (): number => added,
    write(batch: readonly Increment[]): string[] {
      const refused: string[] = []
      for (const group of groupsOf(batch)) for (const path of writeGroup(group)) refused.push(path)
      return refused
    },
    forget,
    markGone(ids: readonly number[], goneMs: number | undefined): void {
      rewriteFiles(scope, ids, { revision: 'revision + 1', gone: sql`${goneMs ?? null}` })
    },
    linked(ids: readonly number[]): void {
      const version = scope.stamp()
      connection.insert(
        'unlinked',
        ['artifact', 'version', 'deleted'],
        ids.map((id) => [id, version, 1]),
      )
    },
    /** Only what has changed is written. */
    assignProjects(projects: readonly ProjectMembers[]): void {
      const stored = projectsOf(
        scope,
        projects.flatMap(({ artifacts }) => artifacts),
      )
      const version = scope.stamp()
      connection.insert(
        'project',
        ['artifact', 'version', 'deleted', 'name', 'folder'],
        projects.flatMap(({ project, artifacts }) => {
          const [name, folder] = [project?.name ?? null, project?.path ?? null]
          return artifacts.flatMap((artifact) => {
            const before = stored.get(artifact) ?? { name: null, folder: null }
            return before.name === name && before.folder === folder
              ? []
              : [[artifact, version, 0, name, folder]]
          })
        }),
      )
    },
  }
}

/** The stored projects of files. */
function projectsOf(
  { connection }: Scope,
  files: readonly number[],
): Map<number, { name: string | null; folder: string | null }> {
  const stored = new Map<number, { name: string | null; folder: string | null }>()
  for (let from = 0; from < files.length; from += FILES)
    for (const [artifact, name, folder] of connection.select<[number, string | null, string | null]>(
      sql`SELECT artifact, name, folder FROM project FINAL WHERE artifact IN ${files.slice(from, from + FILES)}`,
    ))
      stored.set(artifact, { name, folder })
  return stored
}

/** Which of some words no message of this device contains any more. */
function unusedWords({ connection, device }: Scope, words: readonly string[]): string[] {
  const used = new Set(
    connection
      .select<[string]>(
        sql`SELECT DISTINCT arrayJoin(splitByChar(' ', i.words)) AS word FROM item AS i FINAL
          WHERE i.artifact IN (SELECT id FROM artifact FINAL WHERE device = ${device}) AND word IN ${words}`,
      )
      .map(([word]) => word),
  )
  return words.filter((word) => !used.has(word))
}

/** Splits a batch where it continues a file a second time. */
function* groupsOf(batch: readonly Increment[]): Generator<Increment[]> {
  let group: Increment[] = []
  let seen = new Set<number>()
  for (const increment of batch) {
    const id = increment.base?.id
    if (id !== undefined && seen.has(id)) {
      yield group
      group = []
      seen = new Set()
    }
    group.push(increment)
    if (id !== undefined) seen.add(id)
  }
  if (group.length > 0) yield group
}

function rowOf(planned: Planned): FileRow {
  const { file, increment, settles, cuts } = planned
  const { artifact, checkpoint } = increment
  const { generation, modifiedMs: at, size: bytes } = checkpoint
  const earlier = versionsOf(file).filter(({ number }) => number !== generation)
  const versions =
    settles && artifact.kind === 'memory' ? [...earlier, { number: generation, at, bytes }] : earlier
  return {
    ...file,
    settled: mayRepeat(planned) ? -file.generation : file.settled,
    cuts: cuts.length === 0 ? '' : JSON.stringify(cuts),
    versions: versions.length === 0 ? '' : JSON.stringify(versions),
  }
}

/**
 * Called when a generation was read to its end for the first time, and its items are stored. Decides what was
 * cut off; see `createCutHeads` of SQLite. Returns whether a part was; undefined if that was no question.
 */
function settle(scope: Scope, planned: Planned): boolean | undefined {
  const { increment, file } = planned
  if (increment.artifact.kind === 'memory') return undefined
  const undecided = planned.cuts.find(({ line }) => line === UNDECIDED)
  let isCut: boolean | undefined
  if (undecided) {
    const line = cutLine(scope, file, undecided.generation)
    isCut = line !== undefined
    planned.cuts = planned.cuts.flatMap((cut) => {
      if (cut !== undecided) return cut
      return line === undefined ? [] : { ...cut, line }
    })
  }
  return isCut
}

/**
 * The line up to which an earlier generation was cut off. Undefined if the file changed in another way. A
 * message that has grown is another one of the same record.
 */
function cutLine({ connection }: Scope, file: Planned['file'], earlier: number): number | undefined {
  const items = (generation: number): { sql: string } => ({
    sql: sql`(SELECT line, record, at FROM item FINAL
      WHERE artifact = ${file.id} AND generation = ${generation})`,
  })
  const [repeated] = connection.select<[number, number]>(sql`SELECT o.line, n.line
    FROM ${items(earlier)} AS o INNER JOIN ${items(file.generation)} AS n
    ON o.record = n.record ORDER BY o.line, n.line LIMIT 1`)
  if (repeated) return repeated[1] < repeated[0] ? repeated[0] : undefined
  const timesOf = (generation: number): [first: number | null, last: number | null] =>
    connection.select<[number | null, number | null]>(
      sql`SELECT min(at), max(at) FROM ${items(generation)} WHERE at > 0`,
    )[0]!
  const [, last] = timesOf(earlier)
  if (last === null) return undefined
  const [first] = timesOf(file.generation)
  return first === null || last <= first ? ALL : undefined
}

/** Whether a file may have items of earlier generations that this one repeats. */
const mayRepeat = ({ settles, increment, file }: Planned): boolean =>
  settles && file.generation > 1 && increment.artifact.kind !== 'memory'

/** Removes what a generation repeats of earlier ones. The rest is gone from the file. */
function forgetRepeated(
  { connection }: Scope,
  { id, generation, version }: Pick<Planned['file'], 'id' | 'generation' | 'version'>,
): void {
  connection.run(sql`INSERT INTO item (artifact, generation, line, place, record, digest, version, deleted, at)
    SELECT artifact, generation, line, place, record, digest, ${version}, 1, at FROM item FINAL
    WHERE artifact = ${id} AND generation < ${generation} AND (record, digest) IN
      (SELECT record, digest FROM item FINAL WHERE artifact = ${id} AND generation = ${generation})`)
}

/** A file that is to be removed, and the version of the row that says so. */
interface RemovedFile {
  id: number
  version: number
}

/** Those of some files that this device has. */
export const ownFiles = ({ connection, device }: Scope, ids: readonly number[]): RemovedFile[] =>
  ids.length === 0
    ? []
    : connection
        .select<[number, number]>(
          sql`SELECT id, version FROM artifact FINAL WHERE device = ${device} AND id IN ${ids}`,
        )
        .map(([id, version]) => ({ id, version: version + 1 }))

/** Notes that files are removed. Whatever else is stored of them is in no answer from now on. */
export function noteRemoved(scope: Scope, files: readonly RemovedFile[]): void {
  const { connection, device, person, writer } = scope
  writeLinks(
    scope,
    files.map((file) => ({ file, links: NO_LINKS })),
  )
  const stamp = scope.stamp()
  connection.insert(
    'artifact',
    ['id', 'version', 'deleted', 'device', 'person', 'writer', 'stamp'],
    files.map(({ id, version }) => [id, version, 1, device, person, writer, stamp]),
  )
}
