import type { Session } from '../../../model/session.ts'
import type { Increment } from '../../increment.ts'
import type { Scope } from '../scope.ts'
import { type Cut, cutsOf, type FileRow, UNDECIDED } from './file-rows.ts'
import type { Files } from './files.ts'

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
  const { modifiedMs: modified, racy, ...reached } = checkpoint
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
    ...{
      increment,
      before,
      settles,
      restart,
      cuts: restart ? restarted(stored, restart.earlier) : stored,
    },
    file: {
      ...{ id: identity.id, version, written: version, deleted: 0, revision: identity.revision + 1 },
      ...{ device, person, writer, stamp: stamp() },
      ...{ path: artifact.path, root: artifact.root, platform: artifact.platform, agent: artifact.agent },
      ...{ session: artifact.sessionId, state: artifact.state, facts: JSON.stringify(artifact) },
      ...{ settled: settles ? checkpoint.generation : settled, ...reached, modified, racy: racy ? 1 : 0 },
      ...{ gone: null, cuts: '', versions: before?.versions ?? '', row: rowOf(session, before) },
    },
  }
}

function restarted(stored: readonly Cut[], earlier: number | undefined): Cut[] {
  const decided = stored.filter(({ line }) => line !== UNDECIDED)
  const known = earlier === undefined || decided.some(({ generation }) => generation === earlier)
  return known ? decided : [...decided, { generation: earlier, line: UNDECIDED }]
}

const rowOf = (session: Session | undefined, before: FileRow | undefined): string =>
  session ? JSON.stringify(session) : (before?.row ?? '')
