import { createHash, hash } from 'node:crypto'
import type { Artifact, Environment } from '../../model/artifact.ts'
import type { PlatformId } from '../../model/platform-id.ts'
import { platformOf } from '../../platforms/index.ts'
import { type Discovery, discover } from '../discover.ts'
import { PARSER_VERSION } from './read-increment.ts'

/** Everything that was discovered, with a hash. If the hash is unchanged, files need not be compared. */
export interface View extends Discovery {
  /** A hash of the roots and options. */
  scope: string
  /** A hash of all paths, sizes and times. */
  inventory: string
}

/** Discovers what is on disk. Opens no transcript. */
export function look(environment: Environment, only?: PlatformId): View {
  const found = discover(environment, only)
  const roots = found.roots.map(({ path }) => path)
  const scope = JSON.stringify([
    only ?? 'all',
    environment.deleted === true,
    environment.backups === true,
    roots,
  ])
  return { ...found, scope: hash('sha256', scope), inventory: inventoryOf(found) }
}

function inventoryOf({ roots, artifacts, documents, notices }: Discovery): string {
  const histories = roots.map((root) =>
    root.found ? platformOf(root.platform).history?.file(root) : undefined,
  )
  // Hashed piece by piece, because the text of many files would take much memory.
  const inventory = createHash('sha256').update(JSON.stringify([PARSER_VERSION, roots, notices, histories]))
  for (const artifact of artifacts) inventory.update(factsOf(artifact))
  for (const document of documents) inventory.update(factsOf(document))
  return inventory.digest('hex')
}

/** Everything that reading a file depends on. For most files that is path, size and time. */
export function factsOf(artifact: Artifact): string {
  const { path, bytes, modifiedMs, identity, state, kindHint, sessionKey, titleHint, entry, besideMs } =
    artifact
  const { sessionId, agent, slug, parentSessionId, fork } = artifact
  const facts = `${path}\n${bytes} ${modifiedMs} ${identity} ${state} ${besideMs}\n`
  if ((kindHint ?? sessionKey ?? titleHint ?? entry ?? parentSessionId ?? fork) === undefined) return facts
  const hints = [sessionId, agent, slug, kindHint, sessionKey, titleHint, entry, parentSessionId, fork]
  return `${facts}${JSON.stringify(hints)}\n`
}
