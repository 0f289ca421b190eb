import { relative, sep } from 'node:path'
import type { Artifact, ArtifactState, PlatformId } from '../../model/artifact.ts'
import type { CollectedRow } from '../../model/delivery.ts'

/** One thing that is collected: a file, a session of a database, or named columns of its tables. */
export interface Source {
  row: CollectedRow
  platform: PlatformId
  root: string
  /** Of the file; behind `#` the session of a database. */
  path: string
  /** The same below its root, on every machine alike. */
  name: string
  agent: string
  session: string | null
  slug?: string
  state: ArtifactState
  bytes: number
  modifiedMs: number
  identity: string
  /** Of transcripts, which are opened by their platform. */
  artifact?: Artifact
}

/** What tells a source from every other: one database is several. */
export const keyOf = ({ row, path }: Source): string => `${row.kind} ${path}`

/** A path below a root with `/` between folders, whatever the system writes. */
export const nameBelow = (root: string, path: string): string => relative(root, path).split(sep).join('/')
