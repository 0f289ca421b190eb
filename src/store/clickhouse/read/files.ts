import type { Artifact } from '../../../model/artifact.ts'
import { GENERATIONS } from '../../changes.ts'
import type { Checkpoint } from '../../increment.ts'
import type { StoredDocument } from '../../stored.ts'
import { type Scope, shownPath } from '../scope.ts'
import { artifactIn, checkpointIn, rowsIn, timeIn } from './well-formed.ts'

/** The columns of `artifact` that say what a file is and how far it was read. */
const COLUMNS = [
  'id',
  'revision',
  'device',
  'person',
  'path',
  'facts',
  'generation',
  'size',
  'modified',
  'checkpoint',
  'gone',
] as const

export const FILE_COLUMNS = COLUMNS.join(', ')

export interface FileRow {
  id: number
  revision: number
  device: string
  person: string
  path: string
  facts: string
  generation: number
  size: number
  modified: number
  checkpoint: string
  gone: number | null
}

export const fileOf = (values: readonly unknown[]): FileRow =>
  Object.fromEntries(COLUMNS.map((name, index) => [name, values[index]])) as unknown as FileRow

/** Undefined if the row is malformed. */
export function checkpointOf({ generation, size, modified, checkpoint }: FileRow): Checkpoint | undefined {
  const reached = checkpointIn(checkpoint)
  return reached && { ...reached, generation: generation % GENERATIONS, size, modifiedMs: modified }
}

/** The file as this store shows it. Undefined if its row is malformed. */
export function shownArtifact(
  scope: Scope,
  owner: string,
  facts: string,
  path: string,
): Artifact | undefined {
  const artifact = artifactIn(facts)
  if (!artifact) scope.leftOut(shownPath(scope, owner, path))
  if (owner === scope.device || !artifact) return artifact
  return {
    ...artifact,
    path: shownPath(scope, owner, artifact.path),
    root: shownPath(scope, owner, artifact.root),
  }
}

/** `line` of a cut while its file is still being read. */
export const UNDECIDED = 0

/** The generations of which a part was cut off: the line up to which each still belongs to the session. */
export const cutsOf = ({ cuts }: { cuts: string }): { generation: number; line: number }[] =>
  cuts === '' ? [] : rowsIn<{ generation: number; line: number }>(cuts, ['generation', 'line'])

export const versionsOf = ({ versions }: { versions: string }): StoredDocument['versions'] =>
  versions === ''
    ? []
    : rowsIn<{ number: number; at: number; bytes: number }>(versions, ['number', 'at', 'bytes']).filter(
        ({ at }) => timeIn(at) !== undefined,
      )
