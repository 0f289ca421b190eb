import { createHash, hash } from 'node:crypto'
import type { Artifact, Environment, PlatformId } from '../model/artifact.ts'
import { platformOf } from '../platforms/index.ts'
import { type Discovery, discover } from './discover.ts'
import { PARSER_VERSION } from './read-increment.ts'

/** All that was found, and a hash of it: where that is what it was, nothing has to be compared file by file. */
export interface View extends Discovery {
  /** A hash of what was looked through. */
  scope: string
  /** A hash of every place, size and time. */
  inventory: string
}

/** Looks through the disk. Opens no transcript. */
export function look(environment: Environment, only?: PlatformId): View {
  const found = discover(environment, only)
  const places = found.roots.map(({ path }) => path)
  const scope = JSON.stringify([
    only ?? 'all',
    environment.deleted === true,
    environment.backups === true,
    places,
  ])
  return { ...found, scope: hash('sha256', scope), inventory: inventoryOf(found) }
}

function inventoryOf({ roots, artifacts, documents, notices }: Discovery): string {
  const histories = roots.map((root) => (root.found ? platformOf(root.platform).history?.(root) : undefined))
  // Piece by piece: of many files the text would be a large part of memory.
  const inventory = createHash('sha256').update(JSON.stringify([PARSER_VERSION, roots, notices, histories]))
  for (const artifact of artifacts) inventory.update(factsOf(artifact))
  for (const document of documents) inventory.update(factsOf(document))
  return inventory.digest('hex')
}

/** All that a refresh looks at. Most files have nothing but a place, a size and a time. */
function factsOf(artifact: Artifact): string {
  const { path, bytes, modifiedMs, identity, state, kindHint, sessionKey, titleHint, entry, besideMs } =
    artifact
  const { sessionId, agent, slug, parentSessionId, fork } = artifact
  const place = `${path}\n${bytes} ${modifiedMs} ${identity} ${state} ${besideMs}\n`
  if ((kindHint ?? sessionKey ?? titleHint ?? entry ?? parentSessionId ?? fork) === undefined) return place
  const hints = [sessionId, agent, slug, kindHint, sessionKey, titleHint, entry, parentSessionId, fork]
  return `${place}${JSON.stringify(hints)}\n`
}
