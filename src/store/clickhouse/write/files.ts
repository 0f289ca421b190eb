import { hash53 } from '../../../model/hash.ts'
import type { Increment } from '../../increment.ts'
import { sql } from '../connection/literal.ts'
import { idsOf } from '../schema.ts'
import type { Scope } from '../scope.ts'
import { FILE_COLUMNS, type FileRow, fileOf } from './file-rows.ts'

/** How many ids are tried at once for a new file. The first is nearly always free. */
const IDS_AT_ONCE = 4
/** How many files `arrival` can put in order. */
const MOST_AT_ONCE = 65_536

/**
 * The files that a batch is about: those it continues, those at its paths, and the ids of deleted ones, whose
 * versions go on.
 */
export interface Files {
  at(path: string): FileRow | undefined
  byId(id: number): FileRow | undefined
  /** A free id for a new file, and the last version of a deleted file with it. */
  idFor(path: string): { id: number; version: number }
  /** Notes the row that a batch will write. */
  set(file: FileRow): void
}

/** The id of a file, among those of its device: of its path, unless another file has that one. */
function idOf(device: string, path: string, attempt: number): number {
  const { first, count } = idsOf(device)
  return first + (hash53([path, attempt === 0 ? '' : String(attempt)], 0) % count)
}

export function loadFiles(
  { connection, device }: Scope,
  increments: readonly Pick<Increment, 'artifact' | 'base'>[],
): Files {
  const ids = increments.flatMap(({ base }) => base?.id ?? [])
  const paths = increments.map(({ artifact }) => artifact.path)
  const files = new Map<number, FileRow>()
  const byPath = new Map<string, number>()
  const set = (file: FileRow): void => {
    const before = files.get(file.id)
    if (before && byPath.get(before.path) === file.id) byPath.delete(before.path)
    files.set(file.id, file)
    byPath.set(file.path, file.id)
  }
  for (const values of connection.select(sql`SELECT ${{ sql: FILE_COLUMNS.join(', ') }} FROM artifact FINAL
    WHERE device = ${device} AND (id IN ${ids} OR path IN ${paths})`))
    set(fileOf(values as never))
  const used = new Map<number, number>()
  const tried = new Set<number>()
  const look = (wanted: readonly number[]): void => {
    const unknown = wanted.filter((id) => !tried.has(id))
    if (unknown.length === 0) return
    for (const id of unknown) tried.add(id)
    for (const [id, version, deleted] of connection.select<[number, number, number]>(
      sql`SELECT id, max(version), argMax(deleted, version) FROM artifact WHERE id IN ${unknown} GROUP BY id`,
    ))
      used.set(id, deleted === 1 ? version : -1)
  }
  const fresh = increments.filter(({ base }) => !base)
  look(fresh.map(({ artifact }) => idOf(device, artifact.path, 0)))
  return {
    at(path) {
      const id = byPath.get(path)
      return id === undefined ? undefined : files.get(id)
    },
    byId: (id) => files.get(id),
    idFor(path) {
      for (let attempt = 0; ; attempt++) {
        if (attempt > 0)
          look(Array.from({ length: IDS_AT_ONCE }, (_, index) => idOf(device, path, attempt + index)))
        const id = idOf(device, path, attempt)
        const version = used.get(id) ?? 0
        if (version >= 0 && !files.has(id)) return { id, version }
      }
    },
    set,
  }
}

/**
 * The server notes when it gets the first row of these files, in this order. Only administrators may say
 * since when another store has had a file.
 */
export function noteArrivals(
  { connection }: Pick<Scope, 'connection'>,
  files: readonly { id: number; since?: number | undefined }[],
): void {
  const { true: known = [], false: fresh = [] } = Object.groupBy(
    files,
    ({ since }) => `${since !== undefined}` as const,
  )
  connection.insert(
    'arrival',
    ['artifact', 'at'],
    known.map(({ id, since }) => [id, since!]),
  )
  for (let from = 0; from < fresh.length; from += MOST_AT_ONCE)
    connection.insert(
      'arrival',
      ['artifact', 'place'],
      fresh.slice(from, from + MOST_AT_ONCE).map(({ id }, place) => [id, place]),
    )
}

/** Inserts rows of files, which makes what was written of them visible. */
export function insertFiles({ connection }: Scope, rows: readonly FileRow[]): void {
  connection.insert(
    'artifact',
    FILE_COLUMNS,
    rows.map((row) => FILE_COLUMNS.map((name) => row[name])),
  )
}

/** Writes the rows of files again with changes, as statements of each changed column. */
export function rewriteFiles(scope: Scope, ids: readonly number[], changes: Record<string, string>): void {
  if (ids.length === 0) return
  const all = {
    version: 'version + 1',
    writer: String(scope.writer),
    stamp: String(scope.stamp()),
    ...changes,
  }
  const replaced = Object.entries(all).map(([name, value]) => `${value} AS ${name}`)
  scope.connection.run(
    sql`INSERT INTO artifact SELECT * REPLACE (${{ sql: replaced.join(', ') }}) FROM artifact FINAL WHERE id IN ${ids}`,
  )
}
