import { createHash, hash } from 'node:crypto'
import type { Artifact, Environment, PlatformId } from '../model/artifact.ts'
import { platformOf } from '../platforms/index.ts'
import type { Found } from '../platforms/platform.ts'
import { type Survey, survey } from './discover.ts'
import { PARSER_VERSION } from './read-increment.ts'

/** Everything that was discovered, with a hash. If the hash is unchanged, files need not be compared. */
export interface View extends Survey {
  /** A hash of the roots and options. */
  scope: string
  /** A hash of all paths, sizes and times. */
  inventory: string
  /** The number of artifacts. */
  count: number
}

/** Discovers what is on disk. Opens no transcript, and creates no artifacts if a hash of them is enough. */
export function look(environment: Environment, only?: PlatformId): View {
  const found = survey(environment, only)
  const roots = found.roots.map(({ path }) => path)
  const scope = JSON.stringify([
    only ?? 'all',
    environment.deleted === true,
    environment.backups === true,
    roots,
  ])
  const summaries = found.found.map(summaryOf)
  const count = found.hasNestedRoots
    ? found.artifacts.length
    : summaries.reduce((sum, each) => sum + each.count, 0)
  // Not a copy, which would create the artifacts.
  return Object.assign(found, {
    scope: hash('sha256', scope),
    count,
    inventory: inventoryOf(
      found,
      summaries.map(({ digest }) => digest),
    ),
  })
}

function inventoryOf({ roots, documents, notices }: Survey, digests: readonly string[]): string {
  const histories = roots.flatMap((root) =>
    root.found ? (platformOf(root.platform).history?.files(root) ?? []) : [],
  )
  const facts = [PARSER_VERSION, roots, notices, histories, digests, documents.map(factsOf)]
  return hash('sha256', JSON.stringify(facts))
}

function summaryOf(found: Found): { count: number; digest: string } {
  if (found.columns) return { count: found.columns.count(), digest: found.columns.digest() }
  const { artifacts } = found
  // Hashed piece by piece, because the text of many files would take much memory.
  const digest = createHash('sha256')
  for (const artifact of artifacts) digest.update(factsOf(artifact))
  return { count: artifacts.length, digest: digest.digest('hex') }
}

/** Everything that reading a file depends on. For most files that is path, size and time. */
function factsOf(artifact: Artifact): string {
  const { path, bytes, modifiedMs, identity, state, kindHint, sessionKey, titleHint, entry, besideMs } =
    artifact
  const { sessionId, agent, slug, parentSessionId, fork, directory, undoneFrom } = artifact
  const facts = `${path}\n${bytes} ${modifiedMs} ${identity} ${state} ${besideMs} ${undoneFrom} ${directory}\n`
  if ((kindHint ?? sessionKey ?? titleHint ?? entry ?? parentSessionId ?? fork) === undefined) return facts
  const hints = [sessionId, agent, slug, kindHint, sessionKey, titleHint, entry, parentSessionId, fork]
  return `${facts}${JSON.stringify(hints)}\n`
}
