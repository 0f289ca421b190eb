import type { FileCopy } from '../../file-copy.ts'
import type { Cell } from '../connection/connection.ts'
import { sql } from '../connection/literal.ts'
import { createMutations } from '../mutations.ts'
import type { Scope } from '../scope.ts'
import { writeFigures } from '../write/figures.ts'
import type { FileRow } from '../write/file-rows.ts'
import { insertFiles, loadFiles, noteArrivals } from '../write/files.ts'
import { ITEM_TABLE, itemRow } from '../write/item-rows.ts'
import { writeLinks } from '../write/link-rows.ts'
import { USAGE_COLUMNS, usageRow } from '../write/usage-rows.ts'
import { createVocabulary } from '../write/vocabulary.ts'

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
  const { modifiedMs: modified, racy, ...reached } = checkpoint
  return {
    ...{
      id: file.id,
      version: file.version,
      written: file.version,
      deleted: 0,
      revision,
      device: scope.device,
    },
    ...{ person: copy.person ?? scope.person, writer: scope.writer, stamp: scope.stamp() },
    ...{ path: artifact.path, root: artifact.root, platform: artifact.platform, agent: artifact.agent },
    ...{ session: artifact.sessionId, state: artifact.state, facts: JSON.stringify(artifact) },
    ...{ settled, ...reached, modified, racy: racy ? 1 : 0, gone: goneMs ?? null },
    cuts: cuts.length === 0 ? '' : JSON.stringify(cuts),
    versions: versions.length === 0 ? '' : JSON.stringify(versions),
    row: session ? JSON.stringify(session) : '',
  }
}
