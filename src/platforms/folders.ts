import { existsSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { identityOf, listDirectory, sameDirectory } from '../io/directories.ts'
import { bufferSource, type SeekableSource } from '../io/source.ts'
import type { Artifact, Environment, PlatformId, Refusal, Root } from '../model/artifact.ts'

/** The roots at these paths without duplicates, including those that do not exist. */
export function rootsAt(
  platform: PlatformId,
  candidates: Iterable<readonly [path: string, reason: string]>,
): Root[] {
  const found: Root[] = []
  for (const [path, reason] of candidates)
    if (!found.some((root) => sameDirectory(root.path, path)))
      found.push({ platform, path, reason, found: existsSync(path) })
  return found
}

/** A path that may begin with the sign of a home directory. */
export const withHome = (path: string, home: string): string =>
  path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path

/** The environment variable that points a client to a root. Empty if the root is the default. */
export function variableFor(
  name: string,
  root: string,
  usual: string,
  { home, variables }: Environment,
): Record<string, string> {
  const own = variables[name] || join(home, usual)
  return own === root ? {} : { [name]: root }
}

/** Why files are not opened or read, by their names. */
export type Reasons = readonly (readonly [name: RegExp, reason: string])[]

export const reasonIn = (reasons: Reasons, name: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(name))?.[1]

/** The entries of a folder that are never opened. */
export const refusedIn = (folder: string, reasons: Reasons): Refusal[] =>
  listDirectory(folder).entries.flatMap(({ name }) => {
    const reason = reasonIn(reasons, name)
    return reason === undefined ? [] : { path: join(folder, name), reason }
  })

/** A memory document, by what the file system says of it. */
export const memoryDocument = (
  { platform, path: root }: Root,
  path: string,
  stats: Stats,
  facts: Pick<Artifact, 'sessionId' | 'agent' | 'slug'>,
): Artifact => ({
  platform,
  root,
  path,
  kind: 'memory',
  state: 'live',
  ...facts,
  bytes: stats.size,
  modifiedMs: stats.mtimeMs,
  identity: identityOf(stats),
})

/**
 * The lines that stand for an artifact as a source. As for every session in a database, its size is the
 * estimate that was listed, and its identity alone says whether it changed.
 */
export const sourceOf = (lines: Buffer, { bytes, modifiedMs, identity = '' }: Artifact): SeekableSource => ({
  ...bufferSource(lines, 0, { size: bytes, mtimeMs: modifiedMs, identity }),
  lineBegins() {},
})
