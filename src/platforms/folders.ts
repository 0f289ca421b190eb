import { type Dirent, existsSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import {
  fileInside,
  identityOf,
  isClosed,
  isLink,
  isPlainFolder,
  listDirectory,
  NO_LINKS,
  sameDirectory,
} from '../io/directories.ts'
import { bufferSource, type SeekableSource } from '../io/source.ts'
import {
  type Artifact,
  copiedName,
  type Environment,
  type HistoryFile,
  isAskedFor,
  type Notice,
  type PlatformId,
  type Refusal,
  type Root,
  type Unread,
} from '../model/artifact.ts'

/** The roots at these paths without duplicates, including those that do not exist. */
export function rootsAt(
  platform: PlatformId,
  candidates: Iterable<readonly [path: string, reason: string]>,
): Root[] {
  const found: Root[] = []
  for (const [path, reason] of candidates)
    if (!found.some((root) => sameDirectory(root.path, path)))
      found.push({ platform, path, reason, found: existsSync(path) || isClosed(path) })
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

/** Facts of an artifact that its file does not state. */
type Facts = Pick<Artifact, 'sessionId' | 'agent'> & Partial<Artifact>

/** An artifact by what the file system says of it. */
const artifactAt = (
  { platform, path: root }: Pick<Root, 'platform' | 'path'>,
  path: string,
  stats: Stats,
  { kind = 'transcript', state = 'live', ...facts }: Facts,
): Artifact => ({
  platform,
  root,
  path,
  kind,
  state,
  bytes: stats.size,
  modifiedMs: stats.mtimeMs,
  identity: identityOf(stats),
  ...facts,
})

export const memoryDocument = (root: Root, path: string, stats: Stats, facts: Facts): Artifact =>
  artifactAt(root, path, stats, { ...facts, kind: 'memory' })

/** The prompt history of a root, if there is one. A symbolic link is not followed. */
export function historyFile(
  { platform, path: root }: Pick<Root, 'platform' | 'path'>,
  path = join(root, 'history.jsonl'),
): HistoryFile[] {
  const stats = fileInside(root, path, NO_LINKS)
  if (!stats) return []
  return [{ platform, root, path, bytes: stats.size, modifiedMs: stats.mtimeMs, identity: identityOf(stats) }]
}

/** The name of a transcript, or of a copy of one, without its ending. */
export const stemOf = (name: string): string | undefined =>
  copiedName(name) ?? (name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : undefined)

/** Collects what is below a root. Links in it are not followed. */
export function finderIn(
  root: Pick<Root, 'platform' | 'path'>,
  asked: Pick<Environment, 'deleted' | 'backups'>,
) {
  const { platform } = root
  const found = { artifacts: [] as Artifact[], notices: [] as Notice[], unread: [] as Unread[] }
  return { found, list, folders, add }

  /** The entries of a folder. One that is a link or cannot be listed becomes a notice. */
  function list(path: string): Dirent[] {
    if (path !== root.path && isLink(path)) {
      found.notices.push({ platform, path, message: 'is a link and was not followed; make it a directory' })
      return []
    }
    // A file in its place is not opened.
    if (path !== root.path && !isPlainFolder(path) && !isClosed(path)) return []
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT')
      found.notices.push({ platform, path, message: `cannot be listed (${error})` })
    return entries
  }

  /** The names of folders in a folder, and of links, which `list` reports. */
  function folders(path: string): string[] {
    return list(path).flatMap((entry) => (entry.isDirectory() || entry.isSymbolicLink() ? [entry.name] : []))
  }

  /** Adds a plain file. Unless its state is given, its name may say that it is a copy, added if asked for. */
  function add(folder: string, name: string, facts: Facts): Artifact | undefined {
    const path = join(folder, name)
    const state = facts.state ?? (copiedName(name) === undefined ? 'live' : 'backup')
    if (!isAskedFor(state, asked)) {
      found.unread.push({ path, reason: 'a copy of a transcript', copy: true })
      return undefined
    }
    const stats = fileInside(folder, path, NO_LINKS)
    if (!stats) return undefined
    const artifact = artifactAt(root, path, stats, { ...facts, state })
    found.artifacts.push(artifact)
    return artifact
  }
}

/**
 * The lines that stand for an artifact as a source. As for every session in a database, its size is the
 * estimate that was listed, and its identity alone says whether it changed.
 */
export const sourceOf = (lines: Buffer, { bytes, modifiedMs, identity = '' }: Artifact): SeekableSource => ({
  ...bufferSource(lines, 0, { size: bytes, mtimeMs: modifiedMs, identity }),
  lineBegins() {},
})
