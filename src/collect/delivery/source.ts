import { relative, sep } from 'node:path'
import type { Artifact, ArtifactState, PlatformId } from '../../model/artifact.ts'
import type { CollectedRow } from '../../model/delivery.ts'
import { asText, type JsonObject } from '../../model/json.ts'

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
  /** Ids of sessions by their keys, where records name the key alone. */
  sessions?: Readonly<Record<string, string>>
  /** Of transcripts, which are opened by their platform. */
  artifact?: Artifact
}

/** What tells a source from every other: one database is several. */
export const keyOf = ({ row, path }: Source): string => `${row.kind} ${path}`

/** A path below a root with `/` between folders, whatever the system writes. */
export const nameBelow = (root: string, path: string): string => relative(root, path).split(sep).join('/')

/** Where records name the key of a session instead of its id, and which of them counts. */
const KEYS = ['childSessionKey', 'sessionKey', 'key'] as const

/** The session that a record is about: as it says, as its key says that ends in it, or as the agent's index says of the key. */
export function sessionOf(fields: JsonObject | undefined, { sessions }: Source): string | undefined {
  const own = asText(fields?.sessionId)
  if (own !== undefined || !fields) return own
  for (const name of KEYS) {
    const key = asText(fields[name])
    if (key === undefined) continue
    const id =
      /:run:([^:]+)$/.exec(key)?.[1] ?? (sessions && Object.hasOwn(sessions, key) ? sessions[key] : undefined)
    if (id !== undefined) return id
  }
  return undefined
}
