import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFile } from '../io/directories.ts'
import { expandBraces, namesMatching } from '../io/glob.ts'
import type { Environment, PlatformId } from '../model/artifact.ts'
import { platformOf } from '../platforms/index.ts'
import { createLookout, type Lookout } from '../tail/lookout.ts'
import { type Inventory, inventory, type Source } from './delivery/inventory.ts'

/**
 * An inventory that is kept up to date. A change to a known file updates that file; any other change causes a
 * scan.
 */
export type LiveInventory = Lookout<Inventory>

export const createLiveInventory = (
  environment: Environment,
  stop: AbortSignal,
  settleMs?: number,
): LiveInventory => createLookout({ scan: () => inventory(environment), foldersOf, update, stop, settleMs })

function update(found: Inventory, changed: ReadonlySet<string>): Inventory | undefined {
  const known = new Map(found.sources.map((source) => [source.path, source]))
  for (const path of changed) if (!isKnownFile(path, known)) return undefined
  const sources = found.sources.map((each) => (changed.has(each.path) ? updated(each) : each))
  return { ...found, sources }
}

/** A change to a plain line file affects nothing else. Any other change may add or remove sources. */
function isKnownFile(path: string, known: ReadonlyMap<string, Source>): boolean {
  const source = known.get(path)
  if (!source || source.row.content === 'rows' || source.row.kind === 'session-index') return false
  return isFile(path)
}

function updated(source: Source): Source {
  const stats = statSync(source.path, { throwIfNoEntry: false })
  if (!stats) return source
  const now = { bytes: stats.size, modifiedMs: stats.mtimeMs, identity: `${stats.dev}:${stats.ino}` }
  return { ...source, ...now, artifact: source.artifact && { ...source.artifact, ...now } }
}

/** The folders of all sources, and those in which the tables may match something later. */
function foldersOf({ roots, sources }: Inventory): Set<string> {
  const folders = new Set<string>()
  for (const { path } of sources) folders.add(dirname(path))
  for (const { path, found, platform } of roots) {
    folders.add(found ? path : dirname(path))
    if (!found) continue
    for (const pattern of patternFolders(platform))
      for (const match of namesMatching(path, pattern)) if (match.stats.isDirectory()) folders.add(match.path)
  }
  return folders
}

const foldersOfPlatform = new Map<PlatformId, readonly string[]>()

/** The folders in which a platform's rows match, as patterns, with all their parents. */
function patternFolders(platform: PlatformId): readonly string[] {
  let known = foldersOfPlatform.get(platform)
  if (!known) {
    const found = new Set<string>()
    for (const row of platformOf(platform).delivery.table) {
      if ('skip' in row) continue
      for (const plain of expandBraces(row.pattern)) {
        const segments = plain.split('/').slice(0, -1)
        for (let count = 1; count <= segments.length; count++) {
          if (segments[count - 1] !== '**') found.add(segments.slice(0, count).join('/'))
        }
      }
    }
    known = [...found]
    foldersOfPlatform.set(platform, known)
  }
  return known
}
