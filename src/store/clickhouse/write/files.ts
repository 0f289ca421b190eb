import { hash53 } from '../../../model/hash.ts'
import type { Session } from '../../../model/session.ts'
import type { Checkpoint, Increment } from '../../increment.ts'
import type { StoredDocument } from '../../stored.ts'
import type { Cell } from '../connection/connection.ts'
import { sql } from '../connection/literal.ts'
import { rowsIn, timeIn } from '../read/well-formed.ts'
import { idsOf } from '../schema.ts'
import type { Scope } from '../scope.ts'

/** How many ids are tried at once for a new file. The first is nearly always free. */
const IDS_AT_ONCE = 4
/** How many files `arrival` can put in order. */
const MOST_AT_ONCE = 65_536

/**
 * The files that a batch is about: those it continues, those at its paths, and the ids of deleted ones, whose
 * versions go on.
 */
interface Files {
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

/** A row of `artifact`. */
export interface FileRow {
  id: number
  version: number
  /** The version of the last batch. Later versions have the same messages. */
  written: number
  deleted: number
  revision: number
  device: string
  person: string
  /** A number for whoever wrote the row, so that others can tell. */
  writer: number
  /** When the row was written. Grows with every write of a device. */
  stamp: number
  path: string
  root: string
  platform: string
  agent: string
  session: string
  state: string
  facts: string
  generation: number
  /**
   * The last generation that was read to its end. Negative until what it repeats of earlier generations was
   * removed.
   */
  settled: number
  offset: number
  line: number
  size: number
  modified: number
  identity: string
  headLength: number
  head: string
  tail: string
  parser: number
  racy: number
  gone: number | null
  /** JSON of the lines of cuts, by generation. */
  cuts: string
  /** JSON of the versions of a memory document. */
  versions: string
  /** The session as JSON; empty if the file is none. */
  row: string
}

export const FILE_COLUMNS = [
  'id',
  'version',
  'written',
  'deleted',
  'revision',
  'device',
  'person',
  'writer',
  'stamp',
  'path',
  'root',
  'platform',
  'agent',
  'session',
  'state',
  'facts',
  'generation',
  'settled',
  'offset',
  'line',
  'size',
  'modified',
  'identity',
  'headLength',
  'head',
  'tail',
  'parser',
  'racy',
  'gone',
  'cuts',
  'versions',
  'row',
] as const satisfies readonly (keyof FileRow)[]

export function fileOf(values: readonly Cell[]): FileRow {
  return Object.fromEntries(FILE_COLUMNS.map((name, index) => [name, values[index]])) as unknown as FileRow
}

export const checkpointOf = ({ modified, racy, ...file }: FileRow): Checkpoint => ({
  generation: file.generation,
  offset: file.offset,
  line: file.line,
  size: file.size,
  modifiedMs: modified,
  identity: file.identity,
  headLength: file.headLength,
  head: file.head,
  tail: file.tail,
  parser: file.parser,
  recentlyModified: racy === 1,
})

/** A generation of which a part was cut off: the line up to which it still belongs to the session. */
interface Cut {
  generation: number
  /** `UNDECIDED` until the file was read to its end, `ALL` if nothing of the generation is left in it. */
  line: number
}

export const UNDECIDED = 0
export const ALL = Number.MAX_SAFE_INTEGER

export const cutsOf = ({ cuts }: Pick<FileRow, 'cuts'>): Cut[] =>
  cuts === '' ? [] : rowsIn<{ generation: number; line: number }>(cuts, ['generation', 'line'])

export const versionsOf = ({ versions }: Pick<FileRow, 'versions'>): StoredDocument['versions'] =>
  versions === ''
    ? []
    : rowsIn<{ number: number; at: number; bytes: number }>(versions, ['number', 'at', 'bytes']).filter(
        ({ at }) => timeIn(at) !== undefined,
      )

/** One increment and the row of its file, as it will be. */
export interface Planned {
  increment: Increment
  /** The row as it is stored. Absent if the file is new to the store. */
  before: FileRow | undefined
  file: FileRow
  /** The parts that are cut off the file, of which the last may be undecided. */
  cuts: Cut[]
  /** The generation is read to its end for the first time. */
  settles: boolean
  /**
   * The file is read again from its first byte: usage rows of the last generation are pending, and those that
   * were pending before are dropped. `earlier` is that generation, if the same parser version read it.
   */
  restart: { earlier: number | undefined } | undefined
}

/** What a batch does, without what others have written meanwhile. */
interface Plan {
  planned: Planned[]
  /** Files that lose their path to another one. */
  evicted: FileRow[]
  /** The paths of increments whose base is not the stored state. */
  refused: string[]
}

export function planBatch(scope: Scope, files: Files, batch: readonly Increment[]): Plan {
  const plan: Plan = { planned: [], evicted: [], refused: [] }
  for (const increment of batch) {
    const { base, artifact } = increment
    const before = base ? files.byId(base.id) : undefined
    const isCurrent = base ? before?.revision === base.revision : files.at(artifact.path) === undefined
    if (!isCurrent) {
      plan.refused.push(artifact.path)
      continue
    }
    const other = files.at(artifact.path)
    if (other && other.id !== before?.id) {
      const evicted = evict(other)
      files.set(evicted)
      plan.evicted.push(evicted)
    }
    const planned = planOne(scope, files, increment, before)
    files.set(planned.file)
    plan.planned.push(planned)
  }
  return plan
}

/** Another file had this path. It is gone, or was renamed, and then its own increment follows. */
function evict(file: FileRow): FileRow {
  const path = `${file.path}#${file.id}`
  const renamed = (json: string): string =>
    json === '' ? '' : JSON.stringify({ ...(JSON.parse(json) as object), path })
  return { ...file, version: file.version + 1, path, facts: renamed(file.facts), row: renamed(file.row) }
}

function planOne(
  { device, person, writer, stamp }: Scope,
  files: Files,
  increment: Increment,
  before: FileRow | undefined,
): Planned {
  const { artifact, checkpoint, session, fresh, more } = increment
  const { modifiedMs: modified, recentlyModified, ...reached } = checkpoint
  const identity = before ?? { ...files.idFor(artifact.path), revision: 0, settled: 0 }
  const settled = identity.settled
  const version = identity.version + 1
  const settles = !more && settled < checkpoint.generation
  const stored = before ? cutsOf(before) : []
  // Rows of a database are deleted for other reasons.
  const restart =
    fresh && before && artifact.database === undefined
      ? { earlier: before.parser === checkpoint.parser ? before.settled : undefined }
      : undefined
  return {
    increment,
    before,
    settles,
    restart,
    cuts: restart ? restarted(stored, restart.earlier) : stored,
    file: {
      id: identity.id,
      version,
      written: version,
      deleted: 0,
      revision: identity.revision + 1,
      device,
      person,
      writer,
      stamp: stamp(),
      path: artifact.path,
      root: artifact.root,
      platform: artifact.platform,
      agent: artifact.agent,
      session: artifact.sessionId,
      state: artifact.state,
      facts: JSON.stringify(artifact),
      settled: settles ? checkpoint.generation : settled,
      ...reached,
      modified,
      racy: recentlyModified ? 1 : 0,
      gone: null,
      cuts: '',
      versions: before?.versions ?? '',
      row: sessionText(session, before),
    },
  }
}

function restarted(stored: readonly Cut[], earlier: number | undefined): Cut[] {
  const decided = stored.filter(({ line }) => line !== UNDECIDED)
  const known = earlier === undefined || decided.some(({ generation }) => generation === earlier)
  return known ? decided : [...decided, { generation: earlier, line: UNDECIDED }]
}

const sessionText = (session: Session | undefined, before: FileRow | undefined): string =>
  session ? JSON.stringify(session) : (before?.row ?? '')
