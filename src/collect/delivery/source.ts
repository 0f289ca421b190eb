import { relative, sep } from 'node:path'
import type { Artifact, ArtifactState } from '../../model/artifact.ts'
import type { CollectedRow } from '../../model/delivery.ts'
import type { PlatformId } from '../../model/platform-id.ts'

/** One thing that is collected: a file, a session in a database, or named columns of its tables. */
export interface Source {
  row: CollectedRow
  platform: PlatformId
  root: string
  /** The path of the file. For a session in a database, its name follows after `#`. */
  path: string
  /** The path below the root, the same on every machine. */
  name: string
  agent: string
  session: string | null
  slug?: string
  state: ArtifactState
  bytes: number
  modifiedMs: number
  identity: string
  /** Session ids by session key, for records that contain only the key. */
  sessions?: Readonly<Record<string, string>>
  /** Set for transcripts, which their platform opens. */
  artifact?: Artifact
}

/** Identifies a source. One database can contain several. */
export const keyOf = ({ row, path }: Source): string => `${row.kind} ${path}`

/** A path below a root with `/` as separator on every system. */
export const nameBelow = (root: string, path: string): string => relative(root, path).split(sep).join('/')
